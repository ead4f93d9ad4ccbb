package plot

import "math"

// Point is a place on screen in points, y downwards.
type Point struct{ X, Y float64 }

// Rect is a rectangle on screen in points.
type Rect struct{ X, Y, W, H float64 }

// Right returns the x of the right edge.
func (r Rect) Right() float64 { return r.X + r.W }

// Bottom returns the y of the lower edge.
func (r Rect) Bottom() float64 { return r.Y + r.H }

// Center returns the middle.
func (r Rect) Center() Point { return Point{r.X + r.W/2, r.Y + r.H/2} }

// Contains reports whether a point lies inside; the right and lower edges do not belong to it.
func (r Rect) Contains(p Point) bool {
	return p.X >= r.X && p.X < r.Right() && p.Y >= r.Y && p.Y < r.Bottom()
}

// Inset returns the rectangle smaller by d on every side, never smaller than nothing.
func (r Rect) Inset(d float64) Rect { return r.Trim(d, d, d, d) }

// Trim returns the rectangle without strips of the given widths, never smaller than nothing.
func (r Rect) Trim(left, top, right, bottom float64) Rect {
	return Rect{r.X + left, r.Y + top, math.Max(0, r.W-left-right), math.Max(0, r.H-top-bottom)}
}

// CutTop returns the upper strip of height h and what is left below it.
func (r Rect) CutTop(h float64) (strip, rest Rect) {
	h = math.Min(h, r.H)
	return Rect{r.X, r.Y, r.W, h}, Rect{r.X, r.Y + h, r.W, r.H - h}
}

// CutBottom returns the lower strip of height h and what is left above it.
func (r Rect) CutBottom(h float64) (strip, rest Rect) {
	h = math.Min(h, r.H)
	return Rect{r.X, r.Bottom() - h, r.W, h}, Rect{r.X, r.Y, r.W, r.H - h}
}

// CutLeft returns the left strip of width w and what is right of it.
func (r Rect) CutLeft(w float64) (strip, rest Rect) {
	w = math.Min(w, r.W)
	return Rect{r.X, r.Y, w, r.H}, Rect{r.X + w, r.Y, r.W - w, r.H}
}

// CutRight returns the right strip of width w and what is left of it.
func (r Rect) CutRight(w float64) (strip, rest Rect) {
	w = math.Min(w, r.W)
	return Rect{r.Right() - w, r.Y, w, r.H}, Rect{r.X, r.Y, r.W - w, r.H}
}

// Within returns the part of the rectangle that lies in another.
func (r Rect) Within(s Rect) Rect {
	x, y := max(r.X, s.X), max(r.Y, s.Y)
	return Rect{x, y, max(0, min(r.Right(), s.Right())-x), max(0, min(r.Bottom(), s.Bottom())-y)}
}

// Around returns the smallest rectangle around two.
func (r Rect) Around(s Rect) Rect {
	x, y := math.Min(r.X, s.X), math.Min(r.Y, s.Y)
	return Rect{x, y, math.Max(r.Right(), s.Right()) - x, math.Max(r.Bottom(), s.Bottom()) - y}
}

// Empty reports whether the rectangle has no area.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Overlaps reports whether two rectangles share an area.
func (r Rect) Overlaps(s Rect) bool {
	return r.X < s.Right() && s.X < r.Right() && r.Y < s.Bottom() && s.Y < r.Bottom()
}

// Away returns how far a point is from the rectangle.
func (r Rect) Away(p Point) float64 {
	return math.Hypot(math.Max(0, math.Max(r.X-p.X, p.X-r.Right())), math.Max(0, math.Max(r.Y-p.Y, p.Y-r.Bottom())))
}

// Away returns how far a point is from the segment between two others.
func (p Point) Away(a, b Point) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	t := 0.0
	if d := dx*dx + dy*dy; d > 0 {
		t = math.Max(0, math.Min(1, ((p.X-a.X)*dx+(p.Y-a.Y)*dy)/d))
	}
	return math.Hypot(p.X-a.X-t*dx, p.Y-a.Y-t*dy)
}

// Outline is a line around the rectangle.
func (r Rect) Outline() []Point {
	return []Point{{r.X, r.Y}, {r.Right(), r.Y}, {r.Right(), r.Bottom()}, {r.X, r.Bottom()}, {r.X, r.Y}}
}
