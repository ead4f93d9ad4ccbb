package model

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/adversary"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// know works out what the observers of the goal believe.
func know(t testing.TB, m *Model) {
	t.Helper()
	m.SetInference(true)
	for range 3 + len(adversary.GoalModels()) { // the world, the policies, then an observer a step
		m.Work()
		m.Advance(0)
	}
	if m.Inference.Problem != "" || len(m.Inference.Views) == 0 {
		t.Fatalf("no inference: %q", m.Inference.Problem)
	}
}

// viewOf is what an observer of the goal believes.
func viewOf(m *Model, name string) *View {
	return &m.Inference.Views[slices.IndexFunc(m.Inference.Views, func(v View) bool { return v.Name == name })]
}

// Beliefs are probabilities, begin with the prior less what the start tells, and leave the goal possible; who knows
// more is surer of nothing false.
func TestInferenceIsAPosterior(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(1)
	know(t, m)
	f := m.Flight()
	if len(m.Inference.States) != 329 || math.Abs(m.Inference.Bits-math.Log2(329)) > 1e-12 {
		t.Fatalf("%d goals, %v bits", len(m.Inference.States), m.Inference.Bits)
	}
	for _, v := range m.Inference.Views {
		if !v.Ready || v.Beliefs[0].Sample != 0 {
			t.Fatalf("%s is not ready, or begins late", v.Name)
		}
		for _, b := range v.Beliefs {
			sum := 0.0
			for _, p := range b.Posterior {
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 || !(b.Posterior[m.Inference.Own] > 0) ||
				math.Abs(b.Bits+math.Log2(b.Posterior[m.Inference.Own])) > 1e-9 {
				t.Fatalf("%s at sample %d: sum %v, goal %v, %v bits", v.Name, b.Sample, sum, b.Posterior[m.Inference.Own], b.Bits)
			}
		}
		if b := v.At(f.HandoverSample); v.Name == "moves" && b.Bits > 3 {
			t.Errorf("moves leave %v bits at the hand-over", b.Bits)
		}
	}
}

// The bits that a flight to the mission's goal leaves after 50 km are, on average, those of the study of leakage.
func TestInferenceIsTheStudyOfLeakage(t *testing.T) {
	const flights, km = 6, 50
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(1)
	know(t, m)
	last := int(km / (m.Config.Vehicle.SpeedKmS * m.Config.Sim.StepS) * (1 + 1e-12))
	sum := 0.0
	for run := range flights {
		m.Select(run)
		for range 4 {
			m.Advance(0)
			m.Work()
		}
		sum += viewOf(m, "moves").At(last).Bits
	}
	setting, err := setup.Leak(m.Config)
	if err != nil {
		t.Fatal(err)
	}
	nothing := func(int) {}
	world, err := leak.NewWorld(context.Background(), setting, m.Inference.States, nil, 1, nothing)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := adversary.FindGoalModel("moves")
	if err != nil {
		t.Fatal(err)
	}
	s := leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: world}), Observers: []adversary.GoalModel{moves},
		Flights: flights, OwnGoal: true, FlownKm: []float64{km}, Seed: m.Config.Study.Seed, Workers: 1}
	result, err := s.Fly(context.Background(), nothing)
	if err != nil {
		t.Fatal(err)
	}
	if want := result.Rows()[0].BitsLeft; math.Abs(sum/flights-want) > 1e-9 {
		t.Errorf("%v bits are left on screen, %v in the study", sum/flights, want)
	}
}

// Where no waypoint is commanded there is nothing to learn, and the inference says so.
func TestInferenceOfTheDirectFlight(t *testing.T) {
	m := newModelOf(t, 0, 1)
	know(t, m)
	observers := len(m.Inference.Views)
	m.SetShown(ShowDirect)
	m.Advance(0)
	if m.Inference.Problem == "" || len(m.Inference.Views) > 0 {
		t.Error("the direct flight has an inference")
	}
	m.SetShown(ShowPrivate)
	m.Advance(0)
	if m.Inference.Problem != "" || observers == 0 || len(m.Inference.Views) != observers {
		t.Errorf("back at the private flight: %q, %d observers of %d", m.Inference.Problem, len(m.Inference.Views), observers)
	}
}

func BenchmarkInferenceOfAFlight(b *testing.B) {
	m := newModel(b, 0)
	know(b, m)
	for b.Loop() {
		m.Inference.flight = nil
		for range 4 {
			m.infer()
			m.Work()
		}
	}
}
