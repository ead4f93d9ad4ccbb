package screen

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// mark is a place on the map with its sign and its name.
type mark struct {
	at     draw.Point
	clear  float64 // from the middle of the sign to its name, points
	ink    colour
	name   string
	sign   func(l *draw.List, p draw.Point)
	radius float64 // of the sign, points; 0 for a place that only has a name
}

// places returns the marks in the order in which their names get their place.
func (s *Screen) places() []mark {
	m, t := s.world(), s.theme()
	goals := s.goals()
	at := s.camera.Screen(goals[0].X, goals[0].Y)
	goal := m.Experiment.Mission.Grid.Position(m.Experiment.Mission.Grid.Goal)
	f := s.flight()
	if s.opening.running {
		return []mark{s.startMark(), {at: at, clear: 10, ink: t.Ink, name: "target", radius: 4,
			sign: func(l *draw.List, p draw.Point) { l.Ring(p, 5, 2, s.observerInk()) }}}
	}
	marks := []mark{{at: s.camera.Screen(goal.X, goal.Y), radius: 5,
		sign: func(l *draw.List, p draw.Point) { l.Cross(p, 5, 2, s.waypointInk()) }}}
	if drawn := m.DrawnGoal(); drawn != nil && drawn.OffKm > 0 && !s.Model.ShowsBaseline() {
		at := m.Experiment.Mission.Grid.Position(drawn.State)
		marks = append(marks, mark{at: s.camera.Screen(at.X, at.Y), clear: 10, ink: s.waypointInk(), name: "drawn goal",
			radius: 7, sign: func(l *draw.List, p draw.Point) {
				l.Ring(p, 7, 1.6, s.waypointInk())
				l.Cross(p, 3.5, 1.6, s.waypointInk())
			}})
	}
	for _, other := range goals[1:] {
		p := s.camera.Screen(other.X, other.Y)
		marks = append(marks, mark{at: p, clear: 10, ink: t.Ink, name: "goal", radius: 4,
			sign: func(l *draw.List, p draw.Point) { l.Ring(p, 4, 1.6, t.Ink) }})
	}
	marks = append(marks, s.caught(f)...)
	if f != &m.Nominal && s.drawsDirect() {
		marks = append(marks, s.caught(&m.Nominal)...)
	}
	marks = append(marks, s.keptMarks()...)
	marks = append(marks, s.handover(f)...)
	return append(marks,
		s.startMark(),
		mark{at: at, clear: 10, ink: t.Ink, name: "target"},
		mark{at: draw.Point{X: at.X, Y: at.Y - m.Config.Privacy.HandoverKm*s.camera.PointsPerKm*s.camera.Squeeze()}, clear: 3,
			ink:  t.Muted,
			name: number(m.Config.Privacy.HandoverKm) + " km"})
}

// startMark is where the flights begin.
func (s *Screen) startMark() mark {
	t := s.theme()
	return mark{at: s.camera.Place(s.world().Experiment.Scenario.Start), clear: 8, ink: t.Ink, name: "start", radius: 4,
		sign: func(l *draw.List, p draw.Point) { l.Disc(p, 4, t.Ink) }}
}

// marks draws the places that matter, and places their names. No name covers a sign.
func (s *Screen) marks(l *draw.List) {
	names := &labels{screen: s, list: l, bounds: s.layout.Map.Inset(4), lines: s.drawnLines()}
	names.taken = append(names.taken, s.legendArea(), s.lensArea(), s.readingsArea(), s.scaleArea())
	names.putAll(s.places())
	s.cards.names = names.names
}

// putAll draws the marks' signs, places their names where they cover no sign, and returns how many places were
// taken before the first name.
func (b *labels) putAll(places []mark) (signs int) {
	for _, p := range places {
		if p.radius > 0 {
			b.taken = append(b.taken, draw.Rect{X: p.at.X - p.radius, Y: p.at.Y - p.radius, W: 2 * p.radius, H: 2 * p.radius})
			p.sign(b.list, p.at)
		}
	}
	signs = len(b.taken)
	for _, p := range places {
		if p.name != "" {
			b.put(p.at, p.clear, p.ink, p.name)
		}
	}
	return signs
}

// caught marks where a flight was recognised.
func (s *Screen) caught(f *model.Flight) []mark {
	if !f.Run.Detected {
		return nil
	}
	r := f.Samples[f.Detection.Sample].R
	ink, text := s.caughtInk(), fmt.Sprintf("recognised %s km", fixed(f.Run.DetectionKm, 1))
	if f != s.flight() {
		ink, text = s.directInk(), fmt.Sprintf("straight: %s km", fixed(f.Run.DetectionKm, 1))
	}
	return []mark{{at: s.camera.Place(r), clear: 10, ink: ink, name: text, radius: 7.5,
		sign: func(l *draw.List, p draw.Point) {
			l.Disc(p, 7.5, s.theme().Background)
			l.Ring(p, 6, 2.2, ink)
			l.Disc(p, 2.2, ink)
		}}}
}

// handover marks where privacy ended.
func (s *Screen) handover(f *model.Flight) []mark {
	if f == &s.world().Nominal || f.HandoverSample >= len(f.Samples) {
		return nil
	}
	r := f.Samples[f.HandoverSample].R
	t := s.theme()
	text := "hand-over"
	if f.Run.Fallback {
		text = "fall-back"
	}
	return []mark{{at: s.camera.Place(r), clear: 10, ink: t.Ink, name: text, radius: 7.5,
		sign: func(l *draw.List, p draw.Point) {
			diamond := func(d float64, c colour) {
				l.Polygon([]draw.Point{{X: p.X, Y: p.Y - d}, {X: p.X + d, Y: p.Y}, {X: p.X, Y: p.Y + d}, {X: p.X - d, Y: p.Y}}, c)
			}
			diamond(7.5, t.Background)
			diamond(5.5, t.Ink)
		}}}
}

func (s *Screen) scaleArea() draw.Rect {
	r := s.layout.Map
	return draw.Rect{X: r.X + pad, Y: r.Bottom() - 30, W: either(s.camera.Tilted, 144., longestScale), H: 24}
}

// longestScale is the greatest length of the scale's bar, points.
const longestScale = 110.

func (s *Screen) scaleBar(l *draw.List) {
	t, r := s.theme(), s.scaleArea()
	km, length := s.camera.ScaleBar(longestScale)
	text := number(km) + " km"
	if km < 1 {
		text = number(km*1000) + " m"
	}
	if s.camera.Tilted {
		text += fmt.Sprintf(", altitude × %d", model.AltitudesDrawn)
	}
	l.RoundRect(draw.Rect{X: r.X - 6, Y: r.Y - 3, W: math.Max(length, l.Width(t.Small, text)+5) + 12, H: r.H + 5}, 4,
		ui.Faded(t.Background, 0.8))
	y := r.Bottom() - 5
	l.Rect(draw.Rect{X: r.X, Y: y, W: length, H: 1.5}, t.Ink)
	l.Rect(draw.Rect{X: r.X, Y: y - 5, W: 1.5, H: 6}, t.Ink)
	l.Rect(draw.Rect{X: r.X + length - 1.5, Y: y - 5, W: 1.5, H: 6}, t.Ink)
	l.TextIn(t.Small, draw.Rect{X: r.X + 5, Y: y - 18, W: r.W, H: 14}, draw.Left, t.Ink, text)
}
