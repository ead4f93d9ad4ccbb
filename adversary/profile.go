package adversary

import (
	"math"
	"sort"
)

// Profile is the detection step function of one flight: for every radius, where the destination was
// recognised. An observer of radius rho recognises it at the k-th consecutive step whose prediction lies
// within rho of the target, so rho must reach the largest of k errors in a row, and the running minimum
// of that over the flight says which radius is first served where.
type Profile struct {
	steps []Step
}

// Step is one tread of a profile: radii from RadiusKm up to the previous tread's detect at DistanceKm.
type Step struct {
	RadiusKm   float64 // smallest radius detected here, km
	DistanceKm float64 // vehicle's distance to the target, km
	Sample     int     // index of the step in the flight
}

// Fill computes the profile of a track under the rule of k consecutive steps, k >= 1, reusing its
// storage. An error that is infinite or not a number lies outside every radius.
func (p *Profile) Fill(track *Track, k int) {
	p.steps = p.steps[:0]
	served := math.Inf(1) // radii from here up are detected
	for i := k - 1; i < len(track.ErrorKm); i++ {
		largest := track.ErrorKm[i]
		if !(largest < served) {
			continue
		}
		for _, e := range track.ErrorKm[i-k+1 : i] {
			largest = max(largest, e)
		}
		if largest < served {
			served = largest
			p.steps = append(p.steps, Step{RadiusKm: largest, DistanceKm: track.DistanceKm[i], Sample: i})
		}
	}
}

// Detect returns where an observer of the given radius (km, finite) recognised the destination, and
// false when it never did.
func (p *Profile) Detect(radiusKm float64) (Step, bool) {
	i := sort.Search(len(p.steps), func(i int) bool { return p.steps[i].RadiusKm <= radiusKm })
	if i == len(p.steps) {
		return Step{}, false
	}
	return p.steps[i], true
}

// Steps returns the treads from the largest radius to the smallest; they alias the profile.
func (p *Profile) Steps() []Step { return p.steps }
