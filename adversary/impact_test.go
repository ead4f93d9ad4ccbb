package adversary_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// The time to the ground in cases that can be worked out by hand, and where a step earlier the altitude is above 0.
func TestTimeToGround(t *testing.T) {
	const tolerance = 1e-9 // s
	still, decaying := adversary.Ballistic{}, adversary.Ballistic{LambdaPerS: 0.1}
	for _, c := range []struct {
		b       adversary.Ballistic
		z, v, a float64
		want    float64
	}{
		{still, 10, -2, 0, 5},
		{decaying, 10, -2, 0, 5},
		{still, 8, 0, -1, 4},
		{still, 6, 1, -1, 1 + math.Sqrt(13)},
		{still, 1.5, -2, 1, 1},
		{still, 3, -2, 0.5, 2},
		{still, 2.5, -2, 1, math.Inf(1)},        // turns up before
		{still, 4.4, -3, 1, 3 - math.Sqrt(0.2)}, // and up again soon
		{still, 10, 0, 0, math.Inf(1)},
		{still, 10, 1, 1, math.Inf(1)},
		{decaying, 10, 0, 1, math.Inf(1)},
		{decaying, 2, -1, 0.05, math.NaN()}, // sinks for ever, no closed form
		{decaying, 10, 0, -1, math.NaN()},
		{decaying, 1, -1, 0.2, math.NaN()},
		{still, 0, 1, 1, 0},
		{still, -1, 1, 1, 0},
	} {
		got := c.b.TimeToGround(c.z, c.v, c.a)
		if math.IsNaN(c.want) {
			altitude := func(T float64) float64 { return c.z + c.v*T + c.a*c.b.Lag(T) }
			if !(math.Abs(altitude(got)) < 1e-12) {
				t.Errorf("from %v km, %v km/s, %v km/s^2: altitude %v at %v s", c.z, c.v, c.a, altitude(got), got)
			}
			for T := 0.0; T < got-tolerance; T += got / 100 {
				if altitude(T) <= 0 {
					t.Errorf("from %v km, %v km/s, %v km/s^2: ground at %v s already, not at %v s", c.z, c.v, c.a, T, got)
				}
			}
		} else if !(math.Abs(got-c.want) < tolerance || got == c.want) {
			t.Errorf("from %v km, %v km/s, %v km/s^2: %v s, want %v", c.z, c.v, c.a, got, c.want)
		}
	}
}

// The observer of the hand-over finds the target soon after it, foresees nothing before, and keeps to what it foresaw
// from a tenth of the distance of the hand-over on.
func TestHandoverCircleFindsTheTarget(t *testing.T) {
	s := scenario(0.1)
	o, err := newObserver("handover_circle", adversary.Settings{Steering: adversary.SteeringOf(s)})
	if err != nil {
		t.Fatal(err)
	}
	all := flights(t, 0.1)
	for i, h := range all {
		foreseen := make([]r3.Vec, len(h.Samples))
		o.Foresee(h, s.Target, foreseen)
		handover := -1
		for k := range h.Samples {
			if math.IsInf(foreseen[k].X, 0) {
				continue
			}
			if handover < 0 {
				handover = k
			}
		}
		if i == 0 {
			if handover >= 0 {
				t.Errorf("the direct flight, which has no hand-over, is foreseen from sample %d", handover)
			}
			continue
		}
		if handover < 0 || !(r3.Norm(h.Samples[handover].R) <= s.HandoverKm) ||
			r3.Norm(h.Samples[handover-1].R) < s.HandoverKm {
			t.Fatalf("flight %d: foreseen from sample %d", i, handover)
		}
		const soon, closeKm = 20, 0.7 // 2 s
		if off := r3.Norm(foreseen[handover+soon]); off > closeKm {
			t.Errorf("flight %d: %g km from the target 2 s after the hand-over", i, off)
		}
		kept := 0
		for k := handover + 1; k < len(h.Samples); k++ {
			same, away := foreseen[k] == foreseen[k-1], r3.Norm(r3.Sub(r3.Add(foreseen[k-1], s.Target), h.Samples[k].R))
			if near := away < 0.1*s.HandoverKm; same != near {
				t.Fatalf("flight %d, sample %d, %g km from what was foreseen: kept to is %t", i, k, away, same)
			}
			if same {
				kept++
			}
		}
		if kept == 0 {
			t.Errorf("flight %d: nothing is kept to", i)
		}
	}
}

// Without noise the filter follows the vehicle, so that it foresees the end; with noise the same flight is always
// measured alike, and otherwise with another seed.
func TestFilteredMeasures(t *testing.T) {
	h := flights(t, 0.1)[1]
	n := len(h.Samples)
	foresee := func(noiseKm float64, seed uint64) []r3.Vec {
		o, err := newObserver("filtered", adversary.Settings{LambdaPerS: 0.1, NoiseKm: noiseKm, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		foreseen := make([]r3.Vec, n)
		o.Foresee(h, r3.Vec{}, foreseen)
		o.Foresee(h, r3.Vec{}, foreseen)
		return foreseen
	}
	exact := adversary.NewBallisticObserver(0.1)
	want := make([]r3.Vec, n)
	exact.Foresee(h, r3.Vec{}, want)
	noiseless, noisy := foresee(0, 1), foresee(0.01, 1)
	squares := 0.0
	near := 0
	for i := range n {
		if r3.Norm(r3.Sub(noiseless[i], want[i])) < 1 {
			near++
		}
	}
	if share := float64(near) / float64(n); share < 0.8 { // turns to waypoints are sudden
		t.Errorf("without noise %.0f %% of what is foreseen is that of exact measurements", 100*share)
	}
	for i := n - 20; i < n; i++ {
		off := r3.Sub(noisy[i], want[i])
		squares += r3.Dot(off, off) / 60
	}
	if rms := math.Sqrt(squares); !(rms > 0.002 && rms < 0.06) {
		t.Errorf("near the end it is off by %g km a coordinate; its measurements are by 0.01", rms)
	}
	if again := foresee(0.01, 1); again[n/2] != noisy[n/2] {
		t.Error("the same flight is measured otherwise the second time")
	}
	if other := foresee(0.01, 2); other[n/2] == noisy[n/2] {
		t.Error("another seed gives the same errors")
	}
}

// A vehicle that dives straight down a slope of 45 degrees hits the ground as far ahead as it is high.
func ExampleModel_impactTime() {
	observer, err := newObserver("impact_time", adversary.Settings{LambdaPerS: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	flight := &sim.History{StepS: 1, Samples: []sim.Sample{
		{R: r3.Vec{Z: 5}, V: r3.Vec{X: 1}},
		{R: r3.Vec{X: 1, Z: 5}, V: r3.Vec{X: 1, Z: -1}},
	}}
	foreseen := make([]r3.Vec, 2)
	observer.Foresee(flight, r3.Vec{}, foreseen)
	fmt.Printf("level: east %.1f km; diving: east %.1f km\n", foreseen[0].X, foreseen[1].X)
	// Output: level: east +Inf km; diving: east 6.0 km
}

// Measurements without error of a vehicle that flies straight on: the filter has found its speed after a few.
func ExampleModel_filtered() {
	observer, err := newObserver("filtered", adversary.Settings{LambdaPerS: 0.1, NoiseKm: 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	flight := &sim.History{StepS: 1}
	for i := range 11 {
		flight.Samples = append(flight.Samples, sim.Sample{R: r3.Vec{X: float64(i)}})
	}
	foreseen := make([]r3.Vec, 11)
	observer.Foresee(flight, r3.Vec{}, foreseen)
	fmt.Printf("expects the end at %.1f km first, and at %.1f km after 5 s\n", foreseen[0].X, foreseen[5].X)
	// Output: expects the end at 0.0 km first, and at 10.0 km after 5 s
}

// Waypoints ended 5 km from a target that the observer must find.
func ExampleModel_handoverCircle() {
	s := &sim.Scenario{SpeedKmS: 1, AccelLimitKmS2: 1, Start: r3.Vec{X: -8, Z: 1}, Target: r3.Vec{Y: 2},
		HeadingRad: math.NaN(), HandoverKm: 5,
		WaypointGain: 3, WaypointMinTgoS: 1, GenexMinTgoS: 0.3, MaxTransitions: 100, StepS: 0.01, CaptureKm: 1, MaxTimeS: 100}
	var flight sim.History
	s.Fly(eastward{}, &flight)
	observer, err := newObserver("handover_circle", adversary.Settings{Steering: adversary.SteeringOf(s)})
	if err != nil {
		fmt.Println(err)
		return
	}
	foreseen := make([]r3.Vec, len(flight.Samples))
	observer.Foresee(&flight, r3.Vec{}, foreseen)
	for i, f := range foreseen {
		if !math.IsInf(f.X, 0) {
			soon := foreseen[i+100] // a second later
			fmt.Printf("target east %.1f km, north %.1f km, up %.1f km\n", math.Abs(soon.X), soon.Y, soon.Z)
			return
		}
	}
	// Output: target east 0.0 km, north 2.0 km, up 0.0 km
}

// eastward is a route of waypoints 1 km apart to the east.
type eastward struct{}

func (eastward) First() int            { return 0 }
func (eastward) Next(_, state int) int { return state + 1 }
func (eastward) Position(state int) r3.Vec {
	return r3.Vec{X: float64(state - 8), Z: 1}
}

// straight is a level flight at constant velocity that ends 4 km above the ground.
func straight() *sim.History {
	h := &sim.History{StepS: 0.5}
	v := r3.Vec{X: 1.5, Y: -0.25}
	for i := range 41 {
		h.Samples = append(h.Samples, sim.Sample{R: r3.Add(r3.Vec{X: -10, Y: 3, Z: 4}, r3.Scale(float64(i)*h.StepS, v)),
			V: v})
	}
	return h
}

// A straight flight is foreseen exactly from its first step; who puts its end on the ground is off by its
// altitude there, however the frame is laid.
func TestConstantVelocityForeseesAStraightFlight(t *testing.T) {
	h := straight()
	end := h.Samples[len(h.Samples)-1].R
	origin := r3.Vec{X: 7, Y: -8, Z: 1.5}
	foreseen := make([]r3.Vec, len(h.Samples))
	for name, heightKm := range map[string]float64{"constant_velocity": 0, "constant_velocity_ground": 4} {
		o, err := newObserver(name, adversary.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		want := r3.Sub(end, origin)
		want.Z -= heightKm
		o.Foresee(h, origin, foreseen)
		for i, f := range foreseen {
			if !(r3.Norm(r3.Sub(f, want)) <= distanceTolerance) {
				t.Fatalf("%s, sample %d: foresees %v, want %v", name, i, f, want)
			}
		}
		var errors adversary.PredictionErrors
		errors.Fill(o, h, end)
		if first := errors.ErrorKm[0]; !(math.Abs(first-heightKm) <= distanceTolerance) {
			t.Errorf("%s: off by %g km at the start", name, first)
		}
	}
}
