package panel

import (
	"image/color"
	"iter"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Map is the plan view of a flight: what is painted on the ground, the flights of the ensemble, the flight on show with
// its marks, and what the observer makes of it.
type Map struct {
	Camera model.Camera // its view is where the map has room
	View

	heat   heatTable
	cards  cards
	points []draw.Point // room for a line
	line   draw.Thinned // likewise
}

// View is what a map shows.
type View struct {
	Theme   *ui.Theme
	Scale   float64 // pixels a point
	Fingers bool    // are to hit what there is, so that cards are panels elsewhere

	World   *model.World // the settings that it is of
	Show    model.Shown
	Version uint64        // changes with the settings and the flight on show
	Over    *model.Flight // of settings compared with that is drawn too; nil for none

	Heat    answer.Heat
	Belief  Belief
	FanText string // what is drawn of the ensemble, as the legend says it; empty for nothing
	Crossed string // how many flights go over cells that are kept out of; empty where that is not known

	Lens, Readings bool         // the cards are wanted
	Cells          bool         // are to be told apart, since they are chosen
	Painted        map[int]bool // cells that are dragged over, to be kept out of or allowed
	Coarse         bool         // the ensemble changes in every frame, and is drawn with fewer points
}

// Track is a flight of the ensemble as it is drawn.
type Track struct {
	Of  *model.Member
	Ink color.NRGBA
}

// Flight is the flight on show.
func (m *Map) Flight() *model.Flight { return m.World.Flight(m.Show) }

// baseline reports whether the flight on show is not a private one.
func (m *Map) baseline() bool { return m.Show != model.ShowPrivate }

// DrawsDirect reports whether the direct flight is drawn. Where it is no baseline of the run on show, it is drawn only
// when it is requested.
func (m *Map) DrawsDirect() bool { return m.Show == model.ShowDirect || m.World.HasDirect() }

// DirectInk is the colour of the direct flight.
func (m *Map) DirectInk() color.NRGBA {
	return either(m.Show == model.ShowPlanned, m.Theme.Muted, m.Theme.Ink)
}

// ShownInk is the colour of the flight on show.
func (m *Map) ShownInk() color.NRGBA { return either(m.baseline(), m.Theme.Ink, m.Theme.PrivateInk()) }

// within draws on the map alone.
func (m *Map) within(l *draw.List, do func()) {
	l.Clip(m.Camera.View)
	do()
	l.Unclip()
}

// DrawGround draws what lies below the flights.
func (m *Map) DrawGround(l *draw.List) {
	m.within(l, func() {
		m.drawHeat(l)
		m.keptOut(l)
	})
}

// How far from a line its thinned pieces may lie, pixels: from the flight on show, and from those of the ensemble,
// which are faint, and so many that a software renderer's time is that of their pieces.
const (
	flightOff = 0.08
	fanOff    = 0.25

	fanOffCoarse = 1.5
)

// thinned returns the line to draw flights with, empty.
func (m *Map) thinned(offPixels float64) *draw.Thinned {
	m.line.Off = offPixels / m.Scale
	m.line.Begin()
	return &m.line
}

// DrawFan draws flights of the ensemble, those of this map.
func (m *Map) DrawFan(l *draw.List, tracks []Track) {
	m.within(l, func() {
		for _, track := range tracks {
			for _, stroke := range track.Of.Path {
				line := m.thinned(either(m.Coarse, fanOffCoarse, fanOff))
				for _, p := range stroke {
					line.Add(m.Camera.Screen(p.X, p.Y))
				}
				l.Line(line.End(), 1, track.Ink)
			}
		}
	})
}

// DrawRoutes draws what lies over the ensemble and does not move with the clock.
func (m *Map) DrawRoutes(l *draw.List) { m.within(l, func() { m.routes(l) }) }

func (m *Map) routes(l *draw.List) {
	t, w := m.Theme, m.World
	for _, target := range m.Goals() {
		l.Dashed(m.circle(target, w.Config.Privacy.HandoverKm*m.Camera.PointsPerKm), 1.2, 5, 4, t.Muted)
	}
	if m.Show == model.ShowDirect {
		m.Path(l, &w.Nominal, len(w.Nominal.Samples), 1.6, m.DirectInk())
	} else if m.DrawsDirect() { // dashed as in the charts: private flights may have its colour
		for line := range m.linesOf(&w.Nominal, len(w.Nominal.Samples)) {
			l.Dashed(line, 1.8, 6, 4, m.DirectInk())
		}
	}
	if f := m.Over; f != nil {
		m.Path(l, f, len(f.Samples), 4.5, t.Background)
		m.Path(l, f, len(f.Samples), 1.8, t.KeptInk())
	}
	if f := m.Flight(); f != &w.Nominal {
		m.chosenWaypoints(l)
		m.Path(l, f, len(f.Samples), 6.5, t.Background)
		m.Path(l, f, len(f.Samples), 2.6, m.ShownInk())
	}
	radius := m.radius()
	for _, target := range m.Goals() {
		l.Disc(m.Camera.Screen(target.X, target.Y), radius, ui.Faded(t.ObserverInk(), 0.35))
		l.Line(m.circle(target, radius), 1.2, t.ObserverInk())
	}
	m.marks(l)
	m.scaleBar(l)
}

// radius is that of the circle in which a guess recognises a target, points.
func (m *Map) radius() float64 {
	return math.Max(1.5, m.World.Config.Adversary.RadiusKm*m.Camera.PointsPerKm)
}

// circle is a circle on the ground, with a radius in points.
func (m *Map) circle(middle r3.Vec, radius float64) []draw.Point {
	return draw.Circle(m.Camera.Place(middle), radius, m.Scale)
}

// Goals are the targets of the mission: that of the flight on show first.
func (m *Map) Goals() []r3.Vec {
	scenario, own := &m.World.Experiment.Scenario, m.Flight().Target
	goals := []r3.Vec{own}
	for _, target := range append([]r3.Vec{scenario.Target}, scenario.Others...) {
		if target != own {
			goals = append(goals, target)
		}
	}
	return goals
}

// Path draws a flight up to a sample from above.
func (m *Map) Path(l *draw.List, f *model.Flight, to int, width float64, c color.NRGBA) {
	for line := range m.linesOf(f, to) {
		l.Line(line, width, c)
	}
}

// linesOf passes on a flight up to a sample as lines on the map, each of which holds until the next.
func (m *Map) linesOf(f *model.Flight, to int) iter.Seq[[]draw.Point] {
	return func(yield func([]draw.Point) bool) {
		for _, stroke := range f.Strokes {
			line := m.thinned(flightOff)
			for i := stroke.First; i < min(stroke.End, to); i++ {
				line.Add(m.Camera.Place(f.Samples[i].R))
			}
			if !yield(line.End()) {
				return
			}
		}
	}
}

// chosenWaypoints marks the waypoints that the flight on show went through.
func (m *Map) chosenWaypoints(l *draw.List) {
	w, t := m.World, m.Theme
	g := w.Experiment.Mission.Grid
	radius := math.Max(2.5, math.Min(5, 0.14*g.SpacingKm*m.Camera.PointsPerKm))
	mark := func(state int) {
		p := m.Camera.Place(g.Position(state))
		l.Disc(p, radius+1.2, t.Background)
		l.Disc(p, radius, t.WaypointInk())
	}
	for _, v := range m.Flight().Visits {
		mark(v.State)
		mark(v.Commanded)
	}
}

// DrawMoving draws what moves with the clock: the flight so far, the vehicle, and what the observer makes of it.
func (m *Map) DrawMoving(l *draw.List, timeS float64) {
	w, t, f := m.World, m.Theme, m.Flight()
	now := f.At(timeS)
	m.within(l, func() {
		m.Path(l, f, now+1, 3, m.ShownInk())
		m.foresight(l, f, now)
	})
	if f.Foreseen(now) {
		m.namesBeside(l, m.Camera.Place(f.Predicted[now]))
	} else {
		m.DrawNames(l)
	}
	m.within(l, func() {
		if f != &w.Nominal && m.DrawsDirect() {
			m.vehicle(l, &w.Nominal, timeS, 6, m.DirectInk())
		}
		if m.Over != nil {
			m.vehicle(l, m.Over, timeS, 7, t.KeptInk())
		}
		m.vehicle(l, f, timeS, 9, m.ShownInk())
		m.guess(l, f, now)
	})
	card := func(r draw.Rect, write func(r draw.Rect)) {
		if !r.Empty() {
			l.RoundRect(r, ui.Corner, ui.Faded(t.Panel, 0.9))
			write(r)
		}
	}
	// over the guess, which would be taken for one of its signs
	card(m.cards.legend, func(r draw.Rect) { m.DrawLegend(l, r, 1) })
	m.lens(l, f, now)
	card(m.cards.readings, func(r draw.Rect) { m.DrawReadings(l, r, 1, f, now) })
}

// vehicle draws a flight's vehicle at a moment.
func (m *Map) vehicle(l *draw.List, f *model.Flight, timeS, size float64, ink color.NRGBA) {
	now := f.Samples[f.At(timeS)]
	arrowhead(l, m.Camera.Place(now.R), now.V.X, -now.V.Y, size, m.Theme.Background, ink)
}

// trailS is how much of the observer's latest predictions the map shows, s.
const trailS = 12

// foresight draws where the observer thinks the flight will end, and did so lately.
func (m *Map) foresight(l *draw.List, f *model.Flight, now int) {
	ink := m.Theme.ObserverInk()
	from := max(0, now-int(trailS/f.StepS))
	const pieces = 6
	for i := range pieces {
		a, b := from+(now-from)*i/pieces, from+(now-from)*(i+1)/pieces
		if b <= a {
			continue
		}
		points := m.points[:0]
		for k := a; k <= b; k += max(1, (b-a)/10) {
			if f.Foreseen(k) {
				points = append(points, m.Camera.Place(f.Predicted[k]))
			}
		}
		if f.Foreseen(b) {
			points = append(points, m.Camera.Place(f.Predicted[b]))
		}
		m.points = points
		l.Line(points, 1.6, ui.Faded(ink, 0.15+0.7*float64(i+1)/pieces))
	}
	if f.Foreseen(now) {
		from, to := m.Camera.Place(f.Samples[now].R), m.Camera.Place(f.Predicted[now])
		l.Dashed([]draw.Point{from, to}, 1, 2, 4, ui.Faded(ink, 0.8))
	}
}

// guess marks where the observer thinks now that the flight will end.
func (m *Map) guess(l *draw.List, f *model.Flight, now int) {
	if f.Foreseen(now) {
		at := m.Camera.Place(f.Predicted[now])
		l.Disc(at, 5.5, m.Theme.Background)
		l.Disc(at, 4.2, m.Theme.ObserverInk())
	}
}

// arrowhead draws an arrowhead along a direction on screen.
func arrowhead(l *draw.List, p draw.Point, dx, dy, size float64, rim, ink color.NRGBA) {
	norm := math.Hypot(dx, dy)
	if norm == 0 {
		dx, norm = 1, 1
	}
	dx, dy = dx/norm, dy/norm
	shape := func(size float64, c color.NRGBA) {
		at := func(along, across float64) draw.Point {
			return draw.Point{X: p.X + size*(along*dx-across*dy), Y: p.Y + size*(along*dy+across*dx)}
		}
		l.Polygon([]draw.Point{at(1.2, 0), at(-0.8, 0.8), at(-0.35, 0)}, c)
		l.Polygon([]draw.Point{at(1.2, 0), at(-0.35, 0), at(-0.8, -0.8)}, c)
	}
	shape(size*1.45, rim)
	shape(size, ink)
}

// either is one of two values.
func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}
