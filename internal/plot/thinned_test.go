package plot

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What a thinned line leaves out lies as near to it as is said, whatever the line; it begins and ends where the line
// does.
func TestThinned(t *testing.T) {
	const off, rounding = 0.15, 1e-9
	random := rand.New(rand.NewPCG(1, 2))
	lines := map[string]func(i int) Point{
		"circles": func(i int) Point {
			sin, cos := math.Sincos(0.031 * float64(i))
			return Point{30 * cos, 30 * sin}
		},
		"to and fro": func(i int) Point { return Point{float64(i % 50), 0} },
		"noise":      func(int) Point { return Point{random.Float64(), random.Float64()} },
		"stops":      func(i int) Point { return Point{float64(max(0, i-5) / 7), math.Sqrt(float64(i / 9))} },
		"straight":   func(i int) Point { return Point{3 * float64(i), 4 * float64(i)} },
	}
	most := map[string]int{"circles": 420, "straight": 2}
	for name, at := range lines {
		var all []Point
		thinned := Thinned{Off: off}
		thinned.Begin()
		for i := range 2000 {
			all = append(all, at(i))
			thinned.Add(all[i])
		}
		line := thinned.End()
		if line[0] != all[0] || line[len(line)-1] != all[len(all)-1] {
			t.Errorf("%s: from %v to %v, want %v to %v", name, line[0], line[len(line)-1], all[0], all[len(all)-1])
		}
		if m := most[name]; m > 0 && len(line) > m {
			t.Errorf("%s: %d points, want at most %d", name, len(line), m)
		}
		for _, p := range all {
			near := math.Inf(1)
			for i := 1; i < len(line); i++ {
				near = math.Min(near, awayFrom(p, line[i-1], line[i]))
			}
			if near > off+rounding {
				t.Errorf("%s: %v lies %v off", name, p, near)
				break
			}
		}
	}
}

func awayFrom(p, a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	u := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		u = math.Max(0, math.Min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/d))
	}
	return math.Hypot(p.X-a.X-u*dx, p.Y-a.Y-u*dy)
}
