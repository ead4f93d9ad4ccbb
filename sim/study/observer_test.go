package study_test

import (
	"math"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// What every observer of the registry makes of the paper's direct flight and of private ones agrees with
// another implementation, which flew 400 runs of other noise.
func TestObserversAgreeWithAnotherImplementation(t *testing.T) {
	const runs = 200
	const directToleranceKm, meanToleranceKm = 0.1, 4.3 // two standard errors of a difference
	// which are slow, and known as well as the most scattered
	fewer := map[string]int{"impact_time": 100, "handover_circle": 50}
	want := map[string]struct {
		direct float64
		means  [3]float64
	}{
		"ballistic":                {101.55, [3]float64{44.7, 55.1, 58.8}},
		"constant_velocity":        {84.7, [3]float64{41.3, 42.0, 42.1}},
		"constant_velocity_ground": {206.06, [3]float64{61.3, 82.1, 98.9}},
		"impact_time":              {51.4, [3]float64{37.5, 48.6, 52.4}}, // of 40 flights
		// of 120 flights, with a filter and errors of its own
		"filtered":        {51.4, [3]float64{34.8, 42.7, 46.6}},
		"handover_circle": {0, [3]float64{77.2, 79.3, 79.4}}, // the direct flight has no hand-over
	}
	var builder setup.Builder // so that plans and flights are shared
	for _, m := range adversary.Models() {
		name := m.Name
		if m.Goal { // see TestObserversOfTheGoalAgreeWithAnotherImplementation
			continue
		}
		w, known := want[name]
		if !known {
			t.Errorf("no expected numbers for observer %s", name)
			continue
		}
		c := configs.Default()
		c.Adversary.Observer = name
		e, err := builder.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		direct := directToleranceKm
		if name == "filtered" {
			direct = meanToleranceKm // one draw of errors each
		}
		if math.Abs(e.Baselines.Direct.DetectionKm-w.direct) > direct {
			t.Errorf("%s recognises the direct flight at %.2f km, want %.2f", name, e.Baselines.Direct.DetectionKm, w.direct)
		}
		s := setup.Study(c, e)
		s.Epsilons, s.Runs, s.Seed, s.Axis = []float64{0.2, 1, 4}, runs, 3, study.Range{}
		if few, slow := fewer[name]; slow {
			s.Runs = few
		}
		for i, summary := range summarise(t, s) {
			if math.Abs(summary.MeanKm-w.means[i]) > meanToleranceKm {
				t.Errorf("%s at epsilon %g: mean %.2f km, want %.1f", name, summary.Epsilon, summary.MeanKm, w.means[i])
			}
		}
	}
}

// Where an observer of the goal recognises the paper's goal, with half of its belief to the end, agrees with another
// implementation, which flew 300 runs of other noise; its standard errors are given.
func TestObserversOfTheGoalAgreeWithAnotherImplementation(t *testing.T) {
	type estimate struct{ mean, standardError float64 }
	want := map[float64]estimate{0.7: {79.917, .003}, 12.5: {82.8, .5}, 25: {104.9, .8}} // at epsilon 1
	c := configs.Default()
	c.Adversary.Observer, c.Adversary.Rule, c.Adversary.RadiusKm, c.Study.Seed = "mechanism", configs.MustStay, 0.7, 12
	c.Adversary.Policies = 40 // the mean moves by less than its standard error from 100
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := study.Survey{Study: setup.Study(c, e), RadiiKm: []float64{0.7, 12.5, 25}}
	s.Epsilons, s.Runs, s.Axis = []float64{1}, 75, study.Range{}
	sums, squares := make([]float64, 3), make([]float64, 3)
	err = s.Do(t.Context(), func(sightings []study.Sighting) error {
		for i := range sightings {
			for k, d := range sightings[i].ByRadius {
				sums[k] += d.DistanceKm
				squares[k] += d.DistanceKm * d.DistanceKm
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for k, radius := range s.RadiiKm {
		n := float64(s.Runs)
		mean := sums[k] / n
		standardError := math.Sqrt((squares[k]/n - mean*mean) / (n - 1))
		t.Logf("within %g km: %.2f (%.2f) km, the other %.2f (%.2f)", radius, mean, standardError, want[radius].mean,
			want[radius].standardError)
		if !(math.Abs(mean-want[radius].mean) < 3*math.Hypot(standardError, want[radius].standardError)+0.05) {
			t.Errorf("within %g km: recognised at %.2f (%.2f) km, want %.2f (%.2f)", radius, mean, standardError,
				want[radius].mean, want[radius].standardError)
		}
	}
}

// Observers of the goal pause while they watch.
func TestObserversPause(t *testing.T) {
	c := configs.Default()
	c.Adversary.Observer = "moves"
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	sigma, err := e.Sigma(1)
	if err != nil {
		t.Fatal(err)
	}
	pauses := 0
	o := study.FlightOptions{Pause: func() { pauses++ }}
	transitions := 0
	err = f.FlyEach([]study.Draw{{Epsilon: 1}}, []float64{sigma}, o, func(flight study.Flight) bool {
		transitions = flight.Transitions
		return true
	})
	if err != nil || pauses < transitions {
		t.Errorf("%d pauses while %d waypoints were watched, %v", pauses, transitions, err)
	}
}
