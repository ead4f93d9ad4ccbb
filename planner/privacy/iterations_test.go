package privacy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

// figure6 is the setting of the paper's figures of Theorem 6. Their caption says
// gamma = 0.99; their numbers are those of 0.9.
var figure6 = Convergence{Gamma: 0.9, Eta: 1e-8}

const figure6Agents, figure6Entries, figure6Delta = 2, 256, 0.1

// oneGoal is the figures' joint reward: one entry rmax, the others -rmax.
func oneGoal(entries int, rmax float64) []float64 {
	r := slices.Repeat([]float64{-rmax}, entries)
	r[0] = rmax
	return r
}

func TestTheorem6Figures(t *testing.T) {
	for name, rmax := range map[string]float64{"fig_thm6a_extra_iterations_rmax1.csv": 1,
		"fig_thm6b_extra_iterations_rmax10.csv": 10} {
		var difference Sample
		for _, row := range readTable(t, published+name) {
			sigma, err1 := Classical.Sigma(row[0], figure6Delta, 1)
			bound, err2 := figure6.ExtraSweepsBound(Plotted, figure6Agents, figure6Entries, sigma, rmax)
			truth, err3 := figure6.ExtraSweepsIndependent(oneGoal(figure6Entries, rmax), figure6Agents, sigma)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if relative(figure6Entries*bound, row[1]) > publishedTolerance {
				t.Errorf("%s epsilon %g: bound %.15g, published %.15g", name, row[0], figure6Entries*bound, row[1])
			}
			// The published truth contains the proof's slack of one sweep.
			difference.Add(row[2] - figure6Entries*(truth.WithoutCeilings+1))
		}
		if e := difference.Mean(); !(math.Abs(e.Mean) <= 3*e.StandardError) {
			t.Errorf("%s: published truth differs by %.2f +- %.2f computations on average", name, e.Mean, e.StandardError)
		}
	}
}

// The stated form is false for small nm; the proof's form is not (N = 1,
// sigma = 10 rmax, gamma = 0.99). The means were simulated independently
// (standard error at most 0.2) and the bounds computed to the unit.
func TestTheorem6StatementIsFalseForSmallTables(t *testing.T) {
	v := Convergence{Gamma: 0.99, Eta: 1e-8}
	for _, c := range []struct {
		entries              int
		truth, stated, proof float64
		statementHolds       bool
	}{
		{1, 166.1, 1, 219, false}, {2, 224.2, 195, 270, false}, {4, 259.1, 243, 296, false},
		{8, 282.4, 282, 321, false}, {16, 299.3, 318, 347, true}, {256, 339.4, 456, 464, true},
	} {
		got, err1 := v.ExtraSweepsIndependent(oneGoal(c.entries, 1), 1, 10)
		stated, err2 := v.ExtraSweepsBound(Statement, 1, c.entries, 10, 1)
		proof, err3 := v.ExtraSweepsBound(Proof, 1, c.entries, 10, 1)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(got.Sweeps-c.truth) <= 3*0.2) || stated != c.stated || proof != c.proof {
			t.Errorf("nm=%d: %.2f extra sweeps, stated %g, proof %g; want %g, %g, %g", c.entries, got.Sweeps, stated, proof,
				c.truth, c.stated, c.proof)
		}
		if holds := got.Sweeps <= stated; holds != c.statementHolds {
			t.Errorf("nm=%d: statement holds is %t, want %t (%.3f against %g)", c.entries, holds, c.statementHolds, got.Sweeps,
				stated)
		}
		if got.Sweeps > proof {
			t.Errorf("nm=%d: %.3f extra sweeps exceed the proof's bound %g", c.entries, got.Sweeps, proof)
		}
	}
}

// E log|r + sigma z| has closed forms: for r = 0, -(gamma_E + ln 2)/2 + log
// sigma; for the largest of two, reference values of 25 digits.
func TestMeanLogOfTheMaximum(t *testing.T) {
	const eulerGamma = 0.57721566490153286061
	for _, c := range []struct {
		reward []float64
		sigma  float64
		want   float64
	}{
		{[]float64{0}, 1, -(eulerGamma + math.Ln2) / 2},
		{[]float64{0}, 1e6, -(eulerGamma+math.Ln2)/2 + 6*math.Ln10},
		{[]float64{1}, 1, -0.208495818434694279},
		{[]float64{1}, 10, 1.67239534802919019},
		{[]float64{1, -3}, 0.5, 1.08433557745987443},
		{[]float64{2, -2}, 30, 3.35135729802693049},
		{[]float64{1}, 0.001, -5.00000750002500034e-7},
		{[]float64{5, -1, -1}, 0.01, 1.60943591242210021},
	} {
		got := foldedMaximum{newFoldedGroup(c.reward, c.sigma)}.meanLog(1)
		if !(math.Abs(got-c.want) <= 1e-12*math.Max(1, math.Abs(c.want))) {
			t.Errorf("%v sigma %g: %.16g, want %.16g", c.reward, c.sigma, got, c.want)
		}
	}
}

// Rounding up moves a difference of sweeps by at most one, plus the rounding of
// counts that reach 1e18 as the discount nears 1.
func TestExtraSweepsAtExtremes(t *testing.T) {
	for _, gamma := range []float64{1e-300, 0.5, 1 - 1e-9, 1 - 0x1p-53} {
		v := Convergence{Gamma: gamma, Eta: 1e-6}
		for _, sigma := range []float64{1e-12, 1e-3, 1, 1e12} {
			g, err := v.ExtraSweepsIndependent([]float64{1, -1, 0}, 2, sigma)
			if err != nil || math.IsNaN(g.Sweeps) || !(math.Abs(g.Sweeps-g.WithoutCeilings) <= 1+1e-15*v.sweeps(1e12)) {
				t.Errorf("gamma %g sigma %g: %+v, %v", gamma, sigma, g, err)
			}
		}
	}
}

// The sum over sweeps against its limit of fine sweeps, at the changeover: the
// branches must agree.
func TestMeanStepsBranchesAgree(t *testing.T) {
	m := foldedMaximum{newFoldedGroup([]float64{1, -1, 0.5}, 2)}
	v := Convergence{Gamma: math.Exp(-m.finest() / m.end() / fineSteps * 1.0000001), Eta: 1e-6}
	finer := Convergence{Gamma: math.Exp(-m.finest() / m.end() / fineSteps / 1.0000001), Eta: 1e-6}
	summed := m.meanSteps(v) * -math.Log(v.Gamma)
	limit := m.meanSteps(finer) * -math.Log(finer.Gamma)
	// eta's term is the same in both except for (1-gamma)^2 and the half step.
	term := func(v Convergence) float64 {
		return math.Log(4/v.Eta) - 2*math.Log1p(-v.Gamma) + 0.5*-math.Log(v.Gamma)
	}
	if !(math.Abs((summed-term(v))-(limit-term(finer))) <= 1e-9) {
		t.Errorf("summed %.15g, limit %.15g", summed-term(v), limit-term(finer))
	}
}

// With independent entries (one state-action per joint entry and one agent) the
// quadrature is the truth; with several agents it lies above it.
func TestSimulatedExtraSweeps(t *testing.T) {
	v := Convergence{Gamma: 0.95, Eta: 1e-6}
	var n Noise
	one := shape(t, 4, []int{3})
	reward := []float64{1, -2, 0, 0.5, 1, 1, -1, -1, 2, 0, 0, 3}
	for _, ceilings := range []bool{true, false} {
		n.Seek(Address{Seed: 4})
		e, err1 := one.SimulatedExtraSweeps(context.Background(), []Convergence{figure6, v}, [][]float64{reward}, 1.5,
			ceilings, 20000, &n)
		g, err2 := v.ExtraSweepsIndependent(reward, 1, 1.5)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		want := g.WithoutCeilings
		if ceilings {
			want = g.Sweeps
		}
		if !(math.Abs(e[1].Mean-want) <= zLimit*e[1].StandardError) {
			t.Errorf("ceilings %t: simulated %.3f +- %.3f, exact %.3f", ceilings, e[1].Mean, e[1].StandardError, want)
		}
	}
}

func TestSweeps(t *testing.T) {
	for _, c := range []struct {
		v    Convergence
		rmax float64
		want int
	}{
		{Convergence{0.9, 1e-8}, 1, 232}, {Convergence{0.9, 1e-8}, 10, 254},
		{Convergence{0.99, 1e-8}, 1, 2888}, {Convergence{0.99, 0.00414}, 5, 1761},
		{Convergence{0.5, 4}, 1, 2}, {Convergence{0.5, 100}, 1, 0},
	} {
		if got, err := c.v.Sweeps(c.rmax); got != c.want || err != nil {
			t.Errorf("%+v rmax %g: %d sweeps, %v; want %d", c.v, c.rmax, got, err, c.want)
		}
		if k := 17.0; !(math.Abs(c.v.sweeps(c.v.largestFor(k))-k) <= 1e-9) {
			t.Errorf("%+v: sweeps(largestFor(17)) = %g", c.v, c.v.sweeps(c.v.largestFor(k)))
		}
	}
	// 59,392 = 256 x 232 is the base of the figure's percent axis.
	if got, err := (Convergence{0.9, 1e-8}).Sweeps(1); 256*got != 59_392 || err != nil {
		t.Errorf("%d sweeps, %v", got, err)
	}
}

func ExampleConvergence_ExtraSweepsBound() {
	v := Convergence{Gamma: 0.99, Eta: 1e-8}
	stated, _ := v.ExtraSweepsBound(Statement, 1, 4, 10, 1)
	proof, _ := v.ExtraSweepsBound(Proof, 1, 4, 10, 1)
	truth, _ := v.ExtraSweepsIndependent([]float64{1, -1, -1, -1}, 1, 10)
	fmt.Printf("stated %g, proved %g, true %.1f\n", stated, proof, truth.Sweeps)
	// Output: stated 243, proved 296, true 259.1
}
