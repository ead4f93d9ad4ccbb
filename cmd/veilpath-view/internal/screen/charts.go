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
	resultsPane = pane{func(l *layout.Layout) draw.Rect { return l.Results }, func(s *Screen, l *draw.List) { s.results.DrawStill(l) }, func(s *Screen, l *draw.List) { s.results.DrawMoving(l) },
		nil}
	flightsPane = pane{func(l *layout.Layout) draw.Rect { return l.Distribution }, func(s *Screen, l *draw.List) { s.distribution.DrawStill(l) },
		func(s *Screen, l *draw.List) { s.distribution.DrawMoving(l) }, func(s *Screen) { s.distribution.Operate() }}
	surfacePane = pane{func(l *layout.Layout) draw.Rect { return l.Survey }, func(s *Screen, l *draw.List) { s.survey.DrawStill(l) }, func(s *Screen, l *draw.List) { s.survey.DrawMoving(l) },
		func(s *Screen) { s.survey.Operate() }}
	keyPane  = pane{func(l *layout.Layout) draw.Rect { return l.Key }, func(s *Screen, l *draw.List) { s.signs.DrawStill(l) }, nil, func(s *Screen) { s.signs.Operate() }}
	timePane = pane{func(l *layout.Layout) draw.Rect { return l.Readings }, func(s *Screen, l *draw.List) { s.why.DrawStill(l) }, func(s *Screen, l *draw.List) { s.why.DrawMoving(l) }, nil}
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
