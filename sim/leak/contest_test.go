package leak_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
	"veilpath/sim/setup"
)

// cellsWorld is the paper's with a goal for every cell; those nearer to the start than the hand-over are impossible.
func cellsWorld(t *testing.T) *leak.World {
	t.Helper()
	setting, err := setup.Leak(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	possible, err := setting.Cells(setting.Scenario.HandoverKm)
	if err != nil {
		t.Fatal(err)
	}
	states, weights := make([]int, 400), make([]float64, 400)
	for i := range states {
		states[i] = i
	}
	for _, state := range possible {
		weights[state] = 1
	}
	w, err := leak.NewWorld(context.Background(), setting, states, weights, 2, ignore)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func contest(t *testing.T, c leak.Contest) []leak.Outcome {
	t.Helper()
	outcomes, err := c.Fly(context.Background(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// Noise on the reward tells as much in a contest as in a study of the same flights, which counts otherwise.
func TestAContestAgreesWithAStudy(t *testing.T) {
	const flights, policies, seed = 6, 2, 3
	w := cellsWorld(t)
	sigma, err := w.Guarantee.At(1).Sigma()
	if err != nil {
		t.Fatal(err)
	}
	got := contest(t, leak.Contest{World: w, Hidings: []leak.Hiding{{Mechanism: "reward", Epsilon: 1, Sigma: sigma}},
		Flights: flights, FlownKm: 50, Policies: policies, Seed: seed, Workers: 2})[0]
	known, err := adversary.FindGoalModel("mechanism")
	if err != nil {
		t.Fatal(err)
	}
	want := fly(t, leak.Study{World: w, Observers: []adversary.GoalModel{known}, Epsilons: []float64{1}, Flights: flights, FlownKm: []float64{50}, Policies: policies, Seed: seed}).Rows()[0]
	const rounding = 1e-9
	if math.Abs(w.PriorBits()-got.Learned.Mean-want.BitsLeft) > rounding || math.Abs(got.Learned.StandardError-want.StandardError) > rounding {
		t.Errorf("learned %+v of %v bits, want %v left", got.Learned, w.PriorBits(), want.BitsLeft)
	}
}

// A goal drawn from itself alone hides nothing and costs nothing; one drawn from far off costs and hides more. The numbers do
// not depend on the workers.
func TestDrawnGoalsHideTheMoreTheFartherTheyAreDrawn(t *testing.T) {
	w := cellsWorld(t)
	lattice := privacy.Lattice{Columns: 20, Rows: 20}
	var hidings []leak.Hiding
	for _, epsilon := range []float64{200, 1, 0.2} {
		m, err := privacy.NewGeoIndistinguishable(lattice, epsilon)
		if err != nil {
			t.Fatal(err)
		}
		hidings = append(hidings, leak.Hiding{Mechanism: m.Name(), Epsilon: epsilon, Goal: m})
	}
	c := leak.Contest{World: w, Hidings: hidings, Flights: 60, FlownKm: 50, Policies: 1, Seed: 4, Workers: 1}
	one := contest(t, c)
	c.Workers = 3
	if three := contest(t, c); !reflect.DeepEqual(one, three) {
		t.Errorf("three workers come to %+v, one to %+v", three, one)
	}
	const rounding = 1e-9
	if one[0].Cost.Mean > rounding || one[0].Fallback != 0 {
		t.Errorf("the goal itself costs %+v", one[0])
	}
	for i := 1; i < len(one); i++ {
		if !(one[i].Learned.Mean < one[i-1].Learned.Mean && one[i].Cost.Mean > one[i-1].Cost.Mean && one[i].Detour.Mean > one[i-1].Detour.Mean) {
			t.Errorf("epsilon %g comes to %+v, epsilon %g to %+v", one[i].Epsilon, one[i], one[i-1].Epsilon, one[i-1])
		}
	}
}

func TestContestsThatCannotBeFlownAreRefused(t *testing.T) {
	m, err := privacy.NewGeoIndistinguishable(privacy.Lattice{Columns: 20, Rows: 20}, 1)
	if err != nil {
		t.Fatal(err)
	}
	hidings := []leak.Hiding{{Mechanism: "goal", Epsilon: 1, Goal: m}}
	for name, c := range map[string]leak.Contest{
		"no hiding":        {World: cellsWorld(t), Flights: 2, Policies: 1},
		"one flight":       {World: cellsWorld(t), Hidings: hidings, Flights: 1, Policies: 1},
		"some cells alone": {World: world(t, 200, nil), Hidings: hidings, Flights: 2, Policies: 1},
	} {
		if _, err := c.Fly(context.Background(), ignore); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
