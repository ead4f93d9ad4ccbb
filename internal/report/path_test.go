package report

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// A simplified path keeps both ends, stays near every point at any scale, and has few points on straight lines.
func TestSimplify(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 1e3} {
		var path []r3.Vec
		for k := range 400 { // a corner, and then half a circle around (4, 1)
			switch x := 0.01 * float64(k); {
			case k < 100:
				path = append(path, r3.Vec{X: scale * x, Y: scale * 3})
			case k < 200:
				path = append(path, r3.Vec{X: scale, Y: scale * (4 - x)})
			default:
				sin, cos := math.Sincos(math.Pi * (x - 2) / 2)
				path = append(path, r3.Vec{X: scale * (4 - 3*cos), Y: scale * (2 - 3*sin)})
			}
		}
		tolerance := 0.004 * scale
		simple := Simplify(path, tolerance)
		if simple[0] != path[0] || simple[len(simple)-1] != path[len(path)-1] {
			t.Errorf("scale %v: the ends are %v and %v", scale, simple[0], simple[len(simple)-1])
		}
		if len(simple) > 64 {
			t.Errorf("scale %v: %d points of %d", scale, len(simple), len(path))
		}
		for _, p := range path {
			nearest := math.Inf(1)
			for k := range simple[1:] {
				nearest = min(nearest, fromSegment(p, simple[k], simple[k+1]))
			}
			if nearest > tolerance {
				t.Errorf("scale %v: %v is %v from the drawn path", scale, p, nearest)
			}
		}
	}
	for n := range 3 {
		if got := Simplify(make([]r3.Vec, n), 1); len(got) != n {
			t.Errorf("%d points become %d", n, len(got))
		}
	}
}

// The distance is to the segment, also beyond its ends and where it is a point.
func TestFromSegment(t *testing.T) {
	for _, c := range []struct {
		p, a, b r3.Vec
		want    float64
	}{
		{r3.Vec{X: 1, Y: 2}, r3.Vec{}, r3.Vec{X: 4}, 2},
		{r3.Vec{X: 7, Y: 4}, r3.Vec{}, r3.Vec{X: 4}, 5},
		{r3.Vec{X: -3, Z: 4}, r3.Vec{}, r3.Vec{X: 4}, 5},
		{r3.Vec{X: 3, Y: 4}, r3.Vec{}, r3.Vec{}, 5},
	} {
		if got := fromSegment(c.p, c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v is %v from %v to %v, want %v", c.p, got, c.a, c.b, c.want)
		}
	}
}
