package draw

import "math"

// Thinned is a line that is drawn with few points: each that is left out lies within Off of the piece that passes it.
type Thinned struct {
	Off float64 // points

	points    []Point
	last      Point // seen, and not in points yet
	pending   bool
	reached   float64 // square of how far from the last one kept last lies
	low, high Point   // between these directions, from the last one kept, a piece passes all that were left out
}

// Begin empties the line.
func (t *Thinned) Begin() { t.points, t.pending = t.points[:0], false }

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
	t.pending = false
	t.passes(p)
}

// passes takes a point for the last one, unless a piece to it passes too far from one that would be left out.
func (t *Thinned) passes(p Point) bool {
	from := t.points[len(t.points)-1]
	d := Point{p.X - from.X, p.Y - from.Y}
	reach := d.X*d.X + d.Y*d.Y
	if t.pending && !(reach >= t.reached && cross(t.low, d) >= 0 && cross(d, t.high) >= 0) { // not where a number is none
		return false
	}
	across := t.Off / math.Max(math.Sqrt(reach), t.Off)
	low, high := Point{d.X + d.Y*across, d.Y - d.X*across}, Point{d.X - d.Y*across, d.Y + d.X*across}
	if !t.pending || cross(t.low, low) > 0 {
		t.low = low
	}
	if !t.pending || cross(high, t.high) > 0 {
		t.high = high
	}
	t.last, t.reached, t.pending = p, reach, true
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
