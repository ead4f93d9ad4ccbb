package privacy

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// truncatedLog is the logarithm of the density at x of a normal around s cut off at 0 and a width, by gonum.
func truncatedLog(x, s, sigma, width float64) float64 {
	n := distuv.Normal{Mu: s, Sigma: sigma}
	return n.LogProb(x) - math.Log(n.CDF(width)-n.CDF(0))
}

// epsilon(sigma) is the largest difference of two log densities over a fine grid of all rewards, neighbours and
// releases.
func TestBoundedEpsilonBySearch(t *testing.T) {
	for _, c := range []struct{ sigma, width, far float64 }{{0.4, 1, 0.1}, {1, 1, 0.5}, {2, 1, 1}, {0.7, 3, 1},
		{1.5, 3, 0.2}, {5, 2, 1.3}} {
		want := 0.0
		const steps = 60
		for i := range steps + 1 {
			s := c.width * float64(i) / steps
			for j := -20; j <= 20; j++ {
				other := s + c.far*float64(j)/20
				if other < 0 || other > c.width {
					continue
				}
				for k := range 21 {
					x := c.width * float64(k) / 20
					want = math.Max(want, truncatedLog(x, s, c.sigma, c.width)-truncatedLog(x, other, c.sigma, c.width))
				}
			}
		}
		got := boundedEpsilon(c.sigma, c.width, c.far)
		if want > got*(1+1e-9) || want < got*0.999 {
			t.Errorf("%+v: epsilon %.9g; by search %.9g", c, got, want)
		}
	}
}

// separately is the bound that takes the exponent and the normalization each where it is worst (arXiv 2211.17230).
func separately(sigma, width, far float64) float64 {
	phi := distuv.UnitNormal.CDF
	ratio := (phi((width-far)/sigma) - phi(-far/sigma)) / (phi(width/sigma) - 0.5)
	return far*(width+far/2)/(sigma*sigma) + math.Max(0, math.Log(ratio))
}

// The exact epsilon falls with sigma, comes to far*width/(2 sigma^2) for wide normals, and needs a sigma that is
// sqrt(3) times smaller there than the bound that is put together of two.
func TestBoundedSigma(t *testing.T) {
	s := shape(t, 1, []int{1})
	g := Guarantee{Adjacency: 0.3, Range: Range{-1, 1}}
	last := math.Inf(1)
	for epsilon := 1e-9; epsilon < 1e3; epsilon *= 3 {
		g.Epsilon = epsilon
		sigma, err := BoundedGaussian{}.Sigma(s, g)
		if err != nil || sigma >= last {
			t.Errorf("epsilon %g: sigma %g, %v; that of a lower one is %g", epsilon, sigma, err, last)
		}
		last = sigma
		if got, err := (BoundedGaussian{}).Epsilon(s, g, sigma); err != nil || relative(got, epsilon) > 1e-12 {
			t.Errorf("epsilon %g: sigma %g comes to %.15g, %v", epsilon, sigma, got, err)
		}
		if bound := separately(sigma, 2, 0.3); bound < epsilon {
			t.Errorf("epsilon %g: two bounds come to %g, less than it is", epsilon, bound)
		}
		if epsilon < 1e-6 {
			if want := 0.3 * 2 / (2 * epsilon); relative(sigma*sigma, want) > 1e-6 {
				t.Errorf("epsilon %g: sigma^2 %g; want %g in the limit", epsilon, sigma*sigma, want)
			}
			if times := separately(sigma, 2, 0.3) / epsilon; !(math.Abs(times-3) <= 1e-3) {
				t.Errorf("epsilon %g: the two bounds come to %g times as much; want 3", epsilon, times)
			}
		}
	}
}

// Joint rewards move together, at most by all of their agent's adjacency over the number of agents.
func TestBoundedSigmaOfTeams(t *testing.T) {
	s := shape(t, 3, []int{2, 5})
	g := Guarantee{Epsilon: 2, Adjacency: 1, Range: Range{0, 4}}
	sigma, err := BoundedGaussian{Output: true}.Sigma(s, g)
	if err != nil {
		t.Fatal(err)
	}
	if got := 5 * boundedEpsilon(sigma, 4, 0.5); relative(got, 2) > 1e-12 {
		t.Errorf("five entries that move by half come to %g; want 2", got)
	}
	// Nobody moves farther than the range is wide.
	g.Adjacency = 100
	if wide, err := (BoundedGaussian{}).Sigma(s, g); err != nil || relative(boundedEpsilon(wide, 4, 4), 2) > 1e-12 {
		t.Errorf("sigma %g, %v", wide, err)
	}
}

// What it cannot do it says.
func TestBoundedErrors(t *testing.T) {
	r, err := NewRewards(shape(t, 1, []int{2}), [][]float64{{0, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []Guarantee{{Epsilon: 1, Adjacency: 1}, {Epsilon: 1, Adjacency: 1, Range: Range{0, 1}},
		{Epsilon: 1, Adjacency: 1, Range: Range{math.Inf(-1), 1}}} {
		checkOneLine(t, BoundedGaussian{}.Privatize(make([]float64, 2), r, g, new(Noise)), "privacy.reward_range")
	}
	unknown := BoundedGaussian{}.Privatize(make([]float64, 2), r, Guarantee{Epsilon: 1, Adjacency: 1}, new(Noise))
	checkOneLine(t, unknown, "is not given")
	none := Guarantee{Epsilon: 1, Range: Range{0, 2}}
	checkOneLine(t, BoundedGaussian{}.Privatize(make([]float64, 2), r, none, new(Noise)), "adjacency")
}
