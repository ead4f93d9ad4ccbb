package privacy

import (
	"fmt"
	"math"
	"testing"
)

func gridworldDesign(t *testing.T, epsilon float64) Design {
	return Design{
		Shape:     shape(t, 256, []int{5, 5}),
		Rewards:   [][]float64{gridworld(5), gridworld(5)},
		Guarantee: Guarantee{Epsilon: epsilon, Delta: 0.1, Adjacency: 1, Calibration: Classical},
		Goals:     1,
		Solver:    Convergence{Gamma: 0.99, Eta: 1e-8},
	}
}

// Every figure of the assessment against numbers computed independently for the
// paper's gridworld example at epsilon 1.
func TestAssess(t *testing.T) {
	a, err := gridworldDesign(t, 1).Assess()
	if err != nil {
		t.Fatal(err)
	}
	const sigma = 1.59503
	for _, c := range []struct {
		name                 string
		got, want, tolerance float64
	}{
		{"sigma", a.Sigma, sigma, 1e-4}, {"output L1", a.OutputSigmaL1, sigma * 5 / 2, 1e-3},
		{"output L2", a.OutputSigmaL2, sigma * math.Sqrt(5) / 2, 1e-3},
		{"entry error", a.EntryError, sigma * 0.56419, 1e-3}, {"bound", a.MaxErrorBound, sigma * 34.66, 1e-2},
		{"log bound", a.MaxErrorLogBound, sigma * 3.075, 1e-2}, {"independent", a.MaxErrorIndependent, sigma * 2.766, 1e-2},
		{"survival", a.Survival[0], 0.6663, 1e-4}, {"survival bound", a.SurvivalBound[1], 0.9961, 1e-4},
		{"team survival", a.TeamSurvival, 0.444, 1e-3}, {"team bound", a.TeamSurvivalBound, 0.9922, 1e-3},
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("%s is %.6g, want %.6g", c.name, c.got, c.want)
		}
	}
	if a.ExtraSweeps.Sweeps > a.ExtraSweepsBoundProof || a.ExtraSweeps.Sweeps <= 0 ||
		a.ExtraSweepsBoundStatement > a.ExtraSweepsBoundProof {
		t.Errorf("extra sweeps %+v, stated %g, proof %g", a.ExtraSweeps, a.ExtraSweepsBoundStatement, a.ExtraSweepsBoundProof)
	}
	if want := 3048; a.Sweeps != want { // log(20/(1e-8 1e-4))/log(1/0.99), rmax 5
		t.Errorf("%d sweeps, want %d", a.Sweeps, want)
	}
}

// Assessing at the answer of an inverse question meets what was requested.
func TestDesignInverses(t *testing.T) {
	for _, c := range []Calibration{Classical, Analytic} {
		d := gridworldDesign(t, 1)
		d.Guarantee.Calibration = c
		d.Avoids = 0
		epsilon, err := d.EpsilonForMaxError(2)
		if err != nil {
			t.Fatal(err)
		}
		survival, err := d.EpsilonForSurvival(0.8)
		if err != nil {
			t.Fatal(err)
		}
		for _, question := range []struct {
			epsilon, want float64
			of            func(Assessment) float64
		}{
			{epsilon.Bound, 2, func(a Assessment) float64 { return a.MaxErrorBound }},
			{epsilon.LogBound, 2, func(a Assessment) float64 { return a.MaxErrorLogBound }},
			{epsilon.Independent, 2, func(a Assessment) float64 { return a.MaxErrorIndependent }},
			{survival, 0.8, func(a Assessment) float64 { return a.TeamSurvival }},
		} {
			d.Guarantee.Epsilon = question.epsilon
			a, err := d.Assess()
			if err != nil || relative(question.of(a), question.want) > 1e-10 {
				t.Errorf("%s epsilon %g: %.12g, %v; want %g", c, question.epsilon, question.of(a), err, question.want)
			}
		}
	}
}

func TestCompareCalibrations(t *testing.T) {
	c, err := CompareCalibrations(1, 0.01, 2)
	if err != nil || !(math.Abs(c.SigmaClassical-2*2.5244) <= 1e-3) || !(math.Abs(c.SigmaAnalytic-2*1.878) <= 1e-3) ||
		!(math.Abs(c.AttainedEpsilon-0.673) <= 1e-3) {
		t.Errorf("%+v, %v", c, err)
	}
	_, err = CompareCalibrations(1, 0.7, 2)
	checkOneLine(t, err, "delta")
}

func ExampleDesign() {
	reward := make([]float64, 4*3) // 4 states, 3 actions
	reward[7] = 10
	shape, _ := NewShape(4, []int{3})
	design := Design{
		Shape: shape, Rewards: [][]float64{reward}, Goals: 1,
		Guarantee: Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 1, Calibration: Analytic},
		Solver:    Convergence{Gamma: 0.95, Eta: 1e-6},
	}
	a, _ := design.Assess()
	epsilon, _ := design.EpsilonForSurvival(0.99)
	fmt.Printf("sigma %.3f, largest error %.2f, goal kept %.4f, extra sweeps %.1f\n",
		a.Sigma, a.MaxErrorIndependent, a.TeamSurvival, a.ExtraSweeps.Sweeps)
	fmt.Printf("epsilon %.3f keeps the goal with 99 %%\n", epsilon)
	// Output:
	// sigma 1.878, largest error 3.68, goal kept 0.9992, extra sweeps -0.8
	// epsilon 0.757 keeps the goal with 99 %
}
