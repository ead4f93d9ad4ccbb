package model

import (
	"context"
	"math"
	"testing"

	"veilpath/adversary"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

// know works out what an observer of the goal believes.
func know(t testing.TB, m *Model, observer string) {
	t.Helper()
	o, err := adversary.FindGoalModel(observer)
	if err != nil {
		t.Fatal(err)
	}
	m.SetInference(&o)
	for range 5 { // the world, the policies, then the beliefs
		m.Work()
		m.Advance(0)
	}
	if m.Inference.Problem != "" || len(m.Inference.Beliefs) == 0 {
		t.Fatalf("no inference of %s: %q", observer, m.Inference.Problem)
	}
}

// Beliefs are probabilities, begin with the prior less what the start tells, and leave the goal possible; who knows
// more is surer of nothing false.
func TestInferenceIsAPosterior(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(1)
	for _, observer := range adversary.GoalNames() {
		know(t, m, observer)
		n := &m.Inference
		if len(n.States) != 329 || math.Abs(n.Bits-math.Log2(329)) > 1e-12 || n.Beliefs[0].Sample != 0 {
			t.Fatalf("%s: %d goals, %v bits, begins at %d", observer, len(n.States), n.Bits, n.Beliefs[0].Sample)
		}
		for _, b := range n.Beliefs {
			sum := 0.0
			for _, p := range b.Posterior {
				sum += p
			}
			if math.Abs(sum-1) > 1e-9 || !(b.Posterior[n.Own] > 0) || math.Abs(b.Bits+math.Log2(b.Posterior[n.Own])) > 1e-9 {
				t.Fatalf("%s at sample %d: sum %v, goal %v, %v bits", observer, b.Sample, sum, b.Posterior[n.Own], b.Bits)
			}
		}
		if b := n.At(m.Flight().HandoverSample); observer == "moves" && b.Bits > 3 {
			t.Errorf("moves leave %v bits at the hand-over", b.Bits)
		}
	}
}

// The bits that a flight to the mission's goal leaves after 50 km are, on average, those of the study of leakage.
func TestInferenceIsTheStudyOfLeakage(t *testing.T) {
	const flights, km = 6, 50
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(1)
	know(t, m, "moves")
	last := int(km / (m.Config.Vehicle.SpeedKmS * m.Config.Sim.StepS) * (1 + 1e-12))
	sum := 0.0
	for run := range flights {
		m.Select(run)
		for range 4 {
			m.Advance(0)
			m.Work()
		}
		sum += m.Inference.At(last).Bits
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
	know(t, m, "moves")
	m.SetShown(ShowDirect)
	m.Advance(0)
	if m.Inference.Problem == "" || m.Inference.Beliefs != nil {
		t.Error("the direct flight has an inference")
	}
	m.SetShown(ShowPrivate)
	m.Advance(0)
	m.Work()
	m.Advance(0)
	if m.Inference.Problem != "" || len(m.Inference.Beliefs) == 0 {
		t.Errorf("back at the private flight: %q, %d beliefs", m.Inference.Problem, len(m.Inference.Beliefs))
	}
}

func BenchmarkInferenceOfAFlight(b *testing.B) {
	m := newModel(b, 0)
	know(b, m, "moves")
	for b.Loop() {
		m.Inference.watched = watched{}
		for range 4 {
			m.infer()
			m.Work()
		}
	}
}
