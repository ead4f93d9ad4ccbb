package panel

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// mark is a place on the map with its sign and its name.
type mark struct {
	at     draw.Point
	clear  float64 // from the middle of the sign to its name, points
	ink    color.NRGBA
	name   string
	sign   func(l *draw.List, p draw.Point)
	radius float64 // of the sign, points; 0 for a place that only has a name
}

// places returns the marks in the order in which their names get their place.
func (m *Map) places() []mark {
	w, t, goals := m.World, m.Theme, m.Goals()
	at := m.Camera.Screen(goals[0].X, goals[0].Y)
	goal := w.Experiment.Mission.Grid.Position(w.Experiment.Mission.Grid.Goal)
	f := m.Flight()
	marks := []mark{{at: m.Camera.Screen(goal.X, goal.Y), radius: 5,
		sign: func(l *draw.List, p draw.Point) { l.Cross(p, 5, 2, t.WaypointInk()) }}}
	if drawn := w.DrawnGoal(); drawn != nil && drawn.OffKm > 0 && !m.baseline() {
		at := w.Experiment.Mission.Grid.Position(drawn.State)
		marks = append(marks, mark{at: m.Camera.Screen(at.X, at.Y), clear: 10, ink: t.WaypointInk(), name: "drawn goal",
			radius: 7, sign: func(l *draw.List, p draw.Point) {
				l.Ring(p, 7, 1.6, t.WaypointInk())
				l.Cross(p, 3.5, 1.6, t.WaypointInk())
			}})
	}
	for _, other := range goals[1:] {
		p := m.Camera.Screen(other.X, other.Y)
		marks = append(marks, mark{at: p, clear: 10, ink: t.Ink, name: m.goalName(other), radius: 4,
			sign: func(l *draw.List, p draw.Point) { l.Ring(p, 4, 1.6, t.Ink) }})
	}
	marks = append(marks, m.caught(f)...)
	if f != &w.Nominal && m.DrawsDirect() {
		marks = append(marks, m.caught(&w.Nominal)...)
	}
	marks = append(marks, m.overMarks()...)
	marks = append(marks, m.handover(f)...)
	circle, away := w.Config.Privacy.HandoverKm, math.Max(10, math.Min(40, m.radius()+2))
	return append(marks, m.startMark(), mark{at: at, clear: away, ink: t.Ink, name: m.goalName(goals[0])},
		mark{at: draw.Point{X: at.X, Y: at.Y - circle*m.Camera.PointsPerKm}, clear: 3, ink: t.Muted,
			name: chart.Number(circle) + " km"})
}

// goalName names a goal of several by its number.
func (m *Map) goalName(goal r3.Vec) string {
	scenario := &m.World.Experiment.Scenario
	if len(scenario.Others) == 0 {
		return "target"
	}
	return fmt.Sprintf("goal %d", scenario.GoalNumber(goal))
}

// overMarks names where the other flight that is drawn was recognised.
func (m *Map) overMarks() []mark {
	if m.Over == nil || !m.Over.Run.Detected {
		return nil
	}
	ink := m.Theme.KeptInk()
	return []mark{{at: m.Camera.Place(m.Over.Samples[m.Over.Detection.Sample].R), clear: 9, ink: ink,
		name: "kept: " + chart.Fixed(m.Over.Run.DetectionKm, 1) + " km", radius: 6,
		sign: func(l *draw.List, at draw.Point) {
			l.Disc(at, 6.5, m.Theme.Background)
			l.Ring(at, 5, 2, ink)
		}}}
}

// startMark is where the flights begin.
func (m *Map) startMark() mark {
	t := m.Theme
	return mark{at: m.Camera.Place(m.World.Experiment.Scenario.Start), clear: 8, ink: t.Ink, name: "start", radius: 4,
		sign: func(l *draw.List, p draw.Point) { l.Disc(p, 4, t.Ink) }}
}

// marks draws the places that matter, and places their names. No name covers a sign.
func (m *Map) marks(l *draw.List) {
	names := &labels{theme: m.Theme, list: l, bounds: m.Camera.View.Inset(4), lines: m.drawnLines()}
	signs := m.Signs()
	names.taken = append(append(m.Cards(), m.Scalebar()), signs...)
	for _, sign := range signs {
		names.signs = append(names.signs, sign.Center())
	}
	for _, p := range m.places() {
		if p.radius > 0 {
			p.sign(l, p.at)
		}
		if p.name != "" {
			names.put(p.at, p.clear, p.ink, p.name)
		}
	}
	m.cards.names, m.cards.signs = names.names, signs
}

// area is where the sign of a mark lies.
func (p *mark) area() draw.Rect {
	return draw.Rect{X: p.at.X - p.radius, Y: p.at.Y - p.radius, W: 2 * p.radius, H: 2 * p.radius}
}

// caught marks where a flight was recognised.
func (m *Map) caught(f *model.Flight) []mark {
	if !f.Run.Detected {
		return nil
	}
	r := f.Samples[f.Detection.Sample].R
	ink, text := m.Theme.CaughtInk(), fmt.Sprintf("recognised %s km", chart.Fixed(f.Run.DetectionKm, 1))
	if f != m.Flight() {
		way, _, _ := strings.Cut(m.World.DirectWay(), " ")
		ink, text = m.DirectInk(), fmt.Sprintf("%s: %s km", way, chart.Fixed(f.Run.DetectionKm, 1))
	}
	return []mark{{at: m.Camera.Place(r), clear: 10, ink: ink, name: text, radius: 7.5,
		sign: func(l *draw.List, p draw.Point) {
			l.Disc(p, 7.5, m.Theme.Background)
			l.Ring(p, 6, 2.2, ink)
			l.Disc(p, 2.2, ink)
		}}}
}

// handover marks where privacy ended.
func (m *Map) handover(f *model.Flight) []mark {
	if f == &m.World.Nominal || f.HandoverSample >= len(f.Samples) {
		return nil
	}
	r := f.Samples[f.HandoverSample].R
	t := m.Theme
	text := "hand-over"
	if f.Run.Fallback {
		text = "fall-back"
	}
	return []mark{{at: m.Camera.Place(r), clear: 10, ink: t.Ink, name: text, radius: 7.5,
		sign: func(l *draw.List, p draw.Point) {
			diamond := func(d float64, c color.NRGBA) {
				l.Polygon([]draw.Point{{X: p.X, Y: p.Y - d}, {X: p.X + d, Y: p.Y}, {X: p.X, Y: p.Y + d}, {X: p.X - d, Y: p.Y}}, c)
			}
			diamond(7.5, t.Background)
			diamond(5.5, t.Ink)
		}}}
}

// Scalebar is where the bar of the scale lies.
func (m *Map) Scalebar() draw.Rect {
	r := m.Camera.View
	return draw.Rect{X: r.X + layout.Pad, Y: r.Bottom() - 30, W: longestScale, H: 24}
}

// longestScale is the greatest length of the scale's bar, points.
const longestScale = 110.

func (m *Map) scaleBar(l *draw.List) {
	t, r := m.Theme, m.Scalebar()
	km, length := m.Camera.ScaleBar(longestScale)
	text := chart.Number(km) + " km"
	if km < 1 {
		text = chart.Number(km*1000) + " m"
	}
	l.RoundRect(draw.Rect{X: r.X - 6, Y: r.Y - 3, W: math.Max(length, l.Width(t.Small, text)+5) + 12, H: r.H + 5}, 4,
		ui.Faded(t.Background, 0.8))
	y := r.Bottom() - 5
	l.Rect(draw.Rect{X: r.X, Y: y, W: length, H: 1.5}, t.Ink)
	l.Rect(draw.Rect{X: r.X, Y: y - 5, W: 1.5, H: 6}, t.Ink)
	l.Rect(draw.Rect{X: r.X + length - 1.5, Y: y - 5, W: 1.5, H: 6}, t.Ink)
	l.TextIn(t.Small, draw.Rect{X: r.X + 5, Y: y - 18, W: r.W, H: 14}, draw.Left, t.Ink, text)
}
