package plot

import "math"

// Thinned is a line that is drawn with few points: each that is left out lies within Off of the piece that passes it.
type Thinned struct {
	Off float64 // points

	points    []Point
	last      Point // seen, and not in points yet
	pending   bool
	reached   float64 // how far last lies from the last one kept
	bounded   bool
	low, high Point // between these directions, from the last one kept, a piece passes all that were left out
}

// Begin empties the line.
func (t *Thinned) Begin() { t.points, t.pending, t.bounded = t.points[:0], false, false }

// Add goes on to a point.
func (t *Thinned) Add(p Point) {
	if len(t.points) == 0 {
		t.points = append(t.points, p)
		return
	}
	if t.pending && t.passes(p) {
		return
	}
	if t.pending {
		t.points = append(t.points, t.last)
	}
	t.pending, t.bounded = false, false
	t.passes(p)
}

// passes takes a point for the last one, unless a piece to it passes too far from one that would be left out.
func (t *Thinned) passes(p Point) bool {
	from := t.points[len(t.points)-1]
	d := Point{p.X - from.X, p.Y - from.Y}
	reach := math.Sqrt(d.X*d.X + d.Y*d.Y)
	back := t.pending && !(reach >= t.reached) // or no number
	if back || t.bounded && !(cross(t.low, d) >= 0 && cross(d, t.high) >= 0) {
		return false
	}
	t.last, t.reached, t.pending = p, reach, true
	if reach <= t.Off {
		return true
	}
	// The tangents from the last one kept to the circle of Off around the point.
	sin := t.Off / reach
	cos := math.Sqrt(1 - sin*sin)
	low, high := Point{d.X*cos + d.Y*sin, d.Y*cos - d.X*sin}, Point{d.X*cos - d.Y*sin, d.Y*cos + d.X*sin}
	if !t.bounded || cross(t.low, low) > 0 {
		t.low = low
	}
	if !t.bounded || cross(high, t.high) > 0 {
		t.high = high
	}
	t.bounded = true
	return true
}

// End returns the line; it holds until the next Begin.
func (t *Thinned) End() []Point {
	if t.pending {
		t.points = append(t.points, t.last)
		t.pending = false
	}
	return t.points
}

func cross(a, b Point) float64 { return a.X*b.Y - a.Y*b.X }
