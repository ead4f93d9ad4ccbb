package panel

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

const (
	// LegendWidth is the width of the legend, points; its texts have 36 less.
	LegendWidth = 176
	legendRow   = 17
)

// legendEntry is a sign and what it means.
type legendEntry struct {
	text string
	sign func(l *draw.List, at draw.Point)
}

func (m *Map) legendEntries() []legendEntry {
	t := m.Theme
	line := func(c color.NRGBA, width float64) func(*draw.List, draw.Point) {
		return func(l *draw.List, p draw.Point) {
			l.Segment(draw.Point{X: p.X - 8, Y: p.Y}, draw.Point{X: p.X + 8, Y: p.Y}, width, c)
		}
	}
	var entries []legendEntry
	if m.DrawsDirect() {
		entries = append(entries, legendEntry{m.World.DirectWay(), func(l *draw.List, p draw.Point) {
			l.Dashed([]draw.Point{{X: p.X - 8, Y: p.Y}, {X: p.X + 8, Y: p.Y}}, 1.8, 6, 4, m.DirectInk())
		}})
	}
	if m.Show == model.ShowPlanned {
		entries = append(entries, legendEntry{"planned without noise", line(m.ShownInk(), 3)})
	}
	if !m.baseline() {
		entries = append(entries, legendEntry{"private flight",
			line(t.PrivateInk(), 3)})
		if m.FanText != "" {
			entries = append(entries, legendEntry{m.FanText, func(l *draw.List, p draw.Point) {
				bar(l, draw.Rect{X: p.X - 8, Y: p.Y - 3, W: 16, H: 6}, 16, t.Shade)
			}})
		}
		entries = append(entries,
			legendEntry{"waypoint chosen", func(l *draw.List, p draw.Point) { l.Disc(p, 4, t.WaypointInk()) }},
			legendEntry{"goal", func(l *draw.List, p draw.Point) { l.Cross(p, 4, 2, t.WaypointInk()) }})
	}
	if m.Over != nil {
		entries = append(entries, legendEntry{"kept flight", line(t.KeptInk(), 1.8)})
	}
	if m.grid().KeepsOut() {
		entries = append(entries, legendEntry{either(m.Crossed == "", "kept out of", "kept out; "+m.Crossed+" over"),
			func(l *draw.List, p draw.Point) {
				m.hatch(l, draw.Rect{X: p.X - 6, Y: p.Y - 6, W: 12, H: 12})
			}})
	}
	return append(entries,
		legendEntry{"observer's guess", func(l *draw.List, p draw.Point) {
			l.Dashed([]draw.Point{{X: p.X - 8, Y: p.Y}, {X: p.X + 4, Y: p.Y}}, 1, 2, 3, t.ObserverInk())
			l.Disc(draw.Point{X: p.X + 5, Y: p.Y}, 3.5, t.ObserverInk())
		}},
		legendEntry{"recognised", func(l *draw.List, p draw.Point) {
			l.Ring(p, 5, 2, t.CaughtInk())
			l.Disc(p, 1.8, t.CaughtInk())
		}},
		legendEntry{"hand-over", func(l *draw.List, p draw.Point) {
			l.Dashed(draw.Circle(p, 6, m.Scale), 1.2, 3, 2.5, t.Muted)
		}})
}

// legendHeight is the height of the legend on the map.
func (m *Map) legendHeight() float64 {
	h := legendRow*float64(len(m.legendEntries())) + 10
	if m.Heat != answer.HeatOff {
		h += 34
	}
	return h
}

// DrawLegend draws the signs and what they mean in so many columns, and below them the reward map's range.
func (m *Map) DrawLegend(l *draw.List, r draw.Rect, columns int) {
	t := m.Theme
	row := either(m.Fingers, legendRow+4., legendRow)
	entries := m.legendEntries()
	rows := (len(entries) + columns - 1) / columns
	w := r.W / float64(columns)
	for i, e := range entries {
		x, y := r.X+w*float64(i/rows), r.Y+5+row*float64(i%rows)
		e.sign(l, draw.Point{X: x + 17, Y: y + row/2})
		text := e.text
		if l.Width(t.Small, text) > w-36 {
			text = strings.Replace(text, " flights,", ":", 1)
		}
		l.TextIn(t.Small, draw.Rect{X: x + 33, Y: y, W: w - 36, H: row}, draw.Left, t.Ink, text)
	}
	m.heatLegend(l, draw.Rect{X: r.X + 10, Y: r.Y + 10 + row*float64(rows), W: r.W - 20, H: 7})
}

// heatLegend draws what the colours of what is painted mean.
func (m *Map) heatLegend(l *draw.List, r draw.Rect) {
	const steps = 60
	t, low, name, high := m.Theme, "1/512", "goal's probability", "1"
	switch m.Heat {
	case answer.HeatOff:
		return
	case answer.HeatBelief:
		bar(l, r, steps, func(share float64) color.NRGBA { return m.beliefColour(math.Exp2(faintBits * (share - 1))) })
	default:
		m.fillHeat()
		h := &m.heat
		low, high = chart.Fixed(h.low, 0), chart.Fixed(h.high, 0)
		name = either(m.World.DrawnGoal() != nil, "drawn − true reward", "noise")
		bar(l, r, steps, func(share float64) color.NRGBA { return m.heatColour(h.low + (h.high-h.low)*share) })
	}
	foot := draw.Rect{X: r.X, Y: r.Y + 8, W: r.W, H: 15}
	l.TextIn(t.Small, foot, draw.Left, t.Muted, low)
	l.TextIn(t.Small, foot, draw.Center, t.Ink, name)
	l.TextIn(t.Small, foot, draw.Right, t.Muted, high)
}

// bar draws the colours from 0 to 1 in so many steps.
func bar(l *draw.List, r draw.Rect, steps int, colour func(share float64) color.NRGBA) {
	w := r.W / float64(steps)
	for i := range steps {
		l.Rect(draw.Rect{X: r.X + w*float64(i), Y: r.Y, W: w, H: r.H}, colour(float64(i)/float64(steps-1)))
	}
}

const lensSide = 132

// lensRadii is how many detection radii the lens reaches out.
const lensRadii = 5

// lens enlarges the surroundings of the target: the ball of the detection radius, and the observer's
// guesses of the last seconds running into it.
func (m *Map) lens(l *draw.List, f *model.Flight, now int) {
	t, r := m.Theme, m.cards.lens
	if r.Empty() {
		return
	}
	l.Frame(r, ui.Corner, 1, t.Grid, t.Panel)
	inner := r.Inset(1)
	l.Clip(inner)
	target, radius := f.Target, m.World.Config.Adversary.RadiusKm
	k := inner.W / 2 / (lensRadii * radius)
	center := inner.Center()
	at := func(i int) draw.Point {
		p := f.Predicted[i]
		x, y := (p.X-target.X)*k, (p.Y-target.Y)*k
		if far := math.Hypot(x, y); far > lensFar {
			x, y = x/far*lensFar, y/far*lensFar
		}
		return draw.Point{X: center.X + x, Y: center.Y - y}
	}
	l.Disc(center, radius*k, ui.Faded(t.ObserverInk(), 0.16))
	l.Ring(center, radius*k, 1.2, t.ObserverInk())
	l.Cross(center, 3.5, 1.5, t.Ink)
	from := max(0, now-int(trailS/f.StepS))
	points := m.points[:0]
	for i := from; i <= now; i++ {
		if f.Foreseen(i) {
			points = append(points, at(i))
		}
	}
	m.points = points
	l.Line(points, 1.4, ui.Faded(t.ObserverInk(), 0.7))
	if f.Run.Detected && f.Detection.Sample <= now {
		l.Ring(at(f.Detection.Sample), 5, 2, t.CaughtInk())
	}
	if f.Foreseen(now) {
		l.Disc(at(now), 4, t.ObserverInk())
	}
	l.Unclip()
	name := func(text string, x, y float64) { // x from the left, or where it is negative from the right
		at := draw.Rect{X: inner.X + x, Y: inner.Y + y, W: l.Width(t.Small, text) + 6, H: 15}
		if x < 0 {
			at.X = inner.Right() + x - at.W
		}
		l.RoundRect(at, 3, ui.Faded(t.Panel, 0.95))
		l.TextIn(t.Small, at, draw.Center, t.Muted, text)
	}
	name("guess, near target", 4, 3)
	name("ρ "+chart.Number(radius)+" km", -4, inner.H-18)
}

// lensFar keeps guesses far off the lens from overflowing, points.
const lensFar = 4000

// readingsWidth is the width of the readings in one column, points.
const readingsWidth = 160

// DrawReadings writes the numbers of the moment in so many columns.
func (m *Map) DrawReadings(l *draw.List, r draw.Rect, columns int, f *model.Flight, now int) {
	t := m.Theme
	sample := f.Samples[now]
	heading := math.Mod(90-math.Atan2(sample.V.Y, sample.V.X)*180/math.Pi+360, 360)
	w := r.W / float64(columns)
	for i, row := range [][2]string{
		{"time", chart.Fixed(f.TimeS(now), 1) + " s"},
		{"to target", chart.Fixed(f.Errors.DistanceKm[now], 1) + " km"},
		{"altitude", chart.Fixed(sample.R.Z, 2) + " km"},
		{"heading", chart.Fixed(heading, 0) + "°"},
		{"turn", chart.Fixed(1000*r3.Norm(sample.A), 0) + " m/s²"},
		{"guess off by", chart.DistanceText(f.Errors.ErrorKm[now])},
	} {
		line := draw.Rect{X: r.X + w*float64(i%columns) + 9, Y: r.Y + 5 + layout.ReadingRow*float64(i/columns), W: w - 18,
			H: layout.ReadingRow}
		l.TextIn(t.Small, line, draw.Left, t.Muted, row[0])
		l.TextIn(t.Small, line, draw.Right, t.Ink, row[1])
	}
}
