package plot

import (
	"math"
	"slices"
)

// Nearest returns the series whose line passes nearest to a place, if within so many points, and the number of its
// place there; -1 for none. Later series are drawn over earlier ones and win where both are as near.
func (c *Chart) Nearest(at Point, within float64) (series, place int) {
	series, least := -1, within
	for k := range c.Series {
		s := &c.Series[k]
		if s.Deaf {
			continue
		}
		var before Point
		whole := false
		for i := range s.N {
			x, y := s.At(i)
			if math.IsInf(y, 0) || math.IsNaN(y) || math.IsNaN(x) {
				whole = false
				continue
			}
			now := c.At(x, c.low(y))
			if whole && math.Min(before.X, now.X)-within <= at.X && at.X <= math.Max(before.X, now.X)+within {
				if away := at.Away(before, now); away <= least {
					series, place, least = k, i, away
				}
			}
			before, whole = now, true
		}
	}
	return series, place
}

// Over returns the number of the reference that is dragged at a place, its line or its handle; -1 for none.
func (c *Chart) Over(l Canvas, look *Look, at Point) int {
	const reach = 6 // points
	for i := range c.References {
		r := &c.References[i]
		if !r.Drags {
			continue
		}
		away := math.Abs(at.Y - c.PY(r.At))
		if r.Upright {
			away = math.Abs(at.X - c.PX(r.At))
		}
		if c.Area().Contains(at) && away <= reach || c.Handle(l, look, r).Contains(at) {
			return i
		}
	}
	return -1
}

// Hanging is values along X that hang from a line as dots in columns.
type Hanging struct {
	Places []Point // of the values, in their order
	Pitch  float64 // from dot to dot, points
	Bar    bool    // the dots are too small to be told apart
}

// Hang hangs values, as places along X in points, from a height in a room below it. Dots are as small as it takes that
// a heap stays about where it is.
func Hang(xs []float64, top, room float64) Hanging {
	const largest, smallest, step, dot, widest = 3.6, 1.6, 0.4, 2.6, 9 // points
	order := make([]int, len(xs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(math.Copysign(1, xs[a]-xs[b])) })
	for pitch := largest; ; pitch -= step {
		rows, columns := max(3, int(room/pitch)), map[int]int{}
		h := Hanging{Places: make([]Point, len(xs)), Pitch: pitch, Bar: pitch < dot}
		strays := 0.0
		for _, i := range order {
			own := int(math.Floor(xs[i] / pitch))
			c := own
			for away := 0; columns[c] >= rows && away < 80; away++ { // beside, where a column is full
				c = own + (away+2)/2*(1-2*(away&1))
			}
			strays = math.Max(strays, math.Abs(float64(c-own))*pitch)
			h.Places[i] = Point{(float64(c) + 0.5) * pitch, top + 3 + (float64(columns[c])+0.5)*pitch}
			columns[c]++
		}
		if strays <= widest || pitch <= smallest {
			return h
		}
	}
}
