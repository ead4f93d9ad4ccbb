package report

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// edge is an edge of the grid of centres: from centre (i, j) towards larger i, or towards larger j if up.
type edge struct {
	i, j int
	up   bool
}

// contour returns the lines on which z equals level, by marching squares. z is known at the grid points (xs, ys)
// and linear on the edges between them. Squares with an unknown corner are left out. The order of the lines is
// fixed, and a closed line ends at its first point.
func contour(xs, ys []vg.Length, z [][]float64, level float64) [][]vg.Point {
	links := map[edge][]edge{}
	var starts []edge // ends of every segment, in order
	for i := range len(xs) - 1 {
		for j := range len(ys) - 1 {
			for _, segment := range square(i, j, z, level) {
				links[segment[0]] = append(links[segment[0]], segment[1])
				links[segment[1]] = append(links[segment[1]], segment[0])
				starts = append(starts, segment[0], segment[1])
			}
		}
	}
	point := func(e edge) vg.Point {
		a := z[e.i][e.j]
		if e.up {
			t := vg.Length((level - a) / (z[e.i][e.j+1] - a))
			return vg.Point{X: xs[e.i], Y: ys[e.j] + t*(ys[e.j+1]-ys[e.j])}
		}
		t := vg.Length((level - a) / (z[e.i+1][e.j] - a))
		return vg.Point{X: xs[e.i] + t*(xs[e.i+1]-xs[e.i]), Y: ys[e.j]}
	}
	follow := func(from edge) []vg.Point {
		line := []vg.Point{point(from)}
		for len(links[from]) > 0 {
			to := links[from][0]
			links[from] = links[from][1:]
			links[to] = without(links[to], from)
			line = append(line, point(to))
			from = to
		}
		return line
	}
	var lines [][]vg.Point
	for _, open := range []bool{true, false} { // lines that end at a border first, then the closed ones
		for _, e := range starts {
			if n := len(links[e]); n == 1 && open || n > 0 && !open {
				lines = append(lines, follow(e))
			}
		}
	}
	return lines
}

// without removes the first edge that equals e.
func without(edges []edge, e edge) []edge {
	for k := range edges {
		if edges[k] == e {
			return append(edges[:k:k], edges[k+1:]...)
		}
	}
	return edges
}

// square returns the segments at which the level crosses the square whose lower left corner is centre (i, j).
func square(i, j int, z [][]float64, level float64) [][2]edge {
	corners := [4]float64{z[i][j], z[i+1][j], z[i+1][j+1], z[i][j+1]} // counter-clockwise
	sides := [4]edge{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
	var crossed []edge
	mean := 0.0
	for k, c := range corners {
		if math.IsNaN(c) {
			return nil
		}
		mean += c / 4
		if (c >= level) != (corners[(k+1)%4] >= level) {
			crossed = append(crossed, sides[k])
		}
	}
	switch {
	case len(crossed) == 2:
		return [][2]edge{{crossed[0], crossed[1]}}
	case len(crossed) == 4 && (mean >= level) == (corners[0] >= level):
		// At a saddle whose middle is on the side of the first corner, the lines cut off the second and fourth.
		return [][2]edge{{crossed[0], crossed[1]}, {crossed[2], crossed[3]}}
	case len(crossed) == 4:
		return [][2]edge{{crossed[3], crossed[0]}, {crossed[1], crossed[2]}}
	}
	return nil
}

// length returns the length of a line.
func length(line []vg.Point) vg.Length {
	total := vg.Length(0)
	for k := 1; k < len(line); k++ {
		d := line[k].Sub(line[k-1])
		total += vg.Length(math.Hypot(float64(d.X), float64(d.Y)))
	}
	return total
}

// along returns the point of a line at a distance from its start.
func along(line []vg.Point, distance vg.Length) vg.Point {
	for k := 1; k < len(line); k++ {
		step := length(line[k-1 : k+1])
		if distance <= step && step > 0 {
			return line[k-1].Add(line[k].Sub(line[k-1]).Scale(distance / step))
		}
		distance -= step
	}
	return line[len(line)-1]
}
