package privacy

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// nodesPerPanel is the number of points of the Gauss-Legendre rule.
const nodesPerPanel = 16

// legendre returns the points of the rule on [-1, 1] and their weights.
var legendre = sync.OnceValues(func() (points, weights [nodesPerPanel]float64) {
	quad.Legendre{}.FixedLocations(points[:], weights[:], -1, 1)
	return points, weights
})

// eachNode visits the 16 points of the rule on [low, low+width] and their weights. It takes the width, because
// high-low would lose the digits of a narrow interval.
func eachNode(low, width float64, visit func(x, weight float64)) {
	points, weights := legendre()
	half := width / 2
	centre := low + half
	for i, point := range points {
		visit(centre+half*point, half*weights[i])
	}
}

// gaussLegendre integrates f over [low, low+width] with 16 points.
func gaussLegendre(f func(float64) float64, low, width float64) float64 {
	sum := 0.0
	eachNode(low, width, func(x, weight float64) { sum += weight * f(x) })
	return sum
}

// integratePanels integrates a smooth f over [low, high] with 16 points on each of equal panels of at most the
// given width.
func integratePanels(f func(float64) float64, low, high, width float64) float64 {
	panels := math.Ceil((high - low) / width)
	width = (high - low) / panels
	sum := 0.0
	for i := range int(panels) {
		sum += gaussLegendre(f, low+float64(i)*width, width)
	}
	return sum
}

// integrate integrates a piecewise smooth f over [low, high], halving panels until the halves agree with the whole to
// an absolute tolerance. It starts from panels of at most the given width, so that no feature of that width is missed,
// and stops halving at 2^-40 of it.
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
