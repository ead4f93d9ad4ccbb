package screen

import (
	"fmt"
	"math"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

const (
	legendWidth = 176
	legendRow   = 17
)

// legendEntry is a sign and what it means.
type legendEntry struct {
	text string
	sign func(l *draw.List, at draw.Point)
}

func (s *Screen) legendEntries() []legendEntry {
	t := s.theme()
	line := func(c colour, width float64) func(*draw.List, draw.Point) {
		return func(l *draw.List, p draw.Point) {
			l.Segment(draw.Point{X: p.X - 8, Y: p.Y}, draw.Point{X: p.X + 8, Y: p.Y}, width, c)
		}
	}
	var entries []legendEntry
	if s.drawsDirect() {
		entries = append(entries, legendEntry{"straight to the target", line(s.directInk(), 1.6)})
	}
	if s.Model.Show == model.ShowPlanned {
		entries = append(entries, legendEntry{"planned without noise", line(s.shownInk(), 3)})
	}
	if !s.Model.ShowsBaseline() {
		entries = append(entries, legendEntry{either(s.Model.WhatIf.Any(), "changed by hand", "private flight"),
			line(s.privateInk(), 3)})
		if s.ShowFan {
			entries = append(entries, legendEntry{s.fanText(), func(l *draw.List, p draw.Point) {
				for i := range 16 {
					c := s.shareColour(float64(i) / 15)
					l.Rect(draw.Rect{X: p.X - 8 + float64(i), Y: p.Y - 3, W: 1, H: 6}, c)
				}
			}})
			if s.camera.Tilted {
				entries = append(entries, legendEntry{"their ground tracks", func(*draw.List, draw.Point) {}})
			}
		}
		entries = append(entries,
			legendEntry{"waypoint chosen", func(l *draw.List, p draw.Point) { l.Disc(p, 4, s.waypointInk()) }},
			legendEntry{"goal", func(l *draw.List, p draw.Point) { l.Cross(p, 4, 2, s.waypointInk()) }})
	}
	if s.over() != nil && !s.onKept {
		entries = append(entries, legendEntry{"kept flight", line(s.keptInk(), 1.8)})
	}
	if s.keepsOut() {
		entries = append(entries, legendEntry{either(s.overText() == "", "kept out of", "kept out; "+s.overText()+" over"),
			func(l *draw.List, p draw.Point) {
				r := draw.Rect{X: p.X - 6, Y: p.Y - 6, W: 12, H: 12}
				l.Rect(r, assets.Mix(t.Background, t.Ink, 0.3))
				s.hatch(l, r)
			}})
	}
	return append(entries,
		legendEntry{"observer's guess", func(l *draw.List, p draw.Point) {
			l.Dashed([]draw.Point{{X: p.X - 8, Y: p.Y}, {X: p.X + 4, Y: p.Y}}, 1, 2, 3, s.observerInk())
			l.Disc(draw.Point{X: p.X + 5, Y: p.Y}, 3.5, s.observerInk())
		}},
		legendEntry{"recognised", func(l *draw.List, p draw.Point) {
			l.Ring(p, 5, 2, s.caughtInk())
			l.Disc(p, 1.8, s.caughtInk())
		}},
		legendEntry{"hand-over", func(l *draw.List, p draw.Point) {
			l.Dashed(draw.Circle(p, 6, s.scale), 1.2, 3, 2.5, t.Muted)
		}})
}

// fanText says how many flights of the ensemble are drawn, and what their colours reach to.
func (s *Screen) fanText() string {
	drawn := min(s.Model.Runs(), model.FanRuns)
	text := fmt.Sprintf("%d flights", drawn)
	switch runs, _ := s.selectedRuns(); {
	case runs != nil:
		n := 0
		for _, on := range runs[:min(len(runs), drawn)] {
			n += either(on, 1, 0)
		}
		text = fmt.Sprintf("%d of %d", n, drawn)
	case s.selection.kind == bySettings:
		text = "of the area"
	}
	return text + fmt.Sprintf(", 0 … %s km", number(s.colourKm))
}

// legendHeight is the height of the legend on the map.
func (s *Screen) legendHeight() float64 {
	h := legendRow*float64(len(s.legendEntries())) + 10
	if s.Heat != HeatOff {
		h += 34
	}
	return h
}

func (s *Screen) legend(l *draw.List) {
	if r := s.legendArea(); !r.Empty() {
		l.RoundRect(r, ui.Corner, ui.Faded(s.theme().Panel, 0.9))
		s.legendIn(l, r, 1)
	}
}

// legendIn draws the signs and what they mean in so many columns, and below them the reward map's range.
func (s *Screen) legendIn(l *draw.List, r draw.Rect, columns int) {
	t := s.theme()
	row := either(s.layout.Compact, legendRow+4., legendRow)
	entries := s.legendEntries()
	rows := (len(entries) + columns - 1) / columns
	w := r.W / float64(columns)
	for i, e := range entries {
		x, y := r.X+w*float64(i/rows), r.Y+5+row*float64(i%rows)
		e.sign(l, draw.Point{X: x + 17, Y: y + row/2})
		l.TextIn(t.Small, draw.Rect{X: x + 33, Y: y, W: w - 36, H: row}, draw.Left, t.Ink, e.text)
	}
	y := r.Y + 5 + row*float64(rows)
	if s.Heat == HeatOff {
		return
	}
	const steps = 60
	if s.heatShown() == HeatBelief {
		s.beliefLegend(l, draw.Rect{X: r.X + 10, Y: y + 5, W: r.W - 20, H: 7})
		return
	}
	s.heat.fill(s.heatShown(), s.Model.Experiment.Mission.Rewards.Joint, s.Model.Flight().Rewards)
	w = (r.W - 20) / steps
	for i := range steps {
		v := s.heat.low + (s.heat.high-s.heat.low)*float64(i)/(steps-1)
		l.Rect(draw.Rect{X: r.X + 10 + w*float64(i), Y: y + 5, W: w, H: 7}, s.heatColour(v))
	}
	foot := draw.Rect{X: r.X + 10, Y: y + 13, W: r.W - 20, H: 15}
	l.TextIn(t.Small, foot, draw.Left, t.Muted, fixed(s.heat.low, 0))
	l.TextIn(t.Small, foot, draw.Center, t.Ink, either(s.heat.diverging && s.Model.DrawnGoal() != nil,
		"drawn − true reward", s.heat.name))
	l.TextIn(t.Small, foot, draw.Right, t.Muted, fixed(s.heat.high, 0))
}

// beliefLegend draws what the colours of the belief mean.
func (s *Screen) beliefLegend(l *draw.List, r draw.Rect) {
	t := s.theme()
	const steps = 60
	w := r.W / steps
	for i := range steps {
		l.Rect(draw.Rect{X: r.X + w*float64(i), Y: r.Y, W: w, H: r.H},
			s.beliefColour(math.Exp2(faintBits*(float64(i)/(steps-1)-1))))
	}
	foot := draw.Rect{X: r.X, Y: r.Y + 8, W: r.W, H: 15}
	l.TextIn(t.Small, foot, draw.Left, t.Muted, "1/512")
	l.TextIn(t.Small, foot, draw.Center, t.Ink, "goal's probability")
	l.TextIn(t.Small, foot, draw.Right, t.Muted, "1")
}

const lensSide = 132

// lensRadii is how many detection radii the lens reaches out.
const lensRadii = 5

// lens enlarges the surroundings of the target: the ball of the detection radius, and the observer's
// guesses of the last seconds running into it.
func (s *Screen) lens(l *draw.List, f *model.Flight, now int) {
	t, r := s.theme(), s.lensArea()
	if r.Empty() {
		return
	}
	l.Frame(r, ui.Corner, 1, t.Grid, t.Panel)
	inner := r.Inset(1)
	l.Clip(inner)
	target, radius := f.Target, s.world().Config.Adversary.RadiusKm
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
	l.Disc(center, radius*k, ui.Faded(s.observerInk(), 0.16))
	l.Ring(center, radius*k, 1.2, s.observerInk())
	l.Cross(center, 3.5, 1.5, t.Ink)
	from := max(0, now-int(trailS/f.StepS))
	points := s.points[:0]
	for i := from; i <= now; i++ {
		if f.Foreseen(i) {
			points = append(points, at(i))
		}
	}
	s.points = points
	l.Line(points, 1.4, ui.Faded(s.observerInk(), 0.7))
	if f.Run.Detected && f.Detection.Sample <= now {
		l.Ring(at(f.Detection.Sample), 5, 2, s.caughtInk())
	}
	if f.Foreseen(now) {
		l.Disc(at(now), 4, s.observerInk())
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
	name("ρ "+number(radius)+" km", -4, inner.H-18)
}

// lensFar keeps guesses far off the lens from overflowing, points.
const lensFar = 4000

const (
	readingsWidth = 160
	readingRow    = 17
)

// readingsHeight is the height of the readings in so many columns.
func readingsHeight(columns int) float64 { return readingRow*float64(6/columns) + 10 }

func (s *Screen) readings(l *draw.List, f *model.Flight, now int) {
	if r := s.readingsArea(); !r.Empty() {
		l.RoundRect(r, ui.Corner, ui.Faded(s.theme().Panel, 0.9))
		s.readingsIn(l, r, 1, f, now)
	}
}

// readingsIn writes the numbers of the moment in so many columns.
func (s *Screen) readingsIn(l *draw.List, r draw.Rect, columns int, f *model.Flight, now int) {
	t := s.theme()
	sample := f.Samples[now]
	heading := math.Mod(90-math.Atan2(sample.V.Y, sample.V.X)*180/math.Pi+360, 360)
	w := r.W / float64(columns)
	for i, row := range [][2]string{
		{"time", fixed(f.TimeS(now), 1) + " s"},
		{"to target", fixed(f.Errors.DistanceKm[now], 1) + " km"},
		{"altitude", fixed(sample.R.Z, 2) + " km"},
		{"heading", fixed(heading, 0) + "°"},
		{"turn", fixed(1000*norm(sample.A), 0) + " m/s²"},
		{"guess off by", distanceText(f.Errors.ErrorKm[now])},
	} {
		line := draw.Rect{X: r.X + w*float64(i%columns) + 9, Y: r.Y + 5 + readingRow*float64(i/columns), W: w - 18,
			H: readingRow}
		l.TextIn(t.Small, line, draw.Left, t.Muted, row[0])
		l.TextIn(t.Small, line, draw.Right, t.Ink, row[1])
	}
}

func distanceText(km float64) string {
	switch {
	case km < 1:
		return fixed(1000*km, 0) + " m"
	case km < 100:
		return fixed(km, 2) + " km"
	}
	return fixed(km, 0) + " km"
}
