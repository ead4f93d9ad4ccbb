package loss

import (
	"math"
	"testing"

	"veilpath/planner/privacy"
)

var kinds = []Loss{Gaussian{0.3}, Gaussian{2}, Guarantee{0.7, 0}, Guarantee{2, 0},
	DiscreteGaussian{1.5, 1}, DiscreteGaussian{4, 3}}

// The law of a loss is the same in both directions, its intervals add up, and on each of them the logarithm of p
// over q lies in the interval.
func TestMassesAreThoseOfALogarithm(t *testing.T) {
	for _, l := range kinds {
		sumP, sumQ := 0.0, 0.0
		const from, to, step = -12, 12, 0.37
		edges := []float64{math.Inf(-1)}
		for x := float64(from); x < to; x += step {
			edges = append(edges, x)
		}
		edges = append(edges, math.Inf(1))
		for i, low := range edges[:len(edges)-1] {
			high := edges[i+1]
			p, q := l.Masses(low, high)
			sumP, sumQ = sumP+p, sumQ+q
			if ratio := math.Log(p / q); p > 1e-12 && q > 1e-12 && !(ratio >= low-1e-9 && ratio <= high+1e-9) {
				t.Errorf("%T%+v: log %g/%g is not in (%g, %g]", l, l, p, q, low, high)
			}
			const apart = 1e-7 // from an output at the very end of an interval
			if p2, q2 := l.Masses(-high+apart, -low+apart); math.Abs(p-q2)+math.Abs(q-p2) > 1e-6 {
				t.Errorf("%T%+v: (%g, %g) has %g and %g, the opposite interval %g and %g", l, l, low, high, p, q, p2, q2)
			}
		}
		if math.Abs(sumP-1)+math.Abs(sumQ-1) > 1e-12 {
			t.Errorf("%T%+v: the intervals sum to %g and %g", l, l, sumP, sumQ)
		}
	}
}

// curve is delta at an epsilon, of one loss.
func curve(l Loss, epsilon float64) float64 {
	p, q := l.Masses(epsilon, math.Inf(1))
	return p - math.Exp(epsilon)*q
}

// Each loss has the mechanism's known curve: of Balle and Wang, and the sum of Canonne, Kamath
// and Steinke.
func TestLossesHaveTheMechanismsCurve(t *testing.T) {
	for _, epsilon := range []float64{0, 0.2, 0.45, 1, 3} {
		for _, l := range kinds {
			want, within := 0.0, 1e-11
			switch l := l.(type) {
			case Gaussian:
				want, _ = privacy.Delta(epsilon, 1, l.Mu)
			case Guarantee:
				want = max(0, (math.Exp(l.Epsilon)-math.Exp(epsilon))/(1+math.Exp(l.Epsilon)))
			case DiscreteGaussian:
				noise, err := privacy.NewDiscreteGaussian(l.Sigma)
				if err != nil {
					t.Fatal(err)
				}
				if want, err = noise.Delta(epsilon, l.Steps); err != nil {
					t.Fatal(err)
				}
				within = 2e-9 // what the certified bound adds
			}
			if got := curve(l, epsilon); math.Abs(got-want) > within*want+1e-15 {
				t.Errorf("%T%+v: delta %.12g at epsilon %g, want %.12g", l, l, got, epsilon, want)
			}
		}
	}
}

// On a coarse grid the law's delta is at least the loss's at every epsilon, and exact on the grid.
func TestGridsBoundTheCurve(t *testing.T) {
	delta := func(g law, epsilon float64) float64 {
		sum := g.infinite
		for i, p := range g.p {
			sum += p * max(0, -math.Expm1(epsilon-g.at(i)))
		}
		return sum
	}
	for _, l := range append([]Loss{Guarantee{0.4, 1e-3}}, kinds...) {
		low, high := effectiveRange(l)
		for _, step := range []float64{0.07, 0.3, 1.1} {
			above := discretized(l, low, high, step)
			for epsilon := -2.0; epsilon < 4; epsilon += 0.01 {
				exact := curve(l, epsilon)
				const rounding = 1e-13
				if most := delta(above, epsilon); most < exact-rounding {
					t.Errorf("%T%+v by %g at epsilon %g: delta %g from above, want %g", l, l, step, epsilon, most, exact)
				}
			}
			for k := range 5 {
				epsilon := float64(k) * step
				if most, exact := delta(above, epsilon), curve(l, epsilon); most-exact > 1e-12 {
					t.Errorf("%T%+v by %g at epsilon %g: delta %g from above, want %g", l, l, step, epsilon, most, exact)
				}
			}
		}
	}
}
