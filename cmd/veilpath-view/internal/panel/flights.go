package panel

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Flights is where flights are recognised: a dot each over an axis of distances. Flights of about the same distance lie
// in a heap, from left to right and upwards by distance, as large as lets the highest heap fit.
type Flights[T any] struct {
	Dots   []Dot[T] // by distance
	Radius float64  // of a dot, points

	key flightsKey
}

// Dot is the place of a flight.
type Dot[T any] struct {
	Of T
	Km float64 // where it is recognised
	At draw.Point
}

// flightsKey is what the places of the dots depend on.
type flightsKey struct {
	of   any
	area draw.Rect
	far  float64
}

// binWidth is how wide a heap of dots is, points.
const binWidth = 12

// Pile lays the dots of flights in the area of a chart, unless those of the same key lie there, and reports whether
// they lie otherwise now. It takes the flights that recognised says something of, km.
func (f *Flights[T]) Pile(p *chart.Plot, of any, flights []T, recognised func(T) (km float64, ok bool)) bool {
	key := flightsKey{of, p.Area, p.X.High}
	if f.key == key {
		return false
	}
	f.key, f.Dots = key, f.Dots[:0]
	for _, flight := range flights {
		if km, ok := recognised(flight); ok {
			f.Dots = append(f.Dots, Dot[T]{Of: flight, Km: km})
		}
	}
	slices.SortStableFunc(f.Dots, func(a, b Dot[T]) int { return cmp.Compare(a.Km, b.Km) })
	bins := make([]int, int(p.Area.W/binWidth)+1)
	binOf := func(d Dot[T]) int { return max(0, min(len(bins)-1, int(p.Area.W*p.X.Share(d.Km)/binWidth))) }
	highest := 1
	for _, d := range f.Dots {
		b := binOf(d)
		bins[b]++
		highest = max(highest, bins[b])
	}
	const roomy = 500 // points, above which few dots are larger
	columns := 3
	if p.Area.H > roomy {
		columns = 1
	}
	for columns < 12 && float64(highest)/float64(columns)*(binWidth/float64(columns)) > p.Area.H-4 {
		columns++
	}
	pitch := binWidth / float64(columns)
	rise := math.Min(pitch, (p.Area.H-4)/math.Ceil(float64(highest)/float64(columns)))
	clear(bins)
	for i := range f.Dots {
		b := binOf(f.Dots[i])
		row, column := bins[b]/columns, bins[b]%columns
		bins[b]++
		f.Dots[i].At = draw.Point{
			X: p.Area.X + binWidth*float64(b) + pitch*(float64(column)+0.5),
			Y: p.Area.Bottom() - 2 - rise*(float64(row)+0.5),
		}
	}
	f.Radius = math.Max(0.8, pitch*0.44)
	return true
}

// Hang mirrors the dots at the foot of their chart.
func (f *Flights[T]) Hang() {
	for i := range f.Dots {
		f.Dots[i].At.Y = 2*f.key.area.Bottom() - f.Dots[i].At.Y
	}
}

// Draw draws the dots.
func (f *Flights[T]) Draw(l *draw.List, ink func(*Dot[T]) color.NRGBA) {
	for i := range f.Dots {
		l.Disc(f.Dots[i].At, f.Radius, ink(&f.Dots[i]))
	}
}

// Fall draws the dots as they fall into their heaps, from 0 to 1 of the way.
func (f *Flights[T]) Fall(l *draw.List, share float64, ink func(*Dot[T]) color.NRGBA) {
	for i := range f.Dots {
		d := &f.Dots[i]
		begun := 0.5 * float64(i%17) / 17 // they do not all fall at once
		fall := math.Max(0, math.Min(1, (share-begun)/0.5))
		top := f.key.area.Y
		l.Disc(draw.Point{X: d.At.X, Y: top + (d.At.Y-top)*fall*fall}, f.Radius, ink(d))
	}
}

// Nearest returns the dot under the pointer, nil where there is none.
func (f *Flights[T]) Nearest(pointer draw.Point) (nearest *Dot[T]) {
	best := 7. // points
	for i := range f.Dots {
		d := &f.Dots[i]
		if away := math.Hypot(d.At.X-pointer.X, d.At.Y-pointer.Y); away < best {
			nearest, best = d, away
		}
	}
	return nearest
}

// Name writes a name beside the highest dot of those from one distance to another.
func (f *Flights[T]) Name(l *draw.List, t *ui.Theme, p *chart.Plot, nearKm, farKm float64, text string) {
	top, right := p.Area.Bottom(), p.PX(farKm)
	for _, d := range f.Dots {
		if d.Km >= nearKm && d.Km <= farKm {
			top, right = math.Min(top, d.At.Y), math.Max(right, d.At.X)
		}
	}
	box := draw.Rect{W: l.Width(t.Small, text) + 6, H: 15}
	box.X, box.Y = math.Max(p.Area.X, (p.PX(nearKm)+right-box.W)/2), top-box.H-6
	if box.Y < p.Area.Y { // its dots reach to the top
		box.X, box.Y = right+10, p.Area.Y+12
	}
	if box.Right() > p.Area.Right() {
		box.X = p.PX(nearKm) - 12 - box.W
	}
	l.RoundRect(box, 3, ui.Faded(t.Panel, 0.9))
	l.TextIn(t.Small, box, draw.Center, t.Ink, text)
}

// Flag marks a distance, with its name above the chart.
type Flag struct {
	Km   float64
	Ink  color.NRGBA
	Text string
}

// DrawFlags marks distances on a chart, whose names stand beside each other above it.
func DrawFlags(l *draw.List, t *ui.Theme, p *chart.Plot, flags []Flag) {
	const air = 4 // between names, points
	slices.SortStableFunc(flags, func(a, b Flag) int { return cmp.Compare(b.Km, a.Km) })
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
