package loss

import "math"

// law is the law of a loss under P on a grid: p[i] is the probability of the loss (first+i) step, and infinite that of
// an infinite loss.
type law struct {
	step     float64
	first    int
	p        []float64
	infinite float64
}

func (l *law) at(i int) float64 { return float64(l.first+i) * l.step }

// cumulant returns log E[exp(t L)], over finite losses.
func (l *law) cumulant(t float64) float64 {
	top, sum := math.Inf(-1), 0.0
	for i, p := range l.p {
		if p > 0 {
			top = max(top, t*l.at(i))
		}
	}
	for i, p := range l.p {
		if p > 0 {
			sum += p * math.Exp(t*l.at(i)-top)
		}
	}
	return top + math.Log(sum)
}

// spread adds the mean and the variance of the finite losses.
func (l *law) spread() (mean, variance float64) {
	for i, p := range l.p {
		mean += p * l.at(i)
	}
	for i, p := range l.p {
		variance += p * (l.at(i) - mean) * (l.at(i) - mean)
	}
	return mean, variance
}

const (
	// negligible is a probability under P that changes no bound.
	negligible = 1e-40
	// minWidth is the least width of a law's range, for losses that are all 0.
	minWidth = 1e-9
)

// effectiveRange returns the range outside of which a finite loss has a negligible probability.
func effectiveRange(l Loss) (low, high float64) {
	low = -lastWithin(func(x float64) bool { p, _ := l.Masses(math.Inf(-1), -x); return p > negligible })
	high = lastWithin(func(x float64) bool { p, _ := l.Masses(x, math.MaxFloat64); return p > negligible })
	return low - minWidth, high + minWidth
}

// lastWithin returns, to a thousandth, an x > 0 up to which within is true, and beyond which it is false.
func lastWithin(within func(x float64) bool) float64 {
	const largest = 1 << 40
	low, high := 0.0, 1.0
	for high < largest && within(high) {
		low, high = high, 2*high
	}
	for high > minWidth && high-low > 1e-3*high {
		if middle := (low + high) / 2; within(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// discretized returns a law on a grid that reveals at least as much as the loss: the probabilities p and q of an
// interval go to its ends, with the losses x and x+step, so that both sums are kept.
func discretized(l Loss, low, high, step float64) law {
	first, last := int(math.Floor(low/step)), int(math.Ceil(high/step))
	g := law{step: step, first: first, p: make([]float64, last-first+1)}
	g.p[0], _ = l.Masses(math.Inf(-1), g.at(0)) // rounded up
	for i := range g.p[1:] {
		p, q := l.Masses(g.at(i), g.at(i+1))
		up := p
		if x := g.at(i); x < largestExponent {
			up = max(0, min((p-math.Exp(x)*q)/-math.Expm1(-step), p))
		}
		g.p[i] += p - up
		g.p[i+1] += up
	}
	g.infinite, _ = l.Masses(g.at(len(g.p)-1), math.Inf(1))
	return g
}

// largestExponent is a loss beyond which exp would overflow; such losses are rounded up.
const largestExponent = 600
