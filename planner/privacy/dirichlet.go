package privacy

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Rows says which rows of probabilities are hard to distinguish, and how they are kept off the ends of the simplex.
type Rows struct {
	// Adjacency is how far two rows lie apart at most, the sum of absolute differences, in (0, 2]: probability of
	// half of that has moved from one component to another.
	Adjacency float64
	// Uniform is the share of the uniform row that is mixed into every row, in (0, 1).
	Uniform float64
}

// Dirichlet draws a private row of probabilities from a Dirichlet distribution around a row (Gohari, Wu, Hale and
// Topcu, arXiv 1910.00043): of n components p with
//
//	x ~ Dirichlet(k q),    q = (1-w) p + w/n,
//
// where k is the Concentration and w the Uniform share. A larger k is less noise.
//
// It protects one row, whose neighbours have up to b/2 of the probability at one component instead of another, b the
// Adjacency. How many components there are is public. What follows is (epsilon, delta)-differential privacy, exactly.
//
// Let c = k (1-w) b/2 and alpha = k w/n. Two neighbours have k q = (.., A, .., B, ..) and (.., A+d, .., B-d, ..),
// with A and B-d at least alpha and 0 < d <= c. The ratio of their densities at x depends on x through V =
// x_i/(x_i+x_j) alone, which has the distribution Beta(A, B) or Beta(A+d, B-d). Which neighbours are the worst:
//
//   - Those with A and B-d at alpha. A draw for larger ones is made of a draw for these by adding up components: if A
//     is split into alpha and the rest, the sum of both components has a distribution as of A.
//   - Those with d = c. Beta(alpha, alpha+d) and Beta(alpha+d, alpha) have the log likelihood ratio L = d logit V.
//     Under the latter logit V is the difference of the logarithms of two gamma numbers, of which only the first
//     changes with d, and grows with it; and delta(epsilon) = E[max(0, 1 - exp(epsilon-L))] depends on the positive
//     part of L alone, which grows as well.
//
// So, since V and 1-V change places with the tables, with the regularized incomplete beta function I,
//
//	delta(epsilon) = I_x(alpha, alpha+c) - exp(epsilon) I_x(alpha+c, alpha),    x = 1/(1 + exp(epsilon/c)).
//
// However small k is, some delta remains: with r = c/alpha it is r/(2+r) exp(-epsilon/r) in the limit, where a draw has
// all of its probability at one component. A guarantee below that takes a larger share of the uniform row.
//
// The paper takes rows whose components are all at least some eta, without mixing, and bounds the ratio on draws
// whose components are at least some gamma, which fails with a probability that is its delta. Its guarantee
// holds and is far from exact. For rows of three components with eta = 0.1:
//
//	 k     b  gamma  the paper's epsilon, delta  exact epsilon at that delta  exact delta at that epsilon
//	10  0.02  0.001               0.94,  0.018                          0.16                      8.2e-6
//	10  0.1   0.01                3.41,  0.17                           0.41                      5.5e-4
//	30  0.1   0.01                9.82,  0.0060                         3.43                      2.6e-8
type Dirichlet struct {
	Concentration float64 // k > 0
	Uniform       float64 // w in (0, 1)
}

// minConcentration is the smallest concentration that is tried: below it a draw has all of its probability at one
// component, up to rounding.
const minConcentration = 1e-9

// Dirichlet returns the mechanism with the least noise that keeps the guarantee, for rows of some components, at
// least two. The guarantee uses its Rows, not its Adjacency.
func (g Guarantee) Dirichlet(components int) (Dirichlet, error) {
	if err := g.checkRows(components); err != nil {
		return Dirichlet{}, err
	}
	keeps := func(k float64) bool {
		return Dirichlet{k, g.Rows.Uniform}.Delta(g.Epsilon, components, g.Rows.Adjacency) <= g.Delta
	}
	if !keeps(minConcentration) {
		r := float64(components) * (1 - g.Rows.Uniform) * g.Rows.Adjacency / (2 * g.Rows.Uniform)
		return Dirichlet{}, fmt.Errorf("privacy: rows of %d probabilities cannot be given epsilon %g at delta %g: even a "+
			"draw of one component leaves a delta of %.2g; raise privacy.row_uniform or epsilon, or lower privacy.row_adjacency",
			components, g.Epsilon, g.Delta, r/(2+r)*math.Exp(-g.Epsilon/r))
	}
	low, high := math.Log(minConcentration), 0.0
	for keeps(math.Exp(high)) {
		if high += 5; high > 200 {
			return Dirichlet{}, fmt.Errorf("privacy: epsilon %g at delta %g asks for next to no noise on rows; take none",
				g.Epsilon, g.Delta)
		}
	}
	for range 60 {
		if middle := (low + high) / 2; keeps(math.Exp(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return Dirichlet{math.Exp(low), g.Rows.Uniform}, nil
}

func (g Guarantee) checkRows(components int) error {
	if err := checkEpsilon(g.Epsilon); err != nil {
		return err
	}
	if err := checkBetween("delta", g.Delta, 0, 1); err != nil {
		return err
	}
	if !(g.Rows.Adjacency > 0 && g.Rows.Adjacency <= 2) {
		return fmt.Errorf("privacy: rows of probabilities differ by %g; set privacy.row_adjacency to a number above 0, "+
			"up to 2", g.Rows.Adjacency)
	}
	if !(g.Rows.Uniform > 0 && g.Rows.Uniform < 1) {
		return fmt.Errorf("privacy: a share of %g of the uniform row is mixed into others; set privacy.row_uniform to "+
			"a number above 0 and below 1", g.Rows.Uniform)
	}
	return checkAtLeast("number of probabilities in a row", components, 2)
}

// Delta returns the least delta of an epsilon, 0 or more, for rows of some components that are as far apart as an
// adjacency.
func (d Dirichlet) Delta(epsilon float64, components int, adjacency float64) float64 {
	k, w := d.Concentration, d.Uniform
	return betaDelta(epsilon, k*w/float64(components), k*(1-w)*adjacency/2)
}

// betaDelta is delta(epsilon) of Beta(alpha, alpha+c) and Beta(alpha+c, alpha). For an epsilon whose exponential
// is no number it is at most this, its first part.
func betaDelta(epsilon, alpha, c float64) float64 {
	const largest = 700
	first := lowerBeta(alpha, alpha+c, epsilon/c)
	if epsilon > largest {
		return first
	}
	return max(0, first-math.Exp(epsilon)*lowerBeta(alpha+c, alpha, epsilon/c))
}

// lowerBeta is the regularized incomplete beta function I_x(a, b) at x = 1/(1+exp(t)), t > 0.
func lowerBeta(a, b, t float64) float64 {
	const far = 600
	if t < far {
		return mathext.RegIncBeta(a, b, 1/(1+math.Exp(t)))
	}
	// x is too small for a number, and the first term of its series is all.
	return math.Exp(-a*t - math.Log(a) - mathext.Lbeta(a, b))
}

// Mixed writes the row with its share of the uniform one to dst.
func (d Dirichlet) Mixed(dst, row []float64) {
	for i, p := range row {
		dst[i] = float64((1-d.Uniform)*p) + d.Uniform/float64(len(row))
	}
}

// Draw writes a private row to dst, of the length of the row.
func (d Dirichlet) Draw(dst, row []float64, noise *Noise) {
	d.Mixed(dst, row)
	largest := math.Inf(-1)
	for i, q := range dst {
		dst[i] = noise.LogGamma(d.Concentration * q)
		largest = max(largest, dst[i])
	}
	sum := 0.0
	for i, l := range dst {
		dst[i] = math.Exp(l - largest)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
}

// PairLaw returns the distribution function of x_i/(x_i+x_j) of private rows of a row.
func (d Dirichlet) PairLaw(row []float64, i, j int) func(float64) float64 {
	q := make([]float64, len(row))
	d.Mixed(q, row)
	return func(v float64) float64 { return mathext.RegIncBeta(d.Concentration*q[i], d.Concentration*q[j], v) }
}

// RowCalibration remembers the Dirichlet mechanisms of guarantees: a calibration takes longer than the draws of a plan.
// The zero value is ready for use, by one goroutine.
type RowCalibration struct {
	known map[rowGuarantee]Dirichlet
}

// rowGuarantee is what a calibration depends on.
type rowGuarantee struct {
	epsilon, delta float64
	rows           Rows
	components     int
}

// Dirichlet is Guarantee.Dirichlet.
func (c *RowCalibration) Dirichlet(g Guarantee, components int) (Dirichlet, error) {
	key := rowGuarantee{g.Epsilon, g.Delta, g.Rows, components}
	if d, known := c.known[key]; known {
		return d, nil
	}
	d, err := g.Dirichlet(components)
	if err != nil {
		return d, err
	}
	if c.known == nil {
		c.known = map[rowGuarantee]Dirichlet{}
	}
	c.known[key] = d
	return d, nil
}

// Privatize writes private rows to dst, which has room for each. All rows with the same number of components have one
// Dirichlet mechanism, which keeps the guarantee if a single row differs. Rows of a single component are public.
func (c *RowCalibration) Privatize(dst, rows [][]float64, g Guarantee, noise *Noise) error {
	for k, row := range rows {
		if len(row) < 2 {
			copy(dst[k], row)
			continue
		}
		d, err := c.Dirichlet(g, len(row))
		if err != nil {
			return err
		}
		d.Draw(dst[k], row, noise)
	}
	return nil
}
