package figure

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"veilpath/internal/plot"
)

// field samples a function at whole coordinates.
func field(columns, rows int, of func(x, y float64) float64) (xs, ys []float64, z [][]float64) {
	for i := range columns {
		xs = append(xs, float64(i))
		column := make([]float64, rows)
		for j := range column {
			column[j] = of(float64(i), float64(j))
		}
		z = append(z, column)
	}
	for j := range rows {
		ys = append(ys, float64(j))
	}
	return xs, ys, z
}

func TestContourOfAPlane(t *testing.T) {
	xs, ys, z := field(6, 4, func(x, y float64) float64 { return 2*x + y })
	lines := contour(xs, ys, z, 5.5)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want 1", len(lines))
	}
	for _, p := range lines[0] {
		if got := 2*p.X + p.Y; math.Abs(got-5.5) > 1e-12 { // interpolation is exact up to rounding
			t.Errorf("line passes %v, where the plane is %v", p, got)
		}
	}
	// From 2x = 5.5 at the lower side to 2x + 3 = 5.5 at the upper one.
	if got, want := length(lines[0]), math.Hypot(1.5, 3); math.Abs(got-want) > 1e-12 {
		t.Errorf("length %v, want %v", got, want)
	}
}

func TestContourOfABowlIsClosed(t *testing.T) {
	const centre, radius = 10.0, 7.3
	xs, ys, z := field(21, 21, func(x, y float64) float64 { return math.Hypot(x-centre, y-centre) })
	lines := contour(xs, ys, z, radius)
	if len(lines) != 1 || lines[0][0] != lines[0][len(lines[0])-1] {
		t.Fatalf("%d lines, want one that ends where it began", len(lines))
	}
	for _, p := range lines[0] {
		// Linear interpolation of the distance over a step of 1 is off by at most 1/(8 radius).
		if r := math.Hypot(p.X-centre, p.Y-centre); math.Abs(r-radius) > 1/(8*radius)*1.5 {
			t.Errorf("line passes %v at radius %v, want %v", p, r, radius)
		}
	}
}

func TestContourPassesUnknownsAndEmptyLevels(t *testing.T) {
	xs, ys, z := field(5, 5, func(x, y float64) float64 { return x })
	if lines := contour(xs, ys, z, 9); len(lines) != 0 {
		t.Errorf("%d lines above the surface, want none", len(lines))
	}
	z[2][2] = math.NaN() // leaves out the four squares around it
	lines := contour(xs, ys, z, 1.5)
	total := 0.0
	for _, line := range lines {
		total += length(line)
	}
	if len(lines) != 2 || total != 2 {
		t.Errorf("%d lines of length %v around an unknown, want 2 of together 2", len(lines), total)
	}
}

func TestContourCrossesEverySideOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for range 300 {
		xs, ys, z := field(7, 6, func(x, y float64) float64 { return random.NormFloat64() })
		crossings := map[plot.Point]int{}
		for i := range z {
			for j := range z[i] {
				if i+1 < len(z) && (z[i][j] >= 0) != (z[i+1][j] >= 0) {
					crossings[plot.Point{X: xs[i] + (-z[i][j] / (z[i+1][j] - z[i][j])), Y: ys[j]}]++
				}
				if j+1 < len(z[i]) && (z[i][j] >= 0) != (z[i][j+1] >= 0) {
					crossings[plot.Point{X: xs[i], Y: ys[j] + (-z[i][j] / (z[i][j+1] - z[i][j]))}]++
				}
			}
		}
		lines := contour(xs, ys, z, 0)
		for _, line := range lines {
			if line[0] == line[len(line)-1] {
				line = line[1:]
			}
			for _, p := range line {
				crossings[p]--
			}
		}
		for p, n := range crossings {
			if n != 0 {
				t.Fatalf("lines pass the crossing at %v %d times too few", p, n)
			}
		}
		if !reflect.DeepEqual(lines, contour(xs, ys, z, 0)) {
			t.Fatal("the same surface gave other lines")
		}
	}
}

func length(line []plot.Point) (total float64) {
	for k := 1; k < len(line); k++ {
		total += math.Hypot(line[k].X-line[k-1].X, line[k].Y-line[k-1].Y)
	}
	return total
}
