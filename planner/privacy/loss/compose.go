package loss

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"veilpath/planner/privacy"
)

// Epsilon returns an upper bound on the least epsilon, at least 0, that releases with these losses spend together at a
// delta in (0, 1): a guarantee for it holds. It is +Inf if their infinite losses alone have that probability. It is
// exact if all losses are Gaussian, or guarantees with one Epsilon.
func Epsilon(delta float64, losses ...Loss) (float64, error) {
	if !(delta > 0 && delta < 1) {
		return 0, fmt.Errorf("loss: delta is %g; it must lie strictly between 0 and 1", delta)
	}
	c, err := newComposition(losses)
	switch {
	case err != nil:
		return 0, err
	case c.normal > 0:
		return privacy.Epsilon(delta, 1/c.normal, 1)
	}
	if r, ok := responsesOf(losses); ok {
		return r.leastEpsilon(delta), nil
	}
	return c.sum(c.tilt(delta)).epsilon(delta), nil
}

// composition is the sum of independent losses.
type composition struct {
	normal float64 // Mu of the sum if all losses are Gaussian, and otherwise 0
	losses []Loss  // different ones
	counts []int
	ranges [][2]float64
	coarse []law   // of every loss, on a coarse grid
	scale  float64 // standard deviation of the sum, roughly
}

// coarseCells is the number of intervals of the grids by which weights and ranges are chosen.
const coarseCells = 1024

func newComposition(losses []Loss) (*composition, error) {
	if len(losses) == 0 {
		return nil, fmt.Errorf("loss: no losses; want at least one")
	}
	c := new(composition)
	for _, l := range losses {
		if err := check(l); err != nil {
			return nil, err
		}
		if g, ok := l.(Gaussian); ok {
			c.normal = math.Hypot(c.normal, g.Mu)
			continue
		}
		c.add(l)
	}
	if len(c.losses) == 0 {
		return c, nil
	}
	if c.normal > 0 {
		c.add(Gaussian{c.normal}) // of all Gaussian losses, exactly
		c.normal = 0
	}
	// Discretize every loss coarsely.
	variance := 0.0
	for i, l := range c.losses {
		low, high := effectiveRange(l)
		c.ranges = append(c.ranges, [2]float64{low, high})
		c.coarse = append(c.coarse, c.discretize(i, (high-low)/coarseCells))
		_, v := c.coarse[i].spread()
		variance += float64(c.counts[i]) * v
	}
	c.scale = max(math.Sqrt(variance), minWidth)
	return c, nil
}

// check returns an error for a loss whose probabilities are impossible.
func check(l Loss) error {
	p, q := l.Masses(math.Inf(-1), 0)
	p2, q2 := l.Masses(0, math.Inf(1))
	const rounding = 1e-6
	if math.Abs(p+p2-1) < rounding && math.Abs(q+q2-1) < rounding && p2 >= q2 && p2 <= 1+rounding && q2 >= 0 {
		return nil
	}
	return fmt.Errorf("loss: %T%+v is no privacy loss; check its parameters", l, l)
}

// add counts a loss.
func (c *composition) add(l Loss) {
	if i := slices.Index(c.losses, l); i >= 0 {
		c.counts[i]++
		return
	}
	c.losses, c.counts = append(c.losses, l), append(c.counts, 1)
}

// discretize returns a loss on a grid.
func (c *composition) discretize(i int, step float64) law {
	return discretized(c.losses[i], c.ranges[i][0], c.ranges[i][1], step)
}

// cumulant returns log E[exp(t S)] of the sum S of finite losses, each by its law.
func (c *composition) cumulant(laws []law, t float64) float64 {
	sum := 0.0
	for i := range laws {
		sum += float64(c.counts[i]) * laws[i].cumulant(t)
	}
	return sum
}

// tilt returns the t > 0 with the least epsilon at which E[exp(t S)] shows the delta: max(0, 1 - exp(epsilon-S)) is at
// most exp(t (S-epsilon)) t^t/(1+t)^(1+t).
func (c *composition) tilt(delta float64) float64 {
	return math.Exp(minimum(func(u float64) float64 {
		t := math.Exp(u)
		return (c.cumulant(c.coarse, t) + t*math.Log(t) - (1+t)*math.Log1p(t) - math.Log(delta)) / t
	}, [2]float64{math.Log(1e-3 / c.scale), math.Log(1e3 / c.scale)}))
}

// logRare is -log of the weighted probability that may lie outside of the grid, on either side.
const logRare = 32

// edge returns the end of a range that holds all but about exp(-logRare) of the sum weighted by exp(t S), the upper
// end for sign 1 and the lower for -1, and the s with which Chernoff's bound shows it. Losses on a finer grid may
// lie a coarse step farther out.
func (c *composition) edge(t, sign float64) (x, s float64) {
	weight := c.cumulant(c.coarse, t)
	x = math.Inf(1)
	for trial := 1 / (16 * c.scale); trial <= 1e4/c.scale; trial *= 2 {
		if bound := (c.cumulant(c.coarse, t+sign*trial) - weight + logRare) / trial; bound < x {
			x, s = bound, trial
		}
	}
	for i := range c.coarse {
		x += float64(c.counts[i]) * c.coarse[i].step
	}
	return sign * x, s
}

const (
	minPoints, maxPoints = 1 << 16, 1 << 20 // of the grid of the sum
	maxCells             = 1 << 18          // of the grid of one loss
	// roundoff is more than the rounding of the transforms and of the grids' probabilities, relative to 1.
	roundoff = 1e-11
)

// sum is the law of the sum weighted by exp(t S), on a grid.
type sum struct {
	scale     float64 // standard deviation of the sum, roughly
	low, step float64
	t, weight float64   // weight is log E[exp(t S)]
	over      []float64 // over[j]: sum over i >= j of p[i] exp(-t (x[i]-x[j])), p the weighted probabilities
	under     []float64 // the same with t+1
	infinite  float64
	slack     float64 // what the grid leaves out, weighted
}

// points returns the number of points of the grid, a power of two. Every loss is spread over a step, so that the
// relative error of an upper epsilon grows with the number of releases over the square of points.
func (c *composition) points() int {
	releases := 0
	for _, n := range c.counts {
		releases += n
	}
	points := minPoints
	for n := 64; n < releases && points < maxPoints; n *= 4 {
		points *= 2
	}
	return points
}

// sum returns the law of the sum, weighted by exp(t S).
func (c *composition) sum(t float64) *sum {
	low, sLow := c.edge(t, -1)
	high, sHigh := c.edge(t, 1)
	points := c.points()
	step := (high - low) / float64(points)
	for _, r := range c.ranges {
		step = max(step, (r[1]-r[0])/maxCells)
	}
	laws := make([]law, len(c.losses))
	finite := 0.0
	for i := range laws {
		laws[i] = c.discretize(i, step)
		finite += float64(c.counts[i]) * math.Log1p(-laws[i].infinite)
	}
	first := int(math.Ceil(low / step))
	s := &sum{scale: c.scale, low: float64(first) * step, step: step, t: t,
		weight: c.cumulant(laws, t), infinite: -math.Expm1(finite)}
	s.slack = math.Exp(c.cumulant(laws, t-sLow)-s.weight+sLow*s.low) +
		math.Exp(c.cumulant(laws, t+sHigh)-s.weight-sHigh*(s.low+float64(points)*step)) + roundoff
	for i, l := range c.losses {
		if d, ok := l.(DiscreteGaussian); ok {
			s.slack += 2 * float64(c.counts[i]) * d.relativeError()
		}
	}
	s.accumulate(c.convolve(laws, t, points), first)
	return s
}

// convolve returns the weighted probabilities of the sum: that of the loss k step at k modulo
// points, a power of two.
func (c *composition) convolve(laws []law, t float64, points int) []float64 {
	transform := fourier.NewFFT(points)
	product := make([]complex128, points/2+1)
	for j := range product {
		product[j] = 1
	}
	coefficients := make([]complex128, len(product))
	for i := range laws {
		weighted := make([]float64, points)
		cumulant := laws[i].cumulant(t)
		for k, p := range laws[i].p {
			weighted[(laws[i].first+k)&(points-1)] += p * math.Exp(t*laws[i].at(k)-cumulant)
		}
		transform.Coefficients(coefficients, weighted)
		for j, x := range coefficients {
			product[j] *= power(x, c.counts[i])
		}
	}
	p := transform.Sequence(nil, product)
	for k := range p {
		p[k] = max(0, p[k]/float64(points))
	}
	return p
}

// power returns x to the n-th power, n > 0.
func power(x complex128, n int) complex128 {
	result := complex(1, 0)
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

// accumulate sums the weighted probabilities from the top. p[first] is that of the lowest loss.
func (s *sum) accumulate(p []float64, first int) {
	points := len(p)
	s.over, s.under = make([]float64, points+1), make([]float64, points+1)
	over, under := math.Exp(-s.t*s.step), math.Exp(-(s.t+1)*s.step)
	for j := points - 1; j >= 0; j-- {
		s.over[j] = p[(first+j)&(points-1)] + over*s.over[j+1]
		s.under[j] = p[(first+j)&(points-1)] + under*s.under[j+1]
	}
}

// delta returns the bound on delta at an epsilon: the sum over losses x above epsilon of p(x) (1 - exp(epsilon-x)).
func (s *sum) delta(epsilon float64) float64 {
	j := int(max(0, min(math.Ceil((epsilon-s.low)/s.step), float64(len(s.over)-1))))
	x := s.low + float64(j)*s.step
	if j == len(s.over)-1 {
		x = epsilon // beyond the grid
	}
	above := math.Exp(min(s.weight-s.t*x, largestExponent)) * (s.over[j] - math.Exp(epsilon-x)*s.under[j])
	return s.infinite + above + math.Exp(min(s.weight-s.t*epsilon, largestExponent))*s.slack
}

// epsilon returns the bound on epsilon at a delta. It looks downwards from where Chernoff's bound is delta, because
// the weights suit losses near there.
func (s *sum) epsilon(delta float64) float64 {
	if s.infinite >= delta {
		return math.Inf(1)
	}
	high := max(0, (s.weight-math.Log(delta-s.infinite))/s.t)
	for s.delta(high) > delta {
		high += s.scale
	}
	low, step := high, min(s.scale/8, 1/s.t)
	for ; !(s.delta(low) > delta); low = max(0, low-step) {
		if high = low; low == 0 {
			return 0
		}
	}
	for range 60 {
		if middle := (low + high) / 2; s.delta(middle) > delta {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// minimum returns where a function with a single minimum in a range has it, to about 1e-9 of the range (golden
// section).
func minimum(f func(float64) float64, within [2]float64) float64 {
	const golden = 0.6180339887498949
	low, high := within[0], within[1]
	a, b := high-golden*(high-low), low+golden*(high-low)
	fa, fb := f(a), f(b)
	for range 45 {
		if fa <= fb {
			high, b, fb = b, a, fa
			a = high - golden*(high-low)
			fa = f(a)
		} else {
			low, a, fa = a, b, fb
			b = low + golden*(high-low)
			fb = f(b)
		}
	}
	return (low + high) / 2
}
