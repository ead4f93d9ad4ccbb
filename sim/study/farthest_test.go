package study_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/sim"
	"veilpath/sim/setup"
	"veilpath/sim/study"
)

// No flight is recognised beyond the bound, whatever the epsilon, the fall-backs among them.
func TestNoDetectionIsBeyondTheBound(t *testing.T) {
	runs := 100
	if testing.Short() {
		runs = 30
	}
	for name, set := range map[string]func(*configs.Config){
		"preset":            func(*configs.Config) {},
		"constant velocity": func(c *configs.Config) { c.Adversary.Observer = "constant_velocity" },
		"on the ground":     func(c *configs.Config) { c.Adversary.Observer = "constant_velocity_ground" },
		"wide radius":       func(c *configs.Config) { c.Adversary.RadiusKm = 12 },
		"slow decay":        func(c *configs.Config) { c.Adversary.LambdaPerS, c.Adversary.RadiusKm = 0.02, 3 },
		"soon fallen back":  func(c *configs.Config) { c.Planner.MaxTransitions = 4 },
		"fast":              func(c *configs.Config) { c.Vehicle.SpeedKmS, c.Guidance.GenexN = 2.5, 1 },
	} {
		c := configs.Default()
		set(&c)
		e, err := setup.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		s := setup.Study(c, e)
		s.Epsilons, s.Runs = []float64{0.02, 0.1, 0.5, 4}, runs
		bound, farthest, fallbacks := e.FarthestDetectionKm(), 0.0, 0
		sweep := study.Sweep{Points: []study.Study{s}}
		err = sweep.Fulfil(context.Background(), sweep.NewSlots(0, sweep.Slots()), func(_ study.Batch, records []study.Run) error {
			for _, r := range records {
				farthest = max(farthest, r.DetectionKm)
				if r.Fallback {
					fallbacks++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f km of at most %.1f km, %d fall-backs", name, farthest, bound, fallbacks)
		if farthest > bound || fallbacks == 0 || bound > e.FarthestKm() {
			t.Errorf("%s: a flight is recognised at %g km, beyond %g km; %d fall-backs", name, farthest, bound, fallbacks)
		}
	}
}

// Flights that GENEX steers from where the bound does not look are recognised no farther away; those at the edge come
// near. The flights are not those of the study's own code.
func TestTheBoundIsThatOfFlightsBetween(t *testing.T) {
	c := configs.Default()
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	bound, far := e.FarthestDetectionKm(), e.FarthestKm()
	if bound < 105 || bound > 125 {
		t.Errorf("the bound of the preset is %g km, want some 120 km", bound)
	}
	observer := adversary.NewBallisticObserver(c.Adversary.LambdaPerS)
	var h sim.History
	var errors adversary.PredictionErrors
	var curve adversary.Curve
	farthest := 0.0
	for distance := 40.; distance <= far; distance += 11 {
		for degrees := 0.; degrees <= 180; degrees += 1 + degrees/20 {
			s := e.Scenario
			s.Start, s.HeadingRad = r3.Vec{Y: math.Sqrt(distance*distance - 100), Z: 10}, (degrees-90)*math.Pi/180
			s.Fly(nil, &h)
			errors.Fill(observer, &h, s.Target)
			curve.Fill(&errors, c.Adversary.ConsecutiveSteps, 0)
			farthest = max(farthest, curve.Detect(c.Adversary.RadiusKm).DistanceKm)
		}
	}
	if farthest > bound/1.03 || farthest < 0.9*bound {
		t.Errorf("the farthest detection is at %g km, and the bound is %g km; want a margin of some 5 %%", farthest, bound)
	}
}
