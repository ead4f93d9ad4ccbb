package privacy

import "math"

// legendreNodes and legendreWeights are the positive half of the 16-point
// Gauss-Legendre rule on [-1, 1] (Abramowitz and Stegun, Table 25.4).
var (
	legendreNodes = [8]float64{
		0.0950125098376374401853193354249581, 0.2816035507792589132304605014604961,
		0.4580167776572273863424194429835775, 0.6178762444026437484466717640487911,
		0.7554044083550030338951011948474422, 0.8656312023878317438804678977123931,
		0.9445750230732325760779884155346083, 0.9894009349916499325961541734503326,
	}
	legendreWeights = [8]float64{
		0.1894506104550684962853967232082831, 0.1826034150449235888667636679692199,
		0.1691565193950025381893120790303599, 0.1495959888165767320815017305474786,
		0.1246289712555338720524762821920164, 0.0951585116824927848099251076022462,
		0.0622535239386478928628438369943776, 0.0271524594117540948517805724560181,
	}
)

const nodesPerPanel = 2 * len(legendreNodes)

// eachNode visits the 16 points of the rule on [low, low+width] and their
// weights. It takes the width, since high-low would lose the digits of a narrow
// interval.
func eachNode(low, width float64, visit func(x, weight float64)) {
	half := width / 2
	centre := low + half
	for i, node := range legendreNodes {
		visit(centre-half*node, half*legendreWeights[i])
		visit(centre+half*node, half*legendreWeights[i])
	}
}

// gaussLegendre integrates f over [low, low+width] with 16 points.
func gaussLegendre(f func(float64) float64, low, width float64) float64 {
	sum := 0.0
	eachNode(low, width, func(x, weight float64) { sum += weight * f(x) })
	return sum
}

// integratePanels integrates a smooth f over [low, high] with 16 points on each
// of equal panels no wider than the given width.
func integratePanels(f func(float64) float64, low, high, width float64) float64 {
	panels := math.Ceil((high - low) / width)
	width = (high - low) / panels
	sum := 0.0
	for i := range int(panels) {
		sum += gaussLegendre(f, low+float64(i)*width, width)
	}
	return sum
}

// integrate integrates a piecewise smooth f over [low, high], halving panels
// until the halves agree with the whole to an absolute tolerance. It starts
// from panels of at most the given width, so that no feature of that width is
// missed, and stops halving at 2^-40 of it.
func integrate(f func(float64) float64, low, high, width, tolerance float64) float64 {
	panels := math.Max(1, math.Ceil((high-low)/width))
	width = (high - low) / panels
	sum := 0.0
	for i := range int(panels) {
		from := low + float64(i)*width
		sum += refine(f, from, width, gaussLegendre(f, from, width), tolerance/panels, maxHalvings)
	}
	return sum
}

const maxHalvings = 40

func refine(f func(float64) float64, low, width, whole, tolerance float64, depth int) float64 {
	half := width / 2
	left, right := gaussLegendre(f, low, half), gaussLegendre(f, low+half, half)
	if depth == 0 || math.Abs(left+right-whole) <= tolerance {
		return left + right
	}
	return refine(f, low, half, left, tolerance/2, depth-1) +
		refine(f, low+half, half, right, tolerance/2, depth-1)
}
