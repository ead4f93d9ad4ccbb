package privacy

import (
	"math"
	"slices"
)

// foldedMaximum is the distribution of M = max_j |r_j + z_j|, z_j independent normals, grouped by their
// standard deviations.
type foldedMaximum []foldedGroup

// foldedGroup is the entries whose noise has one standard deviation; levels are their distinct |r_j|, increasing.
type foldedGroup struct {
	levels []level
	sigma  float64
}

func newFoldedGroup(reward []float64, sigma float64) foldedGroup {
	magnitudes := make([]float64, len(reward))
	for i, r := range reward {
		magnitudes[i] = math.Abs(r)
	}
	slices.Sort(magnitudes)
	return foldedGroup{levels(magnitudes), sigma}
}

// atMost is P(M <= t) = prod_j [Phi((t-|r_j|)/sigma_j) - Phi((-t-|r_j|)/sigma_j)].
func (m foldedMaximum) atMost(t float64) float64 {
	if t <= 0 {
		return 0
	}
	log := 0.0
	for _, g := range m {
		log += g.logAtMost(t)
	}
	return math.Exp(log)
}

// logAtMost is the log of a group's factor of atMost; a value below logNegligible once it is negligible.
func (m foldedGroup) logAtMost(t float64) float64 {
	log := 0.0
	for i := len(m.levels) - 1; i >= 0 && log > logNegligible; i-- {
		l := m.levels[i]
		if l.value < t-farBelow*m.sigma {
			break // with certainty all remaining entries are below t
		}
		near, far := (t-l.value)/m.sigma, (t+l.value)/m.sigma
		outside := normalTail(near) + normalTail(far)
		if outside > 0.5 {
			inside := normalTail(-near) - normalTail(far)
			if width := near + far; width < narrow { // subtraction would cancel
				inside = gaussLegendre(normalDensity, -far, width)
			}
			log += l.count * math.Log(inside)
		} else {
			log += l.count * math.Log1p(-outside)
		}
	}
	return log
}

// exceeds is P(M > t), to full precision where it is small.
func (m foldedMaximum) exceeds(t float64) float64 {
	if t <= 0 {
		return 1
	}
	log := 0.0
	for _, g := range m {
		for i := len(g.levels) - 1; i >= 0 && g.levels[i].value >= t-farBelow*g.sigma; i-- {
			l := g.levels[i]
			outside := normalTail((t-l.value)/g.sigma) + normalTail((t+l.value)/g.sigma)
			if outside > 0.5 {
				return 1 - m.atMost(t)
			}
			log += l.count * math.Log1p(-outside)
		}
	}
	return -math.Expm1(log)
}

// end is a point that M exceeds only with negligible probability.
func (m foldedMaximum) end() float64 {
	entries, end := 0.0, 0.0
	for _, g := range m {
		entries += total(g.levels)
	}
	for _, g := range m {
		end = max(end, g.levels[len(g.levels)-1].value+g.sigma*normalTailInverse(negligible/(2*entries)))
	}
	return end
}

// finest is the smallest standard deviation of a group.
func (m foldedMaximum) finest() float64 {
	finest := math.Inf(1)
	for _, g := range m {
		finest = min(finest, g.sigma)
	}
	return finest
}

// meanLog is E log(M/unit), by integration by parts from any start c: log(c/unit) plus the integral of P(M > t)/t above
// c minus the integral of P(M <= t)/t below c. Both are smooth in s = log t; below c, P(M <= t) falls at least like t.
func (m foldedMaximum) meanLog(unit float64) float64 {
	start, end := m.median(), m.end()
	// A panel in log t of at most sigma/4 resolves a step of P at the end of the range; one of at most 1/4
	// resolves the decay towards zero.
	width := math.Min(panelFraction, panelFraction*m.finest()/end)
	up := integrate(func(s float64) float64 { return m.exceeds(start * math.Exp(s)) },
		0, math.Log(end/start), width, quadratureTolerance)
	down := 0.0
	for s := 0.0; m.atMost(start*math.Exp(s)) > negligible; s -= width {
		down += integrate(func(s float64) float64 { return m.atMost(start * math.Exp(s)) },
			s-width, s, width, quadratureTolerance)
	}
	return math.Log(start/unit) + up - down
}

// panelFraction is the largest width of a panel in standard deviations, and in units of the decay.
const panelFraction = 0.25

// median is approximately the median of M; any interior point would do.
func (m foldedMaximum) median() float64 {
	low, high := 0.0, m.end()
	for range 60 {
		middle := low + (high-low)/2
		if m.atMost(middle) < 0.5 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// meanSteps is E ceil(sweeps(M)): the sum over integers k of P(sweeps(M) > k), from the largest k at which the
// probability is 1.
func (m foldedMaximum) meanSteps(v Convergence) float64 {
	end := m.end()
	if m.finest()/end > fineSteps*-math.Log(v.Gamma) {
		return v.sweeps(1) + m.meanLog(1)/-math.Log(v.Gamma) + 0.5
	}
	sum := 0.0
	for k := math.Ceil(v.sweeps(end)); ; k-- {
		p := m.exceeds(v.largestFor(k))
		if sum += p; p >= 1 {
			return sum + k
		}
	}
}

// If a sweep is this many times finer than the noise, rounding up adds 1/2 on average: the Euler-Maclaurin
// error, about exp(-2 pi^2 w^2) for w sweeps per standard deviation, is below double precision already at w =
// 2, and the extreme of a table is narrower than its noise by less than the remaining factor.
const fineSteps = 100
