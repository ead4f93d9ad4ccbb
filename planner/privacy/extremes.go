package privacy

import "math"

// Probabilities of the extremes of groups of independent normals with different means and one standard deviation. A
// group is a list of levels in increasing order. Abscissas are in standard deviations from an origin inside the group,
// so that no digits are lost when the noise is tiny compared to the distances between groups.

// standardized returns the group in standard deviations from an origin.
func standardized(origin float64, group []level, sigma float64) []level {
	levels := make([]level, len(group))
	for i, l := range group {
		levels[i] = level{(l.value - origin) / sigma, l.count}
	}
	return levels
}

// farBelow is the distance below t from which a mean gives P(X <= t) = 1 in doubles, even to the power of any
// table's size: Q(12) = 2e-33.
const farBelow = 12

// logNegligible is below log(negligible) by enough to survive multiplication with the rate of a density.
const logNegligible = -60

// allBelow is P(max of the group <= t); 0 once it is negligible.
func allBelow(group []level, t float64) float64 {
	log := 0.0
	for i := len(group) - 1; i >= 0 && group[i].value > t-farBelow; i-- {
		log += group[i].count * logBelow(t-group[i].value)
		if log < logNegligible {
			return 0
		}
	}
	return math.Exp(log)
}

// logBelow is log Phi(t).
func logBelow(t float64) float64 {
	if t > 1 {
		return math.Log1p(-normalTail(t))
	}
	return math.Log(normalTail(-t))
}

// maximumDensity is the density of the maximum of the group at t.
func maximumDensity(group []level, t float64) float64 {
	below := allBelow(group, t)
	if below == 0 {
		return 0
	}
	rate := 0.0
	for i := len(group) - 1; i >= 0 && group[i].value > t-farBelow; i-- {
		d := t - group[i].value
		rate += group[i].count * normalDensity(d) / normalTail(-d)
	}
	return below * rate
}

// maximumSpan is an interval that contains the maximum of the group except with negligible probability.
func maximumSpan(group []level) (low, high float64) {
	top := group[len(group)-1].value
	return top - normalTailInverse(negligible), top + normalTailInverse(negligible/total(group))
}

func total(group []level) float64 {
	sum := 0.0
	for _, l := range group {
		sum += l.count
	}
	return sum
}

// mirrored turns minima into maxima: min X >= t is max -X <= -t.
func mirrored(group []level) []level {
	m := make([]level, len(group))
	for i, l := range group {
		m[len(group)-1-i] = level{-l.value, l.count}
	}
	return m
}

// orderProbability is P(max of low <= min of high): the integral of the density of the minimum times the
// distribution function of the maximum.
func orderProbability(low, high []level, sigma float64) float64 {
	origin := high[0].value
	lowLevels, negated := standardized(origin, low, sigma), mirrored(standardized(origin, high, sigma))
	from, to := maximumSpan(negated)
	return integratePanels(func(t float64) float64 {
		density := maximumDensity(negated, t)
		if density < negligible {
			return 0
		}
		return density * allBelow(lowLevels, -t)
	}, from, to, quadraturePanel)
}

// chainProbability is P(max lower <= min middle and max middle <= min upper). With v the minimum of upper and u <= v
// the maximum of lower, it integrates their densities times the probability that all of middle lies in [u, v].
func chainProbability(lower, middle, upper []level, sigma float64) float64 {
	bottom, top := lower[len(lower)-1].value, upper[0].value
	negated := mirrored(standardized(top, upper, sigma))
	middleFromTop := standardized(top, middle, sigma)
	grid := newChainGrid(standardized(bottom, lower, sigma), standardized(bottom, middle, sigma))
	gap := (top - bottom) / sigma
	below := make([]float64, len(middle))
	from, to := maximumSpan(negated)
	return integratePanels(func(t float64) float64 {
		density := maximumDensity(negated, t)
		if density < negligible {
			return 0
		}
		return density * grid.integrateUpTo(gap-t, belowAt(-t, middleFromTop, below))
	}, from, to, quadraturePanel)
}

// belowAt fills dst with P(X <= t) for each level of a group.
func belowAt(t float64, group []level, dst []float64) []float64 {
	for i, l := range group {
		dst[i] = normalTail(l.value - t)
	}
	return dst
}

// chainGrid integrates, over u, the maximum of the lower group, the probability that the middle group lies
// between u and a given v. All v share its points; only the panel that v cuts is computed again, so that the
// kink at u = v is never inside a panel.
type chainGrid struct {
	lower, middle []level
	low, width    float64 // of the panels
	points        []chainPoint
	buffer        []float64 // buffer for one point's below
}

// chainPoint is a quadrature point u: its weight times the density of the maximum of lower, and P(X <= u) for
// each level of middle, nil if the mass is negligible.
type chainPoint struct {
	mass  float64
	below []float64
}

func newChainGrid(lower, middle []level) *chainGrid {
	low, high := maximumSpan(lower)
	panels := math.Ceil((high - low) / quadraturePanel)
	g := &chainGrid{
		lower: lower, middle: middle, low: low, width: (high - low) / panels,
		buffer: make([]float64, len(middle)),
	}
	for i := range int(panels) {
		eachNode(low+float64(i)*g.width, g.width, func(u, weight float64) {
			p := chainPoint{mass: weight * maximumDensity(lower, u)}
			if p.mass >= negligible {
				p.below = belowAt(u, middle, make([]float64, len(middle)))
			}
			g.points = append(g.points, p)
		})
	}
	return g
}

// integrateUpTo integrates over u <= v; below is P(X <= v) for each level of middle.
func (g *chainGrid) integrateUpTo(v float64, below []float64) float64 {
	panel := math.Floor((v - g.low) / g.width)
	if panel < 0 {
		return 0
	}
	whole := len(g.points)
	if panel < float64(whole/nodesPerPanel) {
		whole = int(panel) * nodesPerPanel
	}
	sum := 0.0
	for _, p := range g.points[:whole] {
		if p.below != nil {
			sum += p.mass * between(g.middle, p.below, below)
		}
	}
	if whole == len(g.points) {
		return sum
	}
	start := g.low + panel*g.width
	eachNode(start, v-start, func(u, weight float64) {
		if mass := weight * maximumDensity(g.lower, u); mass >= negligible {
			sum += mass * between(g.middle, belowAt(u, g.middle, g.buffer), below)
		}
	})
	return sum
}

// between is the probability that a group lies between two abscissas, given P(X <= each) for its levels; 0 once
// it is negligible.
func between(group []level, belowLow, belowHigh []float64) float64 {
	product := 1.0
	for i, l := range group {
		inside := belowHigh[i] - belowLow[i]
		if l.count > 1 {
			inside = math.Exp(l.count * math.Log(math.Max(0, inside)))
		}
		if product *= inside; product < negligible {
			return 0
		}
	}
	return product
}
