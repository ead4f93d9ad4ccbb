package adversary

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Rule says which predictions within a radius of the target recognise the destination: InARow or Stays. The
// zero value is invalid.
type Rule int

// Stays is the rule that all predictions from the detection to the end lie within the radius.
const Stays Rule = -1

// InARow is the rule of the given number of consecutive predictions, at least 1; fewer give an invalid rule.
func InARow(steps int) Rule { return Rule(max(0, steps)) }

// Steps returns the number of consecutive predictions of the rule; 0 for Stays.
func (r Rule) Steps() int { return max(0, int(r)) }

// Check returns an error for an invalid rule.
func (r Rule) Check() error {
	if r < 1 && r != Stays {
		return fmt.Errorf("adversary: the rule of %d predictions in a row; want at least 1, or Stays", int(r))
	}
	return nil
}

// Curve is the detection curve of one flight: a step function from the radius to the place where an observer
// recognised the destination. An observer of radius rho recognises it at the k-th consecutive step whose
// prediction lies within rho of the target. So rho must reach the largest of k consecutive errors, and the
// running minimum of these largest errors over the flight gives the place of the first detection for every
// radius. Under the rule Stays, which coincidences in turns do not satisfy, rho must reach the largest error
// from the detection to the end.
type Curve struct {
	corners  []Corner
	handover int // first sample without a commanded waypoint
}

// Corner is a segment of a detection curve: radii from RadiusKm up to the previous corner's detect at
// DistanceKm.
type Corner struct {
	RadiusKm   float64 // smallest radius that detects here, km
	DistanceKm float64 // vehicle's distance to the target, km
	Sample     int     // index in the flight
}

// Detection is where an observer of some radius recognised the destination; zero if it never did.
type Detection struct {
	Detected       bool
	DistanceKm     float64 // vehicle's distance to the target, km
	Sample         int     // index in the flight
	BeforeHandover bool    // waypoints were still commanded
}

// Fill computes the curve of a flight from its prediction errors under a rule, reusing its storage. Waypoints
// are commanded before sample handover of the flight. An error that is infinite or NaN lies outside every
// radius.
func (c *Curve) Fill(e *PredictionErrors, rule Rule, handover int) {
	c.FillUpTo(math.Inf(1), e, rule, handover)
}

// FillUpTo is Fill for radii up to the given one, km; the curve is undefined for larger radii.
func (c *Curve) FillUpTo(radiusKm float64, e *PredictionErrors, rule Rule, handover int) {
	c.corners, c.handover = c.corners[:0], handover
	limit := math.Nextafter(radiusKm, math.Inf(1)) // only smaller radii matter
	if rule == Stays {
		c.fillStays(limit, e)
		return
	}
	k := rule.Steps()
	bound := limit // larger radii are detected already, or not needed
	for i := k - 1; i < len(e.ErrorKm); {
		largest, at := largestBelow(bound, e.ErrorKm[i-k+1:i+1])
		if at >= 0 {
			i += at + 1 // the next k errors without this one
			continue
		}
		bound = largest
		c.corners = append(c.corners, Corner{RadiusKm: largest, DistanceKm: e.distanceAt(i), Sample: i})
		i++
	}
}

// largestBelow returns the largest of some errors and index -1 if all are below a limit, and otherwise the index of
// the last one that is not.
func largestBelow(limit float64, errors []float64) (largest float64, index int) {
	for i := len(errors) - 1; i >= 0; i-- {
		x := errors[i]
		if !(x < limit) {
			return 0, i
		}
		if x > largest {
			largest = x
		}
	}
	return largest, -1
}

// fillStays computes the corners below a limit under the rule Stays: there is one at each sample whose error exceeds
// all later errors.
func (c *Curve) fillStays(limit float64, e *PredictionErrors) {
	worst := 0.0 // largest error from here on
	for i := len(e.ErrorKm) - 1; i >= 0; i-- {
		if !(e.ErrorKm[i] <= worst) {
			worst = e.ErrorKm[i]
		} else if n := len(c.corners); n > 0 {
			c.corners = c.corners[:n-1] // the same radii detect earlier
		}
		if !(worst < limit) {
			break
		}
		c.corners = append(c.corners, Corner{RadiusKm: worst, DistanceKm: e.distanceAt(i), Sample: i})
	}
	slices.Reverse(c.corners)
}

// Detect returns where an observer of the given radius (km, finite) recognised the destination.
func (c *Curve) Detect(radiusKm float64) Detection {
	i := sort.Search(len(c.corners), func(i int) bool { return c.corners[i].RadiusKm <= radiusKm })
	if i == len(c.corners) {
		return Detection{}
	}
	at := c.corners[i]
	return Detection{Detected: true, DistanceKm: at.DistanceKm, Sample: at.Sample, BeforeHandover: at.Sample < c.handover}
}

// Corners returns the corners from the largest radius to the smallest; they alias the curve.
func (c *Curve) Corners() []Corner { return c.corners }

// Clone returns a copy with its own storage.
func (c *Curve) Clone() Curve { return c.UpTo(math.Inf(1)) }

// UpTo returns a copy, with its own storage, for radii up to the given one; it is undefined for larger radii.
func (c *Curve) UpTo(radiusKm float64) Curve {
	i := sort.Search(len(c.corners), func(i int) bool { return c.corners[i].RadiusKm <= radiusKm })
	return Curve{corners: slices.Clone(c.corners[i:]), handover: c.handover}
}
