package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// keptVersion changes with the flights that are compared with.
func (s *Screen) keptVersion() uint64 {
	if s.Model.Pair == nil {
		return 0
	}
	return s.Model.Pair.Ensemble.Version
}

// pane is a part of the layout that is drawn and worked where there is room for it.
type pane struct {
	area    func(*layout.Layout) draw.Rect
	still   func(*Screen, *draw.List)
	moving  func(*Screen, *draw.List) // what moves with the clock or the pointer; nil for nothing
	operate func(*Screen)             // what the pointer does; nil for nothing
}

var (
	guessPane = pane{func(l *layout.Layout) draw.Rect { return l.Error }, func(s *Screen, l *draw.List) { s.guesses.DrawStill(l) }, func(s *Screen, l *draw.List) { s.guesses.DrawMoving(l) },
		func(s *Screen) { s.guesses.Operate() }}
	beliefPane = pane{func(l *layout.Layout) draw.Rect { return l.Belief }, func(s *Screen, l *draw.List) { s.beliefs.DrawStill(l) }, func(s *Screen, l *draw.List) { s.beliefs.DrawMoving(l) },
		func(s *Screen) { s.beliefs.Operate() }}
	alongPane = pane{func(l *layout.Layout) draw.Rect { return l.Along }, func(s *Screen, l *draw.List) { s.axis.DrawStill(l) }, func(s *Screen, l *draw.List) { s.axis.DrawMoving(l) },
		func(s *Screen) { s.axis.Operate() }}
	resultsPane = pane{func(l *layout.Layout) draw.Rect { return l.Results }, func(s *Screen, l *draw.List) { s.stillResults(l) }, func(s *Screen, l *draw.List) { s.movingResults(l) },
		nil}
	flightsPane = pane{func(l *layout.Layout) draw.Rect { return l.Distribution }, func(s *Screen, l *draw.List) { s.distribution.DrawStill(l) },
		func(s *Screen, l *draw.List) { s.distribution.DrawMoving(l) }, func(s *Screen) { s.distribution.Operate() }}
	surfacePane = pane{func(l *layout.Layout) draw.Rect { return l.Survey }, func(s *Screen, l *draw.List) { s.stillSurvey(l) }, func(s *Screen, l *draw.List) { s.movingSurvey(l) },
		func(s *Screen) { s.operateSurvey() }}
	keyPane  = pane{func(l *layout.Layout) draw.Rect { return l.Key }, func(s *Screen, l *draw.List) { s.stillKey(l) }, nil, func(s *Screen) { s.operateKey() }}
	timePane = pane{func(l *layout.Layout) draw.Rect { return l.Readings }, func(s *Screen, l *draw.List) { s.stillTime(l) }, func(s *Screen, l *draw.List) { s.movingReadings(l) }, nil}
	dockPane = pane{func(l *layout.Layout) draw.Rect { return l.Dock }, func(s *Screen, l *draw.List) { s.time.DrawStill(l) }, func(s *Screen, l *draw.List) { s.time.DrawMoving(l) }, nil}
)

// sidePanes are those beside the map.
var sidePanes = []*pane{&guessPane, &beliefPane, &alongPane, &resultsPane, &flightsPane, &surfacePane,
	&keyPane, &timePane}

// stillSide draws the panels that the layout has room for.
func (s *Screen) stillSide(l *draw.List) {
	l.Rect(s.Layout.Side, s.Theme().Background)
	for _, p := range sidePanes {
		if !p.area(&s.Layout).Empty() {
			p.still(s, l)
		}
	}
	if controls := s.Layout.Controls; !controls.Empty() {
		s.Panel(l, controls, either(s.Layout.Compact, "", "Settings"))
	}
}

// movingSide draws what moves on them.
func (s *Screen) movingSide(l *draw.List) {
	for _, p := range sidePanes {
		if p.moving != nil && !p.area(&s.Layout).Empty() {
			p.moving(s, l)
		}
	}
}

// operateCharts lets the pointer work the charts and the scrubber.
func (s *Screen) operateCharts() {
	s.time.Operate()
	for _, p := range sidePanes {
		if p.operate != nil && !p.area(&s.Layout).Empty() {
			p.operate(s)
		}
	}
}

// stillKey draws the panel that explains the signs.
func (s *Screen) stillKey(l *draw.List) {
	s.Panel(l, s.Layout.Key, "")
	s.plan.Shown().DrawLegend(l, s.Layout.Key.Trim(0, 2*(layout.TouchTarget+layout.ButtonAir)+6, 0, 0), 2)
}

// stillTime draws why the flight was recognised, and what changes with time.
func (s *Screen) stillTime(l *draw.List) {
	s.Panel(l, s.Layout.Pane, "")
	s.legible(l, func() { s.stillWhy(l, s.Layout.Why) })
	s.time.StillStrips(l)
}

// movingReadings tells the numbers of the moment.
func (s *Screen) movingReadings(l *draw.List) {
	f := s.Model.Flight()
	s.plan.Shown().DrawReadings(l, s.Layout.Readings, 2, f, f.At(s.Model.Clock.TimeS))
}

// operateKey lets the signs be switched on and off.
func (s *Screen) operateKey() {
	rest := s.Layout.Key.Trim(layout.Pad, 4, layout.Pad, 0)
	s.choices(func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(s.Touchable(h))
		return r
	})
}
