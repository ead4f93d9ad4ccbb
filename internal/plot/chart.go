package plot

import (
	"cmp"
	"image/color"
	"math"
	"strconv"
	"strings"

	"veilpath/internal/axis"
)

// Scale maps the values of an axis to the chart.
type Scale = axis.Scale

// Chart is a chart as data. Its panel has a title above the data, values of Y on the left or the right, and values of X
// below. What is beside the data of a chart of a file, Fit makes room for.
type Chart struct {
	ID, Title, Note string // Note follows the title
	Panel           Rect
	Margins         Margins
	X, Y            Scale
	TicksX, TicksY  []float64              // nil for round values; empty for none
	TextX, TextY    func(v float64) string // what stands at a tick; nil for its number
	NameX           string                 // below the values of X
	RightY          bool                   // values of Y stand at the right, within the chart
	Beside          bool                   // names of series and references stand beside the data; the title is not drawn
	Key             *Key                   // beside the data, at the foot; nil for none

	Cells      []Cell
	Series     []Series
	References []Reference
	Dots       []Dot
	Labels     []Label
	Zones      []Zone // along the foot
	BelowInk   color.NRGBA
	Empty      string  // shown in place of data
	Free       float64 // kept free at the right of the title, points
}

// Margins are the widths around the data, points.
type Margins struct{ Left, Top, Right, Bottom float64 }

// Cell is a rectangle between values, filled.
type Cell struct {
	X0, Y0, X1, Y1 float64
	Ink            color.NRGBA
}

// Series is a line through places, broken where one is not finite, with a band around it where Low and High are given.
type Series struct {
	N         int
	At        func(i int) (x, y float64)
	Low, High []float64 // of the band, at the places
	Bars      bool      // the band is a bar with caps at every place
	Shade     float64   // opacity of the band; 0 for one that hides what is behind it
	Width     float64   // points; 0 for no line
	Ink       color.NRGBA
	Dash, Gap float64 // points; 0 for a whole line
	Mark      Dot     // at every place, where it has a radius
	Name      string  // beside the data, in lines
	Off       float64 // how far the pieces it is drawn with may lie from it, points; 0 for the usual
	Tag       int     // for whom made the chart; what is hit has it
	Deaf      bool    // the pointer cannot hit it
}

// Reference is a line across the chart at a value of Y, or upright at one of X. One that can be dragged has a handle
// with its name.
type Reference struct {
	ID, Name string
	At       float64
	Upright  bool
	Solid    bool
	Drags    bool
	Width    float64 // points; 0 for the usual
	Dash     float64 // length of dashes and gaps of one that is not solid, points; 0 for the usual
	Ink      color.NRGBA
}

// Dot is a mark. A ring is open in the middle; Name is a letter in it.
type Dot struct {
	X, Y, Radius float64
	Ink          color.NRGBA
	Ring         bool
	Name         string
}

// Label is a text beside a place. Shift is where its middle lies from there, points.
type Label struct {
	X, Y  float64
	Shift Point
	Text  string
	Ink   color.NRGBA
	Bold  bool
	Near  bool // as near the place as it can be without covering the series, or left out; Shift does not count
	// Along are further places, values of X and Y, of a label that stands at the first free one, or is left out.
	Along []Point
}

// Zone is a stretch of the foot.
type Zone struct {
	From, To float64
	Ink      color.NRGBA
}

// Area is the place of the data.
func (c *Chart) Area() Rect {
	m := c.Margins
	return c.Panel.Trim(m.Left, m.Top, m.Right, m.Bottom)
}

// PX returns how far to the right a value lies, PY how far down, and At the place of both, points.
func (c *Chart) PX(x float64) float64 { a := c.Area(); return a.X + a.W*c.X.Share(x) }

// PY returns how far down a value lies, points.
func (c *Chart) PY(y float64) float64 { a := c.Area(); return a.Bottom() - a.H*c.Y.Share(y) }

// At returns the place of two values, points.
func (c *Chart) At(x, y float64) Point { return Point{c.PX(x), c.PY(y)} }

// XAt returns the value of X at a place: it undoes PX.
func (c *Chart) XAt(right float64) float64 { a := c.Area(); return c.X.Value((right - a.X) / a.W) }

// YAt returns the value of Y at a place: it undoes PY.
func (c *Chart) YAt(down float64) float64 { a := c.Area(); return c.Y.Value((a.Bottom() - down) / a.H) }

// low keeps values off a logarithmic axis that lie below it: they are drawn just below the chart.
func (c *Chart) low(y float64) float64 {
	if c.Y.Log {
		return math.Max(y, math.Min(c.Y.Low, c.Y.High)/1.2)
	}
	return y
}

// Draw draws the chart.
func (c *Chart) Draw(l Canvas, look *Look) {
	l.RoundRect(c.Panel, look.Corner, look.Panel)
	area := c.Area()
	if !c.Beside {
		head := Rect{X: c.Panel.X + 12, Y: c.Panel.Y + 6, W: c.Panel.W - 24 - c.Free, H: 18}
		w := 0.0
		if c.Title != "" {
			w = l.TextIn(look.Strong, head, Left, look.Ink, c.Title) + 10
		}
		l.TextIn(look.Small, head.Trim(w, 0, 0, 0), Left, look.Muted, c.Note)
	}
	if c.Empty != "" {
		l.TextIn(look.Small, Rect{X: area.X, Y: area.Center().Y - 8, W: area.W, H: 16}, Center, look.Muted, c.Empty)
		return
	}
	if c.Beside {
		c.drawAxes(l, look)
	}
	l.Clip(area)
	for _, cell := range c.Cells {
		a, b := c.At(cell.X0, cell.Y1), c.At(cell.X1, cell.Y0)
		box := Rect{X: a.X, Y: a.Y, W: b.X - a.X, H: b.Y - a.Y}
		if c.Beside { // nothing shows between neighbours
			box.W, box.H = box.W+seam, box.H+seam
		}
		l.Rect(box, cell.Ink)
	}
	if c.BelowInk.A > 0 && len(c.References) > 0 {
		y := math.Max(area.Y, c.PY(c.References[0].At))
		l.Rect(Rect{X: area.X, Y: y, W: area.W, H: area.Bottom() - y}, c.BelowInk)
	}
	l.Unclip()
	if !c.Beside {
		c.drawAxes(l, look)
	}
	for _, z := range c.Zones {
		a, b := math.Max(area.X, c.PX(z.From)), math.Min(area.Right(), c.PX(z.To))
		l.Rect(Rect{X: a, Y: area.Bottom() - 2, W: b - a, H: 4}, z.Ink)
	}
	l.Clip(area.Inset(-1))
	for i := range c.Series {
		c.drawBand(l, look, &c.Series[i])
	}
	for i := range c.Series {
		c.drawLine(l, look, &c.Series[i])
	}
	l.Unclip()
	for i := range c.References {
		c.drawReference(l, look, &c.References[i])
	}
	for _, d := range c.Dots {
		c.DrawDot(l, look, d)
	}
	c.drawLabels(l, look)
	c.drawBeside(l, look)
}

// ticks returns the values that are marked along both axes.
func (c *Chart) ticks() (xs, ys []float64) {
	area, across, up := c.Area(), 110.0, 30.0
	if c.Beside {
		across, up = 50, 24
	}
	xs, ys = c.TicksX, c.TicksY
	if xs == nil {
		xs = Ticks(c.X, max(2, int(area.W/across)))
	}
	if ys == nil {
		ys = Ticks(c.Y, max(1, int(area.H/up)))
	}
	return xs, ys
}

// drawAxes draws the grid and its values.
func (c *Chart) drawAxes(l Canvas, look *Look) {
	area, hair := c.Area(), cmp.Or(look.Hair, 1)
	xs, ys := c.ticks()
	for _, v := range xs {
		x := c.PX(v)
		if c.TicksX == nil {
			l.Rect(Rect{X: x - hair/2, Y: area.Y, W: hair, H: area.H}, look.Grid)
		}
		l.TextIn(look.Small, Rect{X: x - 24, Y: area.Bottom() + 4, W: 48, H: 14}, Center, look.Muted, textOf(c.TextX, v))
	}
	for _, v := range ys {
		y := c.PY(v)
		l.Rect(Rect{X: area.X, Y: y - hair/2, W: area.W, H: hair}, look.Grid)
		if c.RightY {
			l.TextIn(look.Small, Rect{X: area.Right() - 46, Y: math.Max(area.Y, y-15), W: 42, H: 14}, Right, look.Muted,
				textOf(c.TextY, v))
		} else {
			l.TextIn(look.Small, Rect{X: area.X - 46, Y: y - 7, W: 40, H: 14}, Right, look.Muted, textOf(c.TextY, v))
		}
	}
	if c.NameX != "" {
		l.TextIn(look.Small, Rect{X: area.X, Y: area.Bottom() + 19, W: area.W, H: 14}, Center, look.Ink, c.NameX)
	}
}

// DrawSeries draws a line and its band, which need not be of the chart.
func (c *Chart) DrawSeries(l Canvas, look *Look, s *Series) {
	c.drawBand(l, look, s)
	c.drawLine(l, look, s)
}

// drawLine draws the line of a series and its marks.
func (c *Chart) drawLine(l Canvas, look *Look, s *Series) {
	line := Thinned{Off: cmp.Or(s.Off, 0.15)}
	line.Begin()
	end := func() {
		points := line.End()
		if s.Width == 0 {
			line.Begin()
			return
		}
		if s.Dash > 0 {
			l.Dashed(points, s.Width, s.Dash, s.Gap, s.Ink)
		} else if len(points) > 1 {
			l.Line(points, s.Width, s.Ink)
		}
		line.Begin()
	}
	for i := range s.N {
		x, y := s.At(i)
		if math.IsInf(y, 0) || math.IsNaN(y) || math.IsNaN(x) {
			end()
			continue
		}
		line.Add(c.At(x, c.low(y)))
	}
	end()
	for i := 0; i < s.N && s.Mark.Radius > 0; i++ {
		if at := c.At(s.At(i)); c.Area().Inset(-1).Contains(at) {
			drawMark(l, look, s, at)
		}
	}
}

// drawBand draws the band of a series, as bars with caps where it is not continuous.
func (c *Chart) drawBand(l Canvas, look *Look, s *Series) {
	ink := mix(look.Panel, s.Ink, 0.2)
	if s.Shade > 0 {
		ink = Faded(s.Ink, s.Shade)
	}
	known := func(i int) bool { return i < len(s.Low) && i < s.N && !math.IsNaN(s.Low[i]+s.High[i]) }
	for from := 0; from < len(s.Low); from++ {
		var low, high []Point
		for i := from; known(i) && (!s.Bars || i == from); i++ {
			x, _ := s.At(i)
			low, high = append(low, c.At(x, s.Low[i])), append(high, c.At(x, s.High[i]))
		}
		switch {
		case len(low) > 1:
			l.Band(low, high, ink)
			from += len(low) - 1
		case len(low) == 1:
			const half, width = 3, 1 // points, half of a cap
			l.Line([]Point{low[0], high[0]}, width, s.Ink)
			for _, end := range []Point{low[0], high[0]} {
				l.Line([]Point{{end.X - half, end.Y}, {end.X + half, end.Y}}, width, s.Ink)
			}
		}
	}
}

// DrawDot draws a mark at its place, no higher or lower than the chart.
func (c *Chart) DrawDot(l Canvas, look *Look, d Dot) {
	area := c.Area()
	at := c.At(d.X, c.low(d.Y))
	at.Y = math.Max(area.Y, math.Min(area.Bottom(), at.Y))
	if d.Ring {
		l.Ring(at, d.Radius, 2.4, d.Ink)
		return
	}
	l.Disc(at, d.Radius, d.Ink)
	if d.Name != "" {
		l.TextIn(look.Strong, Rect{X: at.X - 10, Y: at.Y - 9, W: 20, H: 18}, Center, look.Panel, d.Name)
	}
}

// drawMark draws the mark of a series at a point. Where no line leads to it, a rim sets it off from what is behind it.
func drawMark(l Canvas, look *Look, s *Series, at Point) {
	const rim, ring = 0.7, 0.9 // points
	r := s.Mark.Radius
	if s.Mark.Ring {
		l.Disc(at, r, look.Panel)
		l.Ring(at, r, ring, s.Mark.Ink)
		return
	}
	if s.Width == 0 {
		l.Disc(at, r+rim, look.Panel)
	}
	l.Disc(at, r, s.Mark.Ink)
}

// Handle is where a reference is dragged by its name; empty for one that stays.
func (c *Chart) Handle(l Canvas, look *Look, r *Reference) Rect {
	if !r.Drags || r.Upright {
		return Rect{}
	}
	area := c.Area()
	w := l.Width(look.Strong, r.Name) + 34
	x := area.Right() - w - 2
	if c.RightY {
		x = area.X + 8
	}
	y := math.Max(area.Y+11, math.Min(area.Bottom()-11, c.PY(r.At)))
	return Rect{X: x, Y: y - 11, W: w, H: 22}
}

// drawReference draws a line with its name or its handle.
func (c *Chart) drawReference(l Canvas, look *Look, r *Reference) {
	area := c.Area()
	line := []Point{{area.X, c.PY(r.At)}, {area.Right(), c.PY(r.At)}}
	if r.Upright {
		line = []Point{{c.PX(r.At), area.Y}, {c.PX(r.At), area.Bottom()}}
	}
	if r.Solid {
		l.Line(line, cmp.Or(r.Width, 1.5), r.Ink)
	} else if at := c.PY(r.At); r.Upright || at >= area.Y && at <= area.Bottom() {
		dash := cmp.Or(r.Dash, 3)
		l.Dashed(line, cmp.Or(r.Width, 1.2), dash, dash, r.Ink)
	}
	if c.Beside {
		return
	}
	if box := c.Handle(l, look, r); !box.Empty() {
		l.RoundRect(box, 11, r.Ink)
		l.TextIn(look.Strong, box.Trim(16, 0, 2, 0), Center, look.Panel, r.Name)
		for _, way := range []float64{-1, 1} { // two arrows, which the font lacks
			x, y := box.X+14, box.Center().Y+3*way
			l.Triangle(Point{x - 4, y}, Point{x + 4, y}, Point{x, y + 5*way}, look.Panel)
		}
		return
	}
	if r.Name == "" {
		return
	}
	w := l.Width(look.Small, r.Name) + 6
	box := c.clearest([]Rect{{area.X + 2, line[0].Y - 17, w, 16}, {area.X + 2, line[0].Y + 2, w, 16},
		{area.Center().X - w/2, line[0].Y - 17, w, 16}, {area.Right() - w - 2, line[0].Y - 17, w, 16}})
	backed(l, look, box, look.Small, r.Ink, r.Name)
}

// backed writes a text on a piece of the panel's colour.
func backed(l Canvas, look *Look, box Rect, style Style, ink color.NRGBA, text string) {
	back := look.Panel
	back.A = 0xC8
	l.RoundRect(box, 3, back)
	l.TextIn(style, box.Trim(3, 0, 0, 0), Left, ink, text)
}

// clearest returns the first box within the chart that covers the fewest places of the series that matter.
func (c *Chart) clearest(boxes []Rect) Rect {
	area, least := c.Area(), math.MaxInt
	best := boxes[0]
	for _, box := range boxes {
		covered := 0
		for i := range c.Series {
			s := &c.Series[i]
			for k := 0; !s.Deaf && k < s.N; k += 1 + s.N/200 {
				if box.Contains(c.At(s.At(k))) {
					covered++
				}
			}
		}
		if box.Y >= area.Y-1 && box.Bottom() <= area.Bottom()+1 && covered < least {
			best, least = box, covered
		}
	}
	return best
}

// drawLabels writes the labels, each where it covers none before it and lies within the chart.
func (c *Chart) drawLabels(l Canvas, look *Look) {
	var taken []Rect
	inside := c.Area().Inset(3)
	for _, label := range c.Labels {
		style := look.Small
		if label.Bold {
			style = look.Strong
		}
		w, at := l.Width(style, label.Text)+7, c.At(label.X, label.Y)
		shifts := []Point{label.Shift, {label.Shift.X, -label.Shift.Y}, {w/2 + 12, 0}, {-w/2 - 12, 0}, {0, 36}, {0, -36}}
		if label.Near {
			shifts = []Point{{w/2 + 4, 0}, {-w/2 - 4, 0}, {0, -12}, {0, 12}, {w/2 + 3, -9}, {-w/2 - 3, -9}, {w/2 + 3, 9},
				{-w/2 - 3, 9}, {w/2 + 9, -18}, {-w/2 - 9, -18}, {w/2 + 9, 18}, {-w/2 - 9, 18}, {0, -24}, {0, 24}}
		}
		if label.Along != nil {
			shifts = shifts[:1]
			for _, p := range label.Along {
				to := c.At(p.X, p.Y)
				shifts = append(shifts, Point{to.X - at.X, to.Y - at.Y})
			}
		}
		var box Rect
		least := math.MaxInt
		for _, shift := range shifts {
			place := Rect{X: at.X + shift.X - w/2, Y: at.Y + shift.Y - 8, W: w, H: 16}
			place.X = math.Max(inside.X, math.Min(inside.Right()-w, place.X))
			place.Y = math.Max(inside.Y, math.Min(inside.Bottom()-16, place.Y))
			covered := 0
			if label.Near {
				covered = c.crossed(place)
			}
			for _, t := range taken {
				if place.Overlaps(t) {
					covered += onAnother
				}
			}
			if covered < least {
				box, least = place, covered
			}
		}
		if (label.Near || label.Along != nil) && least >= onAnother {
			continue
		}
		taken = append(taken, box)
		if label.Near && least == 0 && len(c.Cells) == 0 {
			l.TextIn(style, box.Trim(3, 0, 0, 0), Left, label.Ink, label.Text)
			continue
		}
		backed(l, look, box, style, label.Ink, label.Text)
	}
}

// onAnother is how much it counts that a label lies on another, more than any number of lines.
const onAnother = 1 << 20

// crossed returns how much of the lines, bars and marks of the series lies in a box, in steps.
func (c *Chart) crossed(box Rect) (steps int) {
	along := func(a, b Point) {
		for k := range 16 {
			t := float64(k) / 15
			if box.Contains(Point{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)}) {
				steps++
			}
		}
	}
	for k := range c.Series {
		s := &c.Series[k]
		for i := range s.N {
			x, y := s.At(i)
			if s.Bars {
				along(c.At(x, s.Low[i]), c.At(x, s.High[i]))
			}
			from := i
			if s.Width > 0 {
				from = max(0, i-1)
			}
			along(c.At(s.At(from)), c.At(x, y))
		}
	}
	return steps
}

// Ticks returns round values on a scale, about at most so many.
func Ticks(s Scale, most int) []float64 {
	low, high := math.Min(s.Low, s.High), math.Max(s.Low, s.High)
	if s.Log && high > 8*low {
		return logTicks(low, high, most)
	}
	values, _ := axis.Steps(low, high, most)
	for more := most + 1; len(values) < 2 && more < most+8; more++ { // a single one shows no distance
		values, _ = axis.Steps(low, high, more)
	}
	return values
}

// logTicks returns powers of ten, and twice and five times these where there is room, from the largest down.
func logTicks(low, high float64, most int) (values []float64) {
	const rounding = 1e-9
	first, last := math.Floor(math.Log10(low)+rounding), math.Floor(math.Log10(high)+rounding)
	digits, every := []float64{5, 2, 1}, 1.0
	if decades := math.Log10(high / low); decades >= 2 && 3*decades > float64(most) {
		first, digits = math.Ceil(math.Log10(low)-rounding), digits[2:]
		every = math.Max(1, math.Ceil((last-first+1)/float64(most)))
	}
	for e := last; e >= first; e -= every {
		for _, digit := range digits {
			if v := digit * math.Pow(10, e); v >= low*(1-rounding) && v <= high*(1+rounding) {
				values = append(values, v)
			}
		}
	}
	return values
}

// textOf returns what stands at a tick.
func textOf(text func(float64) string, v float64) string {
	if text != nil {
		return text(v)
	}
	return number(v)
}

// number writes the value of a tick; +0 so that -0 reads 0.
func number(v float64) string {
	text := strconv.FormatFloat(v+0, 'g', 6, 64)
	if !strings.Contains(text, "e") && math.Abs(v) >= 1e3 {
		text = axis.Thousands(text)
	}
	return strings.Replace(text, "-", "−", 1)
}

// Faded returns a colour at an opacity in [0, 1].
func Faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

func mix(a, b color.NRGBA, t float64) color.NRGBA {
	m := func(x, y uint8) uint8 { return uint8(float64(x)*(1-t) + float64(y)*t + 0.5) }
	return color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 0xFF}
}
