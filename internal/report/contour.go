package report

import (
	"math"
	"slices"

	"veilpath/internal/plot"
)

// contour returns the lines on which z equals level, by marching squares. z is known at the grid points (xs, ys)
// and linear on the edges between them. Squares with an unknown corner are left out. The order of the lines is
// fixed, and a closed line ends at its first point.
func contour(xs, ys []float64, z [][]float64, level float64) (lines [][]plot.Point) {
	for i := range len(xs) - 1 {
		for j := range len(ys) - 1 {
			ends := crossings(xs, ys, z, level, i, j)
			for k := 0; k+1 < len(ends); k += 2 {
				lines = join(lines, ends[k], ends[k+1])
			}
		}
	}
	return lines
}

// crossings returns where the level crosses the sides of a square whose lower left corner is the grid point (i, j), as
// pairs of ends of lines.
func crossings(xs, ys []float64, z [][]float64, level float64, i, j int) (ends []plot.Point) {
	corners := [4][2]int{{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}} // counter-clockwise
	mean := 0.0
	for k, a := range corners {
		b := corners[(k+1)%4]
		if b[0] < a[0] || b[1] < a[1] {
			a, b = b, a // both squares beside a side compute the same point
		}
		za, zb := z[a[0]][a[1]], z[b[0]][b[1]]
		mean += z[corners[k][0]][corners[k][1]] / 4
		if (za >= level) != (zb >= level) {
			t := (level - za) / (zb - za)
			ends = append(ends, plot.Point{X: xs[a[0]] + t*(xs[b[0]]-xs[a[0]]), Y: ys[a[1]] + t*(ys[b[1]]-ys[a[1]])})
		}
	}
	if math.IsNaN(mean) {
		return nil
	}
	if len(ends) == 4 && (mean >= level) != (z[i][j] >= level) {
		// At a saddle whose middle is on the other side than the first corner, the lines cut off the first and third.
		ends = append(ends[3:], ends[:3]...)
	}
	return ends
}

// join adds a piece to the lines that it continues.
func join(lines [][]plot.Point, a, b plot.Point) [][]plot.Point {
	at := func(p plot.Point) int { // the line that ends at p, which it is turned to
		for k, line := range slices.Backward(lines) {
			if line[0] == p {
				slices.Reverse(line)
			}
			if line[len(line)-1] == p {
				return k
			}
		}
		return -1
	}
	first := at(a)
	if first < 0 {
		lines, first = append(lines, []plot.Point{a}), len(lines)
	}
	second := at(b)
	switch second {
	case -1:
		lines[first] = append(lines[first], b)
		return lines
	case first: // it closes, and ends at b since it was turned
		lines[first] = append(lines[first], a)
		return lines
	}
	tail := lines[second]
	slices.Reverse(tail)
	lines[first] = append(lines[first], tail...)
	return slices.Delete(lines, second, second+1)
}
