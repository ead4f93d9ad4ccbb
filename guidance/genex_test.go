package guidance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/spatial/r3"
)

// transfer is a rendezvous of the double integrator: from one position and velocity to another in a
// given time.
type transfer struct {
	name           string
	from, velocity r3.Vec
	target         r3.Vec
	arrival        r3.Vec
	time           float64
	scale, speed   float64 // a length and a speed of the problem, to which errors are relative
}

var transfers = []transfer{
	{
		name: "paper's descent", from: r3.Vec{X: -200, Y: -50, Z: 10}, velocity: r3.Vec{X: 1.6492, Y: 0.4123},
		arrival: r3.Vec{X: 1.645, Y: 0.411, Z: -0.1233}, time: 121.4, scale: 200, speed: 1.7,
	},
	{
		name: "reversal", from: r3.Vec{X: 3}, velocity: r3.Vec{X: 1, Y: -2, Z: 0.5},
		target: r3.Vec{Y: 1, Z: -4}, arrival: r3.Vec{X: -1, Y: 0.5, Z: 2}, time: 2.5, scale: 5, speed: 2,
	},
	{
		name: "side step", velocity: r3.Vec{X: 1},
		target: r3.Vec{X: 10, Y: 1}, arrival: r3.Vec{X: 1}, time: 10, scale: 10, speed: 1,
	},
}

// optimum is the acceleration c1 tgo^n + c2 tgo^(n+1) that solves a transfer at the least integral of
// a^2/tgo^n. It follows from the calculus of variations alone: the multipliers of the two end conditions,
//
//	integral of tgo a = r_f - r - v T,   integral of a = v_f - v,
//
// make a/tgo^n linear in tgo, and the conditions then fix the line:
//
//	c1 T^(n+2)/(n+2) + c2 T^(n+3)/(n+3) = r_f - r - v T
//	c1 T^(n+1)/(n+1) + c2 T^(n+2)/(n+2) = v_f - v
type optimum struct {
	n      float64
	c1, c2 r3.Vec
}

func newOptimum(n float64, x transfer) optimum {
	T := x.time
	miss := r3.Sub(r3.Sub(x.target, x.from), r3.Scale(T, x.velocity))
	turn := r3.Sub(x.arrival, x.velocity)
	a11, a12 := math.Pow(T, n+2)/(n+2), math.Pow(T, n+3)/(n+3)
	a21, a22 := math.Pow(T, n+1)/(n+1), math.Pow(T, n+2)/(n+2)
	det := a11*a22 - a12*a21
	return optimum{
		n:  n,
		c1: r3.Scale(1/det, r3.Sub(r3.Scale(a22, miss), r3.Scale(a12, turn))),
		c2: r3.Scale(1/det, r3.Sub(r3.Scale(a11, turn), r3.Scale(a21, miss))),
	}
}

func (o optimum) at(tgo float64) r3.Vec {
	return r3.Scale(math.Pow(tgo, o.n), r3.Add(o.c1, r3.Scale(tgo, o.c2)))
}

// flightTolerance is the error of a flown transfer relative to its scale, in miss, velocity and cost:
// what is left undone where the flight ends, a few times endPerTgo for a command that ends at its largest.
const flightTolerance = 1e-4

// profileTolerance compares accelerations along the way, relative to the largest. The law divides the
// rounding of the velocity by the time to go: 20 x 1e-16/endPerTgo of v/T, and the largest acceleration
// may be a hundredth of that.
const profileTolerance = 1e-7

func TestExplicitCommandFliesTheOptimum(t *testing.T) {
	for _, x := range transfers {
		for _, n := range []float64{0, 1, 2} {
			t.Run(fmt.Sprintf("%s/n=%g", x.name, n), func(t *testing.T) {
				law := func(toGo, v r3.Vec, tgo float64) r3.Vec {
					return ExplicitCommand(n, toGo, v, x.arrival, tgo)
				}
				start := doubleIntegrator{toGo: r3.Sub(x.target, x.from), v: x.velocity}
				flight, end, left, cost := start.fly(law, x.time, n)

				if miss := r3.Norm(r3.Sub(end.toGo, r3.Scale(left, end.v))); miss > flightTolerance*x.scale {
					t.Errorf("misses by %.3g of a scale of %g", miss, x.scale)
				}
				if turn := r3.Norm(r3.Sub(x.arrival, end.v)); turn > flightTolerance*x.speed {
					t.Errorf("arrives with a velocity %.3g off, of a speed of %g", turn, x.speed)
				}

				best := newOptimum(n, x)
				largest := 0.0
				for _, m := range flight {
					largest = max(largest, r3.Norm(best.at(m.tgo)))
				}
				for _, m := range flight {
					if off := r3.Norm(r3.Sub(m.command, best.at(m.tgo))); off > profileTolerance*largest {
						t.Fatalf("at tgo %.4g commands %v, the optimum is %v", m.tgo, m.command, best.at(m.tgo))
					}
				}
				comparePerturbed(t, x, best, cost)
			})
		}
	}
}

// comparePerturbed holds the cost of a flown transfer against that of other profiles that solve it too.
func comparePerturbed(t *testing.T, x transfer, best optimum, flown float64) {
	t.Helper()
	optimal := profileCost(best.at, best.n, x.time)
	if !(math.Abs(flown-optimal) <= flightTolerance*optimal) {
		t.Errorf("flown at a cost of %.12g, the optimum costs %.12g", flown, optimal)
	}
	rng := rand.New(rand.NewPCG(1, 0))
	for range 12 {
		q := feasiblePerturbation(rng, best.n, x)
		for _, share := range []float64{-0.3, 0.03, 0.5} {
			other := func(tgo float64) r3.Vec {
				return r3.Add(best.at(tgo), r3.Scale(share, q(tgo)))
			}
			if miss, turn := endErrors(other, x); miss > flightTolerance*x.scale || turn > flightTolerance*x.speed {
				t.Fatalf("the perturbed profile is not feasible: misses by %.3g and %.3g", miss, turn)
			}
			if cost := profileCost(other, best.n, x.time); flown > cost {
				t.Errorf("flown at a cost of %.12g, another profile costs %.12g", flown, cost)
			}
		}
	}
}

// quadraturePoints integrates the profiles, which are smooth with at most three waves, to rounding.
const quadraturePoints = 60

func integral(f func(tgo float64) float64, T float64) float64 {
	return quad.Fixed(f, 0, T, quadraturePoints, quad.Legendre{}, 0)
}

func profileCost(a func(float64) r3.Vec, n, T float64) float64 {
	return integral(func(tgo float64) float64 { return r3.Norm2(a(tgo)) / math.Pow(tgo, n) }, T)
}

// moments returns the integrals of a and of tgo a.
func moments(a func(float64) r3.Vec, T float64) (zeroth, first r3.Vec) {
	each := func(weight func(float64) float64) r3.Vec {
		return r3.Vec{
			X: integral(func(s float64) float64 { return weight(s) * a(s).X }, T),
			Y: integral(func(s float64) float64 { return weight(s) * a(s).Y }, T),
			Z: integral(func(s float64) float64 { return weight(s) * a(s).Z }, T),
		}
	}
	return each(func(float64) float64 { return 1 }), each(func(s float64) float64 { return s })
}

// endErrors returns by how much the profile misses the target and the arrival velocity.
func endErrors(a func(float64) r3.Vec, x transfer) (miss, turn float64) {
	zeroth, first := moments(a, x.time)
	reached := r3.Add(r3.Add(x.from, r3.Scale(x.time, x.velocity)), first)
	return r3.Norm(r3.Sub(x.target, reached)), r3.Norm(r3.Sub(x.arrival, r3.Add(x.velocity, zeroth)))
}

// feasiblePerturbation returns a random profile that changes neither end condition, about as large as
// the transfer's accelerations. Like the optimum it fades with tgo^n, so that its cost is finite.
func feasiblePerturbation(rng *rand.Rand, n float64, x transfer) func(tgo float64) r3.Vec {
	T := x.time
	size := (x.scale/T + x.speed) / T
	var wave [3][3]float64
	for i := range wave {
		for j := range wave[i] {
			wave[i][j] = size * rng.NormFloat64()
		}
	}
	raw := func(tgo float64) r3.Vec {
		s := tgo / T
		var c [3]float64
		for i, w := range wave {
			c[i] = w[0]*math.Sin(3*s) + w[1]*math.Cos(7*s) + w[2]*math.Sin(15*s)
		}
		return r3.Scale(math.Pow(s, n), r3.Vec{X: c[0], Y: c[1], Z: c[2]})
	}
	// The optimum of a transfer that undoes what raw does at the end has just those two moments.
	zeroth, first := moments(raw, T)
	undo := newOptimum(n, transfer{target: first, arrival: zeroth, time: T})
	return func(tgo float64) r3.Vec { return r3.Sub(raw(tgo), undo.at(tgo)) }
}

// For n = 0 the optimum is a cubic, and its first acceleration is the textbook 6 miss/T^2 - 2 turn/T.
func TestGains(t *testing.T) {
	for _, c := range []struct{ n, k1, k2 float64 }{{0, 6, -2}, {1, 12, -6}, {2, 20, -12}, {0.5, 8.75, -3.75}} {
		if k1, k2 := Gains(c.n); k1 != c.k1 || k2 != c.k2 {
			t.Errorf("Gains(%g) = %g, %g, want %g, %g", c.n, k1, k2, c.k1, c.k2)
		}
	}
}

// Command is the published law at a time to go of range over speed, and at its floor nearer than that.
func TestGenexCommandTimeToGo(t *testing.T) {
	g := NewGenex(1, 2, 0.5, r3.Vec{X: 10, Y: 4}, r3.Vec{X: 2})
	v := r3.Vec{X: 1.2, Y: 1.6}
	for _, c := range []struct {
		r   r3.Vec
		tgo float64
	}{
		{r3.Vec{X: 4, Y: -4}, 5},
		{r3.Vec{X: 9, Y: 4}, 0.5},
		{r3.Vec{X: 9.9, Y: 4}, 0.5},
		{r3.Vec{X: 10, Y: 4}, 0.5},
	} {
		want := ExplicitCommand(1, r3.Sub(g.Target, c.r), v, g.Arrival, c.tgo)
		if got := g.Command(c.r, v); got != want {
			t.Errorf("at %v commands %v, want %v of a time to go of %g", c.r, got, want, c.tgo)
		}
	}
}

// lateralTolerance is relative to the sum of the terms of a law, which may cancel: a handful of
// roundings each.
const lateralTolerance = 32 * 0x1p-52

func TestGenexLateralIsCommandsPerpendicularPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 20000 {
		g := NewGenex(3*rng.Float64()-0.9, math.Exp(2*rng.NormFloat64()), 0.3, randomVec(rng, 10), randomVec(rng, 3))
		v := r3.Scale(g.SpeedKmS, r3.Unit(randomVec(rng, 1)))
		reach := g.SpeedKmS * g.MinTimeToGoS * math.Exp(3*rng.NormFloat64()) // some inside the floor
		r := r3.Add(g.Target, r3.Scale(reach, r3.Unit(randomVec(rng, 1))))

		got, want := g.Lateral(r, v), Perpendicular(g.Command(r, v), v)
		k1, k2 := Gains(g.N)
		tgo := max(reach/g.SpeedKmS, g.MinTimeToGoS)
		terms := k1*(reach+g.SpeedKmS*tgo)/(tgo*tgo) - k2*(r3.Norm(g.Arrival)+g.SpeedKmS)/tgo
		position := k1 / (tgo * tgo) * r3.Norm(g.Target) // r_f - r is rounded to the size of r_f
		if off := r3.Norm(r3.Sub(got, want)); off > lateralTolerance*(terms+position) {
			t.Fatalf("%+v at %v, %v: lateral %v, perpendicular part %v, apart by %.3g of terms of %.3g", g, r, v, got, want, off,
				terms)
		}
	}
}

func randomVec(rng *rand.Rand, scale float64) r3.Vec {
	return r3.Vec{X: scale * rng.NormFloat64(), Y: scale * rng.NormFloat64(), Z: scale * rng.NormFloat64()}
}
