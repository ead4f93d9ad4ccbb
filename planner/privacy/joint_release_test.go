package privacy

import (
	"math"
	"math/big"
	"testing"
)

// exactDelta is the delta of discrete Gaussians of the given sigmas whose means move by so many steps each, from the
// probabilities of every pair of noises.
func exactDelta(epsilon float64, sigmas [2]float64, steps [2]int) float64 {
	pmf := func(sigma float64) map[int]float64 {
		p, sum := map[int]float64{}, 0.0
		reach := int(12 * sigma)
		for y := -reach; y <= reach; y++ {
			p[y] = math.Exp(-float64(y*y) / (2 * sigma * sigma))
			sum += p[y]
		}
		for y := range p {
			p[y] /= sum
		}
		return p
	}
	loss := func(y int, i int) float64 {
		return float64(2*y*steps[i]+steps[i]*steps[i]) / (2 * sigmas[i] * sigmas[i])
	}
	delta, first, second := 0.0, pmf(sigmas[0]), pmf(sigmas[1])
	for y, p := range first {
		for z, q := range second {
			if gain := loss(y, 0) + loss(z, 1) - epsilon; gain > 0 {
				delta += p * q * -math.Expm1(-gain)
			}
		}
	}
	return delta
}

// The bounds of joint tables and of releases after one another hold, and are tight where the noise is many steps.
func TestMovedDeltaAndCompositionBoundTheExactDelta(t *testing.T) {
	for _, c := range []struct {
		a, b           uint64
		steps, others  int
		epsilon, loose float64
	}{
		{8, 8, 3, 3, 0.3, 1.3}, {8, 8, 9, 9, 1, 1.2}, {40, 40, 20, 20, 0.5, 1.01}, {40, 60, 20, 40, 1, 1.01},
		{64, 9, 30, 2, 0.4, 1.1},
	} {
		exact := exactDelta(c.epsilon, [2]float64{float64(c.a), float64(c.b)}, [2]int{c.steps, c.others})
		var mus []float64
		for _, r := range []Released{{Sensitivity: int64(c.steps), Moved: 1, SigmaNumerator: c.a, SigmaDenominator: 1},
			{Sensitivity: int64(c.others), Moved: 1, SigmaNumerator: c.b, SigmaDenominator: 1}} {
			mu, err := r.Mu()
			if err != nil {
				t.Fatal(err)
			}
			mus = append(mus, mu)
		}
		composed, err := Delta(c.epsilon, 1/math.Hypot(mus[0], mus[1]), 1)
		if err != nil || composed < exact || composed > c.loose*exact {
			t.Errorf("sigma %d and %d, %d and %d steps: composed delta %g, %v; exact %g", c.a, c.b, c.steps, c.others, composed,
				err, exact)
		}
		if c.a != c.b || c.steps != c.others {
			continue
		}
		moved, err := discreteGaussian(c.a, 1).movedDelta(c.epsilon, int64(c.steps), 2)
		if err != nil || moved < exact || moved > c.loose*exact {
			t.Errorf("two entries of %d steps at sigma %d: delta %g, %v; exact %g", c.steps, c.a, moved, err, exact)
		}
	}
	if _, err := (Released{Sensitivity: 1, Moved: 1, SigmaNumerator: 7, SigmaDenominator: 1}).Mu(); err == nil {
		t.Error("noise of 7 steps composes")
	}
}

// What is left takes the whole budget, and nothing more.
func TestMuLeftIsTheRestOfABudget(t *testing.T) {
	for _, spent := range [][]float64{nil, {0.3}, {0.3, 0.1, 0.2}} {
		left, err := MuLeft(2, 1e-6, spent...)
		if err != nil || left <= 0 {
			t.Fatal(left, err)
		}
		total := 0.0
		for _, mu := range append(spent, left) {
			total = math.Hypot(total, mu)
		}
		const slack = 1e-7 // of the margins for rounding
		if epsilon, err := Epsilon(1e-6, 1/total, 1); err != nil || epsilon > 2 || epsilon < 2-slack {
			t.Errorf("%v and what is left spend %.12g, %v; want 2", spent, epsilon, err)
		}
		if more, err := MuLeft(2, 1e-6, append(spent, left)...); err != nil || more > 1e-3 {
			t.Errorf("%g is left of nothing, %v", more, err)
		}
	}
}

// Joint rewards are rounded exactly, whatever the order and the rounding of sums, and get the noise that is stated.
func TestReleaseJoint(t *testing.T) {
	const states = 400
	shape, err := NewShape(states, []int{2, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	tables := make([][]float64, 3)
	for i := range tables {
		for range states {
			tables[i] = append(tables[i], 0.1*float64(i), -1e15/3) // sums that round
		}
	}
	rewards, err := NewRewards(shape, tables, nil)
	if err != nil {
		t.Fatal(err)
	}
	var entries []int
	for s := range states {
		entries = append(entries, 8*s) // all agents take their first action
	}
	g := Guarantee{Epsilon: 1, Delta: 1e-3, Adjacency: 1, Calibration: Analytic}
	grid, err := g.JointGrid(shape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReleaseJoint(rewards, entries, g, grid, new(Entropy))
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.SigmaOf(OutputPerturbation{ExactL2}, shape)
	if err != nil {
		t.Fatal(err)
	}
	sigma := float64(r.SigmaNumerator) / float64(r.SigmaDenominator) * grid
	if r.Moved != 4 || !(sigma >= want && sigma < 1.001*want) || r.CertifiedDelta > g.Delta {
		t.Errorf("%d entries, sigma %g, certified delta %g; want 4 entries and just above %g", r.Moved, sigma,
			r.CertifiedDelta, want)
	}
	squares := 0.0
	for _, v := range r.Values() {
		squares += (v - 0.1) * (v - 0.1)
	}
	const sixErrors = 6 // of a variance from n normals, relative error sqrt(2/n)
	if ratio := squares / states / (sigma * sigma); !(math.Abs(ratio-1) <= sixErrors*math.Sqrt(2.0/states)) {
		t.Errorf("the noise has %g times its variance", ratio)
	}
	sum := new(big.Rat)
	for i := range tables {
		sum.Add(sum, new(big.Rat).SetFloat64(tables[i][i%2]))
	}
	if got := rewards.sum(0b010); got.Cmp(sum) != 0 {
		t.Errorf("the sum at agents' actions 0, 1, 0 is %v, want %v", got, sum)
	}
}
