package panel

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Flights is where flights are recognised: a dot each over an axis of distances. Each stands at its distance, as low as
// it covers no other, and all are as large as lets the highest heap fit; dots that would be too small to see cover each
// other in part.
type Flights struct {
	Dots   []Dot   // by distance
	Radius float64 // of a dot, points

	key flightsKey
}

// Dot is the place of a flight.
type Dot struct {
	Of *model.Member
	Km float64 // where it is recognised
	At draw.Point
}

// flightsKey is what the places of the dots depend on.
type flightsKey struct {
	of      *model.Ensemble
	version uint64
	area    draw.Rect
	far     float64
}

// Pile lays the dots of the flights of an ensemble that are there in the area of a chart, unless they lie there, and
// reports whether they lie otherwise now.
func (f *Flights) Pile(p *chart.Plot, of *model.Ensemble) bool {
	key := flightsKey{of, of.Version, p.Area, p.X.High}
	if f.key == key {
		return false
	}
	f.key, f.Dots = key, f.Dots[:0]
	for _, m := range of.Members {
		if m != nil {
			f.Dots = append(f.Dots, Dot{Of: m, Km: m.Run.DetectionKm})
		}
	}
	slices.SortStableFunc(f.Dots, func(a, b Dot) int { return cmp.Compare(a.Km, b.Km) })
	const largest, least, shrink = 12, 1, 0.95 // points, but for the share that a dot shrinks to
	const foot, air = 5, 2                     // below the lowest dots and above the highest, points
	pitch, high := math.Max(4, math.Min(largest, p.Area.H/40)), p.Area.H-foot-air
	for pitch > least && pitch*float64(f.levels(p, pitch)) > high {
		pitch *= shrink
	}
	rise := math.Min(pitch, high/float64(max(1, f.levels(p, pitch))))
	var ends []float64 // of the last dot of each level
	for i := range f.Dots {
		x := p.PX(f.Dots[i].Km)
		level := slices.IndexFunc(ends, func(end float64) bool { return end+pitch <= x })
		if level < 0 {
			level, ends = len(ends), append(ends, x)
		}
		ends[level] = x
		f.Dots[i].At = draw.Point{X: x, Y: p.Area.Bottom() - foot - rise*(float64(level)+0.5)}
	}
	const seen = 1.7 // points
	f.Radius = math.Max(seen, pitch*0.44)
	return true
}

// levels returns how many dots stand over each other where most do, if each takes so much of the axis.
func (f *Flights) levels(p *chart.Plot, pitch float64) (most int) {
	first := 0
	for i, d := range f.Dots {
		for p.PX(f.Dots[first].Km)+pitch <= p.PX(d.Km) {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// Hang mirrors the dots at the foot of their chart.
func (f *Flights) Hang() {
	for i := range f.Dots {
		f.Dots[i].At.Y = 2*f.key.area.Bottom() - f.Dots[i].At.Y
	}
}

// Draw draws the dots.
func (f *Flights) Draw(l *draw.List, ink func(*Dot) color.NRGBA) {
	for i := range f.Dots {
		l.Disc(f.Dots[i].At, f.Radius, ink(&f.Dots[i]))
	}
}

// Nearest returns the dot under the pointer, nil where there is none. Dots may stand closer than a pixel: at the edge
// of all, it is the one that is recognised closest to the target, or farthest from it.
func (f *Flights) Nearest(pointer draw.Point) (nearest *Dot) {
	best := 7. // points
	for i := range f.Dots {
		d := &f.Dots[i]
		if away := math.Hypot(d.At.X-pointer.X, d.At.Y-pointer.Y); away < best {
			nearest, best = d, away
		}
	}
	if nearest == nil {
		return nil
	}
	switch first, last := &f.Dots[0], &f.Dots[len(f.Dots)-1]; {
	case pointer.X < first.At.X:
		return first
	case pointer.X > last.At.X:
		return last
	}
	return nearest
}

// nameLine is the height of a line of a name, points.
const nameLine = 15

// Name writes a name in lines next to the dots of those from one distance to another, clear of all dots and of what is
// taken, and returns where. It stands on a mark only where no other place is free; where none is, there is no name.
func (f *Flights) Name(l *draw.List, t *ui.Theme, p *chart.Plot, nearKm, farKm float64, lines []string,
	marks, taken []draw.Rect) draw.Rect {
	size := draw.Point{X: l.Widest(t.Small, lines) + 6, Y: nameLine * float64(len(lines))}
	box := f.nameBox(p, nearKm, farKm, size, marks, taken)
	if !box.Empty() {
		l.RoundRect(box, 3, ui.Faded(t.Panel, 0.9))
		l.Lines(t.Small, draw.Rect{X: box.X, Y: box.Y, W: box.W, H: nameLine}, draw.Center, t.Ink, lines)
	}
	return box
}

// nameBox is where a name of a size stands: above its dots, or else to the right or the left of them.
func (f *Flights) nameBox(p *chart.Plot, nearKm, farKm float64, size draw.Point, marks, taken []draw.Rect) draw.Rect {
	const gap, beyond = 6, 10 // beyond the axis there is some room
	w, h := size.X, size.Y
	left, right, top := p.PX(nearKm), p.PX(farKm), p.Area.Bottom()
	taken = slices.Clone(taken)
	for _, d := range f.Dots {
		own := d.Km >= nearKm && d.Km <= farKm
		if own {
			top = math.Min(top, d.At.Y)
		}
		taken = append(taken, draw.Rect{X: d.At.X, Y: d.At.Y}.Inset(-f.Radius-either(own, 0., gap)))
	}
	middle := math.Max(p.Area.X, math.Min((left+right-w)/2, p.Area.Right()-w))
	boxes := []draw.Rect{{X: middle, Y: top - h - gap, W: w, H: h}}
	for away := float64(gap); away <= 4*gap; away += gap {
		for _, x := range []float64{right + away, left - away - w} {
			y := math.Min(math.Max(p.Area.Y+gap, top), p.Area.Bottom()-h)
			boxes = append(boxes, draw.Rect{X: x, Y: y, W: w, H: h})
		}
	}
	for _, avoided := range [][]draw.Rect{slices.Concat(taken, marks), taken} {
		for _, box := range boxes {
			if box.X >= p.Area.X-beyond && box.Right() <= p.Area.Right()+beyond && box.Y >= p.Area.Y &&
				!slices.ContainsFunc(avoided, box.Overlaps) {
				return box
			}
		}
	}
	return draw.Rect{}
}

// flag marks a distance, with its name above the chart.
type flag struct {
	Km   float64
	Ink  color.NRGBA
	Text string
}

// drawFlags marks distances on a chart, whose names stand beside each other above it.
func drawFlags(l *draw.List, t *ui.Theme, p *chart.Plot, flags []flag) {
	const air = 4 // between names, points
	slices.SortStableFunc(flags, func(a, b flag) int { return cmp.Compare(b.Km, a.Km) })
	names, right := make([]draw.Rect, len(flags)), p.Area.Right()+8
	for i, f := range flags {
		x, w := p.PX(f.Km), l.Width(t.Small, f.Text)+2
		l.Dashed([]draw.Point{{X: x, Y: p.Area.Y}, {X: x, Y: p.Area.Bottom()}}, 1.3, 3, 3, f.Ink)
		names[i] = draw.Rect{X: math.Min(x-w/2, right-w), Y: p.Area.Y - 14, W: w, H: 14}
		right = names[i].X - air
	}
	left := p.Area.X
	for i, f := range slices.Backward(flags) {
		names[i].X = math.Max(names[i].X, left)
		left = names[i].Right() + air
		l.TextIn(t.Small, names[i], draw.Center, f.Ink, f.Text)
	}
}
