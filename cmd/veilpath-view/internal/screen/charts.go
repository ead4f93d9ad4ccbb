package screen

import (
	"fmt"
	"math"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
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
	guessPane = pane{func(l *layout.Layout) draw.Rect { return l.Error }, func(s *Screen, l *draw.List) { s.stillGuess(l) }, func(s *Screen, l *draw.List) { s.movingGuess(l) },
		func(s *Screen) { s.operateGuess() }}
	beliefPane = pane{func(l *layout.Layout) draw.Rect { return l.Belief }, func(s *Screen, l *draw.List) { s.stillBelief(l) }, func(s *Screen, l *draw.List) { s.movingBelief(l) },
		func(s *Screen) { s.operateBelief() }}
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
	dockPane = pane{func(l *layout.Layout) draw.Rect { return l.Dock }, func(s *Screen, l *draw.List) { s.stillDock(l) }, func(s *Screen, l *draw.List) { s.movingDock(l) }, nil}
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
	s.operateTimeline()
	for _, p := range sidePanes {
		if p.operate != nil && !p.area(&s.Layout).Empty() {
			p.operate(s)
		}
	}
}

func (s *Screen) stillGuess(l *draw.List) { either(s.beliefForGuess(), s.stillBelief, s.stillError)(l) }
func (s *Screen) movingGuess(l *draw.List) {
	either(s.beliefForGuess(), s.movingBelief, s.movingError)(l)
}
func (s *Screen) operateGuess() { either(s.beliefForGuess(), s.operateBelief, s.operateError)() }

// stillKey draws the panel that explains the signs.
func (s *Screen) stillKey(l *draw.List) {
	s.Panel(l, s.Layout.Key, "")
	s.plan.Shown().DrawLegend(l, s.Layout.Key.Trim(0, 2*(layout.TouchTarget+layout.ButtonAir)+6, 0, 0), 2)
}

// stillTime draws why the flight was recognised, and what changes with time.
func (s *Screen) stillTime(l *draw.List) {
	s.Panel(l, s.Layout.Pane, "")
	s.legible(l, func() { s.stillWhy(l, s.Layout.Why) })
	s.stillStrips(l)
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

// inside returns the area of a chart's plot within its panel.
func inside(panel draw.Rect) draw.Rect { return panel.Trim(46, 28, 14, 34) }

// errorOverTime reports whether the error chart goes by time. As a rule it goes by distance. A fall-back wanders about
// and passes the same distance again and again.
func (s *Screen) errorOverTime() bool {
	return s.Model.Private.Run.Fallback && !s.Model.ShowsBaseline()
}

// errorX returns a sample's place along the error chart, km or s.
func (s *Screen) errorX(f *model.Flight, i int) float64 {
	if s.errorOverTime() {
		return f.TimeS(i)
	}
	return f.Errors.DistanceKm[i]
}

// guess is how far off the guesses of the flights on show are. The flight goes from left to right, so the distance to
// the target decreases.
func (s *Screen) guess() *panel.Guess {
	m, f := s.Model, s.Model.Flight()
	g := &s.guesses
	*g = panel.Guess{Area: inside(s.Layout.Error), Axis: "time, s", Along: s.Times(), Errors: g.Errors[:0],
		RadiusKm: m.Config.Adversary.RadiusKm, Ink: s.Theme().ObserverInk(), DecisiveInk: s.Theme().CaughtInk()}
	if !s.errorOverTime() {
		far := math.Max(m.Nominal.Errors.DistanceKm[0], m.Private.Errors.DistanceKm[0])
		g.Axis, g.Along = "distance to the target, km", ui.Scale{Low: math.Ceil(far/10) * 10, High: 0}
	}
	add := func(f *model.Flight, width float64, ink colour) {
		g.Errors = append(g.Errors, panel.Error{Curve: panel.Curve{N: len(f.Samples), Width: width, Ink: ink,
			At: func(i int) (float64, float64) { return s.errorX(f, i), f.Errors.ErrorKm[i] }}})
	}
	if s.plan.Shown().DrawsDirect() {
		add(&m.Nominal, 1.2, s.plan.Shown().DirectInk())
	}
	if m.Pair != nil && !m.ShowsBaseline() && !s.errorOverTime() {
		add(&m.Pair.Private, 1.2, s.Theme().KeptInk())
	}
	if f != &m.Nominal {
		add(f, 1.8, s.plan.Shown().ShownInk())
	}
	g.Errors = append(g.Errors, s.watcherErrors(f)...)
	if f.Run.Detected {
		g.Decisive, g.Rule = s.decisive(f)
	}
	return g
}

// decisive returns the steps that made the detection of a flight, and what they are.
func (s *Screen) decisive(f *model.Flight) (steps [][2]float64, rule string) {
	asks, last := s.Model.Experiment.Adversary.Rule, f.Detection.Sample
	first, end, rule := max(0, last-asks.Steps()+1), last, fmt.Sprintf("%d steps in a row within ρ", asks.Steps())
	if asks == adversary.Stays {
		first, end, rule = last, len(f.Samples)-1, "within ρ from here on"
	}
	for i := first; i <= end; i++ {
		if i != last {
			steps = append(steps, s.errorAt(f, i))
		}
	}
	return append(steps, s.errorAt(f, last)), rule
}

// errorAt is where a sample is along the error chart, and the error.
func (s *Screen) errorAt(f *model.Flight, i int) [2]float64 {
	return [2]float64{s.errorX(f, i), f.Errors.ErrorKm[i]}
}

// stillError draws the observer's error over the distance to the target.
func (s *Screen) stillError(l *draw.List) {
	s.Panel(l, s.Layout.Error, "How far off the observer's guess is, km")
	s.guess().Draw(l, s.Theme())
}

func (s *Screen) movingError(l *draw.List) {
	f := s.Model.Flight()
	l.Clip(s.Layout.Error)
	s.guess().DrawNow(l, s.Theme(), s.errorAt(f, f.At(s.Model.Clock.TimeS)))
	l.Unclip()
}

// operateError drags the radius by its line, and elsewhere seeks the distance under the pointer.
func (s *Screen) operateError() {
	g := s.guess()
	radius, sets, along, over, seeks := g.Operate(s.UI)
	if sets {
		s.Model.SetRadius(model.Rounded(clampTo(radius, model.MinRadius, model.MaxRadius)))
	}
	if over {
		s.hintError(g.Area, along)
	}
	switch {
	case seeks && s.errorOverTime():
		s.Model.Clock.Seek(along)
	case seeks:
		s.seekDistance(along)
	}
}

// hintError says how far off the guess is where the pointer is.
func (s *Screen) hintError(area draw.Rect, at float64) {
	f := s.Model.Flight()
	i := f.At(at)
	if !s.errorOverTime() {
		i = f.FirstWithin(at)
	}
	s.UI.Hint(true, draw.Rect{X: s.UI.Input.Pointer.X - 4, Y: area.Y, W: 8, H: area.H},
		fmt.Sprintf("%s km from the target, after %s s: the guess is off by %s",
			fixed(f.Errors.DistanceKm[i], 1), fixed(f.TimeS(i), 1),
			chart.DistanceText(f.Errors.ErrorKm[i]))+s.watcherErrorsText(i))
}

// seekDistance goes to where the flight is first that near to the target.
func (s *Screen) seekDistance(km float64) {
	f := s.Model.Flight()
	s.Model.Clock.Seek(f.TimeS(f.FirstWithin(km)))
}
