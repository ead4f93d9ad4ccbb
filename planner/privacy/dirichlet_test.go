package privacy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Gamma numbers have gonum's distribution, of small shapes too, whose numbers are too small to be told from 0.
func TestLogGamma(t *testing.T) {
	const draws = 20_000
	for _, shape := range []float64{1e-3, 0.05, 0.7, 1, 3.5, 200} {
		var noise Noise
		noise.Seek(Address{Seed: uint64(shape * 1000)})
		u := make([]float64, draws)
		for i := range u {
			l := noise.LogGamma(shape)
			if u[i] = (distuv.Gamma{Alpha: shape, Beta: 1}).CDF(math.Exp(l)); math.Exp(l) < 1e-300 {
				lgamma, _ := math.Lgamma(shape + 1)
				u[i] = math.Exp(shape*l - lgamma) // x^a/Gamma(a+1), the first term of the series
			}
		}
		uniformly(t, "gamma", u)
	}
}

// hockeyStick is the largest excess of one beta distribution's probability over exp(epsilon) times another's,
// summed up on a grid over the logit of V.
func hockeyStick(epsilon, a, b, moved float64) float64 {
	one, other := distuv.Beta{Alpha: a + moved, Beta: b - moved}, distuv.Beta{Alpha: a, Beta: b}
	sum := 0.0
	const step, far = 1.5e-3, 40.0
	for l := -far; l < far; l += step {
		v := 1 / (1 + math.Exp(-l))
		weight := v * (1 - v) * step
		if excess := math.Exp(one.LogProb(v)) - math.Exp(epsilon+other.LogProb(v)); excess > 0 && weight > 0 {
			sum += excess * weight
		}
	}
	return sum
}

// delta(epsilon) is what gonum's beta densities come to, and no neighbours have more: of any two rows that are at
// least as far from the ends of the simplex, and at most as far apart.
func TestDirichletDelta(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct{ epsilon, k, w, b float64 }{{1, 30, 0.5, 0.2}, {0.3, 10, 0.4, 0.1}, {2, 200, 0.2, 0.05},
		{0.5, 40, 0.9, 2}} {
		const n = 4
		d := Dirichlet{c.k, c.w}
		got := d.Delta(c.epsilon, n, c.b)
		alpha, moved := c.k*c.w/n, c.k*(1-c.w)*c.b/2
		if want := hockeyStick(c.epsilon, alpha, alpha+moved, moved); !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("%+v: delta %.9g; summed up it is %.9g", c, got, want)
		}
		for range 8 {
			by := moved * random.Float64()
			a, b := alpha+c.k*random.Float64(), alpha+by+c.k*random.Float64()
			if other := hockeyStick(c.epsilon, a, b, by); other > got+1e-6 {
				t.Errorf("%+v: delta %.9g; neighbours at %g and %g that differ by %g have %.9g", c, got, a, b, by, other)
			}
		}
	}
}

// Less noise is less private, at every concentration, and next to none comes to the closed form of draws of one
// component.
func TestDirichletDeltaGrows(t *testing.T) {
	for _, c := range []struct{ epsilon, b float64 }{{0.2, 0.1}, {1, 0.1}, {1, 1}, {4, 2}, {3, 0.01}} {
		const n, w = 5, 0.2
		last := 0.0
		for k := 1e-6; k < 1e6; k *= 1.3 {
			delta := Dirichlet{k, w}.Delta(c.epsilon, n, c.b)
			if delta < last*(1-1e-9) {
				t.Errorf("%+v: delta falls from %g to %g at concentration %g", c, last, delta, k)
			}
			last = delta
		}
		r := n * (1 - w) * c.b / (2 * w)
		if got, want := (Dirichlet{1e-7, w}).Delta(c.epsilon, n, c.b), r/(2+r)*math.Exp(-c.epsilon/r); relative(got, want) >
			1e-5 {
			t.Errorf("%+v: draws of one component have delta %.9g; want %.9g", c, got, want)
		}
	}
}

// The concentration is the largest that keeps the guarantee, and what cannot be given is refused with the cure.
func TestDirichletCalibration(t *testing.T) {
	g := Guarantee{Epsilon: 1, Delta: 0.01, Rows: Rows{Adjacency: 0.01, Uniform: 0.2}}
	for _, n := range []int{2, 5, 9} {
		d, err := g.Dirichlet(n)
		if err != nil {
			t.Fatal(err)
		}
		if delta := d.Delta(1, n, 0.01); delta > 0.01 || relative(delta, 0.01) > 1e-9 {
			t.Errorf("%d components: delta %.12g", n, delta)
		}
	}
	for _, epsilon := range []float64{0.2, 1, 10, 600, 800, 1e4, 1e6} {
		g := Guarantee{Epsilon: epsilon, Delta: 0.01, Rows: Rows{Adjacency: 0.01, Uniform: 0.2}}
		d, err := g.Dirichlet(5)
		if err != nil || relative(d.Delta(epsilon, 5, 0.01), 0.01) > 1e-6 {
			t.Errorf("epsilon %g: %+v, %v with delta %g", epsilon, d, err, d.Delta(epsilon, 5, 0.01))
		}
	}
	for culprit, change := range map[string]func(*Guarantee){
		"privacy.row_uniform":   func(g *Guarantee) { g.Rows.Adjacency = 2 },
		"privacy.row_adjacency": func(g *Guarantee) { g.Rows.Adjacency = 3 },
		"above 0 and below 1":   func(g *Guarantee) { g.Rows.Uniform = 1 },
		"delta":                 func(g *Guarantee) { g.Delta = 0 },
		"epsilon":               func(g *Guarantee) { g.Epsilon = -1 },
	} {
		wrong := g
		change(&wrong)
		_, err := wrong.Dirichlet(5)
		checkOneLine(t, err, culprit)
	}
	if _, err := g.Dirichlet(1); err == nil {
		t.Error("a row of one component is made private")
	}
}

// A draw is a row of probabilities whose mean is the mixed row, and whose pairs have the law that an audit holds
// it to.
func TestDirichletDraws(t *testing.T) {
	const draws = 20_000
	row := []float64{0.7, 0, 0.3}
	for _, k := range []float64{2, 40} {
		d := Dirichlet{k, 0.3}
		law := d.PairLaw(row, 0, 2)
		var noise Noise
		noise.Seek(Address{Seed: 3})
		u, x, mean := make([]float64, draws), make([]float64, 3), make([]float64, 3)
		for i := range u {
			d.Draw(x, row, &noise)
			if sum := x[0] + x[1] + x[2]; !(math.Abs(sum-1) <= 1e-12) {
				t.Fatalf("%v sums to %g", x, sum)
			}
			u[i] = law(x[0] / (x[0] + x[2]))
			for j, p := range x {
				mean[j] += p / draws
			}
		}
		uniformly(t, "a pair", u)
		for j, want := range []float64{0.7*0.7 + 0.1, 0.1, 0.7*0.3 + 0.1} {
			// The variance of a component is q(1-q)/(k+1).
			if far := math.Abs(mean[j]-want) / math.Sqrt(want*(1-want)/(k+1)/draws); far > 5 {
				t.Errorf("component %d has mean %g; want %g, which is %g standard errors away", j, mean[j], want, far)
			}
		}
	}
}

// Rows of a single component are public.
func TestPrivatizeRows(t *testing.T) {
	g := Guarantee{Epsilon: 1, Delta: 0.01, Rows: Rows{Adjacency: 0.01, Uniform: 0.2}}
	dst, rows := [][]float64{make([]float64, 1), make([]float64, 3)}, [][]float64{{1}, {0.5, 0.25, 0.25}}
	var c RowCalibration
	if err := c.Privatize(dst, rows, g, new(Noise)); err != nil || dst[0][0] != 1 || dst[1][0] == 0.5 {
		t.Errorf("%v, %v", dst, err)
	}
	g.Rows = Rows{}
	checkOneLine(t, c.Privatize(dst, rows, g, new(Noise)), "privacy.row_adjacency")
}

// A remembered mechanism is that of its own guarantee and number of components, whatever was asked for before.
func TestRowCalibration(t *testing.T) {
	var c RowCalibration
	for range 2 {
		for _, epsilon := range []float64{0.5, 2} {
			for _, delta := range []float64{0.01, 0.1} {
				for _, adjacency := range []float64{0.01, 0.02} {
					for _, components := range []int{2, 5} {
						g := Guarantee{Epsilon: epsilon, Delta: delta, Rows: Rows{Adjacency: adjacency, Uniform: 0.2}}
						got, err := c.Dirichlet(g, components)
						want, err2 := g.Dirichlet(components)
						if err != nil || err2 != nil || got != want {
							t.Errorf("%+v, %d components: %+v, %v; want %+v, %v", g, components, got, err, want, err2)
						}
					}
				}
			}
		}
	}
}

// cited is the guarantee of the identity query as it is cited of arXiv 1910.00043 for two protected components of
// three: components of at least eta, the third of at least eta too, and draws with both of at least gamma. A
// Dirichlet distribution's probability of those is the smallest at a corner of the rows that are possible.
func cited(k, eta, b, gamma float64) (epsilon, delta float64) {
	rest := 1 - 2*eta
	epsilon = mathext.Lbeta(k*eta, k*rest) - mathext.Lbeta(k*(eta+b/2), k*(rest-b/2)) + k*b/2*math.Log((1-gamma)/gamma)
	least := 1.0
	for _, p := range [][3]float64{{eta, eta, rest}, {eta, rest, eta}} {
		first := distuv.Beta{Alpha: k * p[0], Beta: k * (p[1] + p[2])}
		least = min(least, integratePanels(func(x float64) float64 {
			return first.Prob(x) * (1 - mathext.RegIncBeta(k*p[1], k*p[2], min(1, gamma/(1-x))))
		}, gamma, 1-gamma, 0.002))
	}
	return epsilon, 1 - least
}

// The cited guarantee is kept, with room: what is proved exactly is at most that. The documentation of
// Dirichlet has some of these numbers.
func TestDirichletDeltaIsWithinTheCitedOne(t *testing.T) {
	for _, c := range []struct{ k, b, gamma float64 }{{3, 0.02, 0.01}, {10, 0.02, 1e-3}, {10, 0.1, 0.01}, {30, 0.1, 1e-3},
		{30, 0.1, 0.01}, {100, 0.02, 0.01}} {
		const eta = 0.1
		epsilon, delta := cited(c.k, eta, c.b, c.gamma)
		exact := betaDelta(epsilon, c.k*eta, c.k*c.b/2)
		if exact > delta {
			t.Errorf("%+v: delta %g at epsilon %g; cited is %g", c, exact, epsilon, delta)
		}
		low, high := 0.0, epsilon
		for range 60 {
			if middle := (low + high) / 2; betaDelta(middle, c.k*eta, c.k*c.b/2) > delta {
				low = middle
			} else {
				high = middle
			}
		}
		t.Logf("%+v: cited epsilon %.4f delta %.4g; exact epsilon %.4f, or delta %.3g", c, epsilon, delta, high, exact)
	}
}
