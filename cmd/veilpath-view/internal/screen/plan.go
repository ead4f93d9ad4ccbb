package screen

import (
	"iter"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/planner"
)

// mapPanel is the state of the map, or of two where settings are compared beside each other.
type mapPanel struct {
	camera  model.Camera
	pending *whereLook // that a link asks for
	fitted  bool       // the camera has been fitted to the window
	ground  ground
	whole   model.Camera // shows all of that ground

	fan     fan
	heat    heatTable
	picture draw.Picture // of the heat
	cards   cards
	points  []draw.Point // room for a line
	line    draw.Thinned // likewise

	onKept      bool // the map of the kept settings is drawn or worked
	keptCards   cards
	keptPicture draw.Picture

	brushing   bool        // a drag selects flights
	keepingOut bool        // a click forbids a cell
	held       handle      // what is dragged
	target     movedTarget // that was dragged
}

func plannerAction(a int32) planner.Action { return planner.Action(a) }

// The colours of what is on the map, the same everywhere.
func (s *Screen) privateInk() colour { return s.theme().Marks[0] }
func (s *Screen) directInk() colour {
	return either(s.Model.Show == model.ShowPlanned, s.theme().Muted, s.theme().Ink)
}
func (s *Screen) observerInk() colour { return s.theme().Marks[1] }
func (s *Screen) waypointInk() colour { return s.theme().Marks[2] }
func (s *Screen) caughtInk() colour   { return s.theme().Marks[3] }

// farthestKm is what charts of the detection distance reach to at least, km.
const farthestKm = 20

// distanceColour is brighter the farther from the target a flight was recognised.
func (s *Screen) distanceColour(km float64) colour { return s.shareColour(km / s.colourKm) }

// shareColour is brighter the larger a share of the largest value is.
func (s *Screen) shareColour(share float64) colour { return s.theme().Ramp(0.32 + 0.68*share) }

// scaleColours has the strongest colour stand for a round distance that no flight is recognised beyond.
func (s *Screen) scaleColours() {
	far := s.farthestDot()
	if planned := s.Model.Private.Run.PlannedKm; planned > far {
		far = planned
	}
	const step = 20 // km
	s.colourKm = math.Max(step, step*math.Ceil(far/step))
}

// stillMaps draws the map, and beside it that of the kept settings.
func (s *Screen) stillMaps(l *draw.List) {
	s.groundMaps(l)
	s.fanMaps(l, s.fanLines(nil))
	s.routeMaps(l)
}

// onMaps draws something on both maps, or the only one.
func (s *Screen) onMaps(l *draw.List, do func()) {
	s.onBoth(func() {
		l.Clip(s.layout.Map)
		do()
		l.Unclip()
	})
}

// groundMaps draws what lies below the flights.
func (s *Screen) groundMaps(l *draw.List) {
	l.Rect(s.layout.maps(), s.theme().Background)
	if s.beside() {
		s.onBoth(func() { s.mapTitle(l) })
	}
	s.onMaps(l, func() {
		s.heatMap(l)
		s.policyArrows(l)
		s.keptOut(l)
	})
}

// routeMaps draws what lies over the fan of flights and does not move with the clock.
func (s *Screen) routeMaps(l *draw.List) { s.onMaps(l, func() { s.routes(l) }) }

func (s *Screen) routes(l *draw.List) {
	t, m := s.theme(), s.world()
	handover := m.Config.Privacy.HandoverKm * s.camera.PointsPerKm
	for _, target := range s.goals() {
		at := s.camera.Screen(target.X, target.Y)
		l.Dashed(s.onGround(draw.Circle(at, handover, s.scale), at), 1.2, 5, 4, t.Muted)
	}
	if s.opening.running {
		s.marks(l)
		return
	}
	s.shadows(l)
	if s.drawsDirect() {
		s.path(l, &m.Nominal, len(m.Nominal.Samples), 1.6, s.directInk())
	}
	s.keptFlight(l)
	if f := s.flight(); f != &m.Nominal {
		s.chosenWaypoints(l)
		s.path(l, f, len(f.Samples), 6.5, t.Background)
		s.path(l, f, len(f.Samples), 2.6, s.shownInk())
	}
	radius := math.Max(1.5, m.Config.Adversary.RadiusKm*s.camera.PointsPerKm)
	for _, target := range s.goals() {
		at := s.camera.Screen(target.X, target.Y)
		if !s.camera.Tilted {
			l.Disc(at, radius, ui.Faded(s.observerInk(), 0.35))
		}
		l.Line(s.onGround(draw.Circle(at, radius, s.scale), at), 1.2, s.observerInk())
	}
	s.marks(l)
	s.scaleBar(l)
	s.legend(l)
}

// goals are the targets of the mission: that of the flight on show first.
func (s *Screen) goals() []r3.Vec {
	scenario, own := &s.world().Experiment.Scenario, s.flight().Target
	goals := []r3.Vec{own}
	for _, target := range append([]r3.Vec{scenario.Target}, scenario.Others...) {
		if target != own {
			goals = append(goals, target)
		}
	}
	return goals
}

// path draws a flight up to a sample from above.
func (s *Screen) path(l *draw.List, f *model.Flight, to int, width float64, c colour) {
	for line := range s.linesOf(f, to) {
		l.Line(line, width, c)
	}
}

// linesOf passes on a flight up to a sample as lines on the map, each of which holds until the next.
func (s *Screen) linesOf(f *model.Flight, to int) iter.Seq[[]draw.Point] {
	return func(yield func([]draw.Point) bool) {
		for _, stroke := range f.Strokes {
			line := s.thinned(flightOff)
			for i := stroke.First; i < min(stroke.End, to); i++ {
				line.Add(s.camera.Place(f.Samples[i].R))
			}
			if !yield(line.End()) {
				return
			}
		}
	}
}

// chosenWaypoints marks the waypoints that the flight on show went through.
func (s *Screen) chosenWaypoints(l *draw.List) {
	w, t := s.world(), s.theme()
	g := w.Experiment.Mission.Grid
	radius := math.Max(2.5, math.Min(5, 0.14*g.SpacingKm*s.camera.PointsPerKm))
	mark := func(state int) {
		r := g.Position(state)
		at, moved := s.Model.WhatIf.Moved[state]
		if moved = moved && !s.onKept; moved {
			r = at
		}
		p := s.camera.Place(r)
		l.Disc(p, radius+1.2, t.Background)
		l.Disc(p, radius, s.waypointInk())
		if moved {
			l.Ring(p, radius+3, 1.5, s.caughtInk())
		}
	}
	for _, v := range s.flight().Visits {
		mark(v.State)
		mark(v.Commanded)
	}
}

// movingMaps draws what moves with the clock on the map, and on that of the kept settings.
func (s *Screen) movingMaps(l *draw.List) { s.onBoth(func() { s.movingMap(l) }) }

// movingMap draws what moves with the clock: the flight so far, the vehicle, and what the observer makes
// of it.
func (s *Screen) movingMap(l *draw.List) {
	if s.opening.running {
		s.openingMap(l)
		s.names(l)
		return
	}
	m, w, t := s.Model, s.world(), s.theme()
	f := s.flight()
	now := f.At(m.Clock.TimeS)
	l.Clip(s.layout.Map)
	ink := s.shownInk()
	s.path(l, f, now+1, 3, ink)
	s.foresight(l, f, now)
	sample := f.Samples[now]
	p := s.camera.Place(sample.R)
	s.cone(l, f, now)
	s.post(l, sample.R)
	if f != &w.Nominal && s.drawsDirect() {
		n := w.Nominal.Samples[w.Nominal.At(m.Clock.TimeS)]
		vehicle(l, s.camera.Place(n.R), n.V.X, -n.V.Y*s.camera.Squeeze(), 6, t.Background, s.directInk())
	}
	s.movingKept(l)
	vehicle(l, p, sample.V.X, -sample.V.Y*s.camera.Squeeze(), 9, t.Background, ink)
	l.Unclip()
	if s.foreseenIn(s.legendArea(), f, now) {
		s.legend(l) // or else the guess would be taken for one of its signs
	}
	s.lens(l, f, now)
	s.readings(l, f, now)
	s.names(l)
}

// foreseenIn reports whether what the observer makes of a flight is drawn over a part of the map.
func (s *Screen) foreseenIn(r draw.Rect, f *model.Flight, now int) bool {
	if r.Empty() || !f.Foreseen(now) {
		return false
	}
	last := s.camera.Place(f.Samples[now].R)
	step := max(1, int(trailS/f.StepS)/10)
	for i := now; i >= 0 && i >= now-10*step && f.Foreseen(i); i -= step {
		p := s.camera.Place(f.Predicted[i])
		if r.Contains(p) || meets(last, p, r) {
			return true
		}
		last = p
	}
	return s.camera.Tilted
}

// trailS is how much of the observer's latest predictions the map shows, s.
const trailS = 12

// foresight draws where the observer thinks the flight will end, and did so lately.
func (s *Screen) foresight(l *draw.List, f *model.Flight, now int) {
	ink := s.observerInk()
	from := max(0, now-int(trailS/f.StepS))
	const pieces = 6
	for i := range pieces {
		a, b := from+(now-from)*i/pieces, from+(now-from)*(i+1)/pieces
		if b <= a {
			continue
		}
		points := s.points[:0]
		for k := a; k <= b; k += max(1, (b-a)/10) {
			if f.Foreseen(k) {
				points = append(points, s.camera.Place(f.Predicted[k]))
			}
		}
		if f.Foreseen(b) {
			points = append(points, s.camera.Place(f.Predicted[b]))
		}
		s.points = points
		l.Line(points, 1.6, ui.Faded(ink, 0.15+0.7*float64(i+1)/pieces))
	}
	if !f.Foreseen(now) {
		return
	}
	r := f.Samples[now].R
	from2, to := s.camera.Place(r), s.camera.Place(f.Predicted[now])
	l.Dashed([]draw.Point{from2, to}, 1, 2, 4, ui.Faded(ink, 0.8))
	l.Disc(to, 5.5, s.theme().Background)
	l.Disc(to, 4.2, ink)
}

// vehicle draws an arrowhead along a direction on screen.
func vehicle(l *draw.List, p draw.Point, dx, dy, size float64, rim, ink colour) {
	norm := math.Hypot(dx, dy)
	if norm == 0 {
		dx, norm = 1, 1
	}
	dx, dy = dx/norm, dy/norm
	shape := func(size float64, c colour) {
		at := func(along, across float64) draw.Point {
			return draw.Point{X: p.X + size*(along*dx-across*dy), Y: p.Y + size*(along*dy+across*dx)}
		}
		l.Polygon([]draw.Point{at(1.2, 0), at(-0.8, 0.8), at(-0.35, 0)}, c)
		l.Polygon([]draw.Point{at(1.2, 0), at(-0.35, 0), at(-0.8, -0.8)}, c)
	}
	shape(size*1.45, rim)
	shape(size, ink)
}
