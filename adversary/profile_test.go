package adversary_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
)

// detect is the rule itself, one radius at a time: the k-th step in a row with an error within it. A
// step whose error is not a number is not within it.
func detect(track *adversary.Track, k int, radius float64) (adversary.Step, bool) {
	inside := 0
	for i, e := range track.ErrorKm {
		if e <= radius {
			inside++
		} else {
			inside = 0
		}
		if inside == k {
			return adversary.Step{DistanceKm: track.DistanceKm[i], Sample: i}, true
		}
	}
	return adversary.Step{}, false
}

// radiiOf returns 200 radii over the range of a track's errors, and every error that occurs with its
// neighbours in floating point, where a detection may begin or end.
func radiiOf(track *adversary.Track) []float64 {
	radii := []float64{0}
	for i := range 200 {
		radii = append(radii, 1e-3*math.Pow(1e6, float64(i)/199))
	}
	for i := 0; i < len(track.ErrorKm); i += 1 + len(track.ErrorKm)/100 {
		e := track.ErrorKm[i]
		if !math.IsNaN(e) && !math.IsInf(e, 0) {
			radii = append(radii, math.Nextafter(e, 0), e, math.Nextafter(e, math.Inf(1)))
		}
	}
	return radii
}

// compare holds a profile against the rule, radius by radius, and checks that it is a step function.
func compare(t *testing.T, name string, track *adversary.Track, k int, profile *adversary.Profile) {
	t.Helper()
	profile.Fill(track, k)
	for _, radius := range radiiOf(track) {
		got, found := profile.Detect(radius)
		want, expected := detect(track, k, radius)
		if found != expected || got.Sample != want.Sample || got.DistanceKm != want.DistanceKm {
			t.Fatalf("%s, k %d, radius %.17g: profile says %+v %t, the rule %+v %t", name, k, radius, got, found, want, expected)
		}
		if found && got.RadiusKm > radius {
			t.Fatalf("%s, k %d, radius %.17g: detected on the tread %+v, which starts above it", name, k, radius, got)
		}
	}
	steps := profile.Steps()
	for i := 1; i < len(steps); i++ {
		if !(steps[i].RadiusKm < steps[i-1].RadiusKm) || steps[i].Sample <= steps[i-1].Sample {
			t.Fatalf("%s, k %d: tread %+v follows %+v", name, k, steps[i], steps[i-1])
		}
	}
}

func TestProfileIsTheRuleAtEveryRadius(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	draws := []struct {
		name string
		draw func(i int) float64
	}{
		{"rough", func(int) float64 { return math.Exp(3 * rng.NormFloat64()) }},
		{"ties", func(int) float64 { return float64(rng.IntN(6)) }},
		{"falling", func(i int) float64 { return 100 / (1 + float64(i)) * (0.5 + rng.Float64()) }},
		{"rising", func(i int) float64 { return float64(i + 1) }},
		{"constant", func(int) float64 { return 2 }},
		{"not finite", func(int) float64 {
			switch rng.IntN(4) {
			case 0:
				return math.NaN()
			case 1:
				return math.Inf(1)
			}
			return rng.Float64()
		}},
	}
	var profile adversary.Profile
	for _, d := range draws {
		for _, length := range []int{0, 1, 2, 3, 7, 8, 9, 60, 400} {
			for range 5 {
				track := &adversary.Track{}
				for i := range length {
					track.ErrorKm = append(track.ErrorKm, d.draw(i))
					track.DistanceKm = append(track.DistanceKm, 200*rng.Float64())
				}
				for _, k := range []int{1, 2, 3, 8, 500} {
					compare(t, fmt.Sprintf("%s of %d", d.name, length), track, k, &profile)
				}
			}
		}
	}
}

func TestProfileIsTheRuleOnFlights(t *testing.T) {
	observer := adversary.NewBallisticObserver(0.1)
	var track adversary.Track
	var profile adversary.Profile
	for i, history := range flights(t, 0.1) {
		observer.Observe(history, r3.Vec{}, &track)
		for _, k := range []int{1, 3, 8, len(history.Samples), len(history.Samples) + 1} {
			compare(t, fmt.Sprintf("flight %d", i), &track, k, &profile)
		}
	}
}

func TestProfileByHand(t *testing.T) {
	track := &adversary.Track{
		ErrorKm:    []float64{5, 4, 6, 3, 3, 4, 1, 1, 2, math.NaN(), 0, 0},
		DistanceKm: []float64{90, 80, 70, 60, 50, 45, 40, 30, 20, 15, 10, 5},
	}
	for _, c := range []struct {
		k    int
		want []adversary.Step
	}{
		{1, []adversary.Step{{5, 90, 0}, {4, 80, 1}, {3, 60, 3}, {1, 40, 6}, {0, 10, 10}}},
		{2, []adversary.Step{{5, 80, 1}, {3, 50, 4}, {1, 30, 7}, {0, 5, 11}}},
		{3, []adversary.Step{{6, 70, 2}, {4, 45, 5}, {2, 20, 8}}},
		{13, nil},
	} {
		var p adversary.Profile
		p.Fill(track, c.k)
		if diff := cmp.Diff(c.want, p.Steps()); diff != "" {
			t.Errorf("k %d (-want +got):\n%s", c.k, diff)
		}
	}
}

// A flight that starts with a gap in the observation is recognised all the same.
func TestProfileSurvivesALeadingGap(t *testing.T) {
	track := &adversary.Track{ErrorKm: []float64{math.NaN(), 1, 1}, DistanceKm: []float64{30, 20, 10}}
	var p adversary.Profile
	p.Fill(track, 1)
	if got, found := p.Detect(1.5); !found || got.Sample != 1 {
		t.Errorf("detected at %+v, %t, want sample 1", got, found)
	}
}

func TestNeverDetected(t *testing.T) {
	var p adversary.Profile
	if got, found := p.Detect(1e9); found {
		t.Errorf("a profile of no flight is detected at %+v", got)
	}
	track := &adversary.Track{ErrorKm: []float64{3, 2, 3, 2}, DistanceKm: []float64{4, 3, 2, 1}}
	p.Fill(track, 2)
	for _, radius := range []float64{0, 2, 2.999, math.NaN()} {
		if got, found := p.Detect(radius); found {
			t.Errorf("radius %g: detected at %+v", radius, got)
		}
	}
	p.Fill(track, 5)
	if got, found := p.Detect(100); found {
		t.Errorf("5 steps in a row of 4: detected at %+v", got)
	}
}
