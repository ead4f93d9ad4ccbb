package screen

import (
	"fmt"
	"math"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
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
	area    func(*Layout) draw.Rect
	still   func(*Screen, *draw.List)
	moving  func(*Screen, *draw.List) // what moves with the clock or the pointer; nil for nothing
	operate func(*Screen)             // what the pointer does; nil for nothing
}

var (
	guessPane = pane{func(l *Layout) draw.Rect { return l.Error }, (*Screen).stillGuess, (*Screen).movingGuess,
		(*Screen).operateGuess}
	beliefPane = pane{func(l *Layout) draw.Rect { return l.Belief }, (*Screen).stillBelief, (*Screen).movingBelief,
		(*Screen).operateBelief}
	whyPane = pane{func(l *Layout) draw.Rect { return l.Reasons }, (*Screen).stillReasons, (*Screen).movingReasons,
		(*Screen).operateReasons}
	alongPane   = pane{func(l *Layout) draw.Rect { return l.Along }, (*Screen).stillAlong, nil, nil}
	resultsPane = pane{func(l *Layout) draw.Rect { return l.Results }, (*Screen).stillResults, (*Screen).movingResults,
		nil}
	flightsPane = pane{func(l *Layout) draw.Rect { return l.Distribution }, (*Screen).stillDistribution,
		(*Screen).movingDistribution, (*Screen).operateDistribution}
	surfacePane = pane{func(l *Layout) draw.Rect { return l.Survey }, (*Screen).stillSurvey, (*Screen).movingSurvey,
		(*Screen).operateSurvey}
	keyPane  = pane{func(l *Layout) draw.Rect { return l.Key }, (*Screen).stillKey, nil, (*Screen).operateKey}
	timePane = pane{func(l *Layout) draw.Rect { return l.Readings }, (*Screen).stillTime, (*Screen).movingReadings, nil}
	dockPane = pane{func(l *Layout) draw.Rect { return l.Dock }, (*Screen).stillDock, (*Screen).movingDock, nil}
)

// sidePanes are those beside the map.
var sidePanes = []*pane{&guessPane, &beliefPane, &whyPane, &alongPane, &resultsPane, &flightsPane, &surfacePane,
	&keyPane, &timePane}

// stillSide draws the panels that the layout has room for.
func (s *Screen) stillSide(l *draw.List) {
	l.Rect(s.layout.Side, s.theme().Background)
	for _, p := range sidePanes {
		if !p.area(&s.layout).Empty() {
			p.still(s, l)
		}
	}
	if controls := s.layout.Controls; !controls.Empty() {
		s.panel(l, controls, either(s.layout.Compact, "", "Settings"))
	}
	s.stillAxis(l)
}

// movingSide draws what moves on them.
func (s *Screen) movingSide(l *draw.List) {
	for _, p := range sidePanes {
		if p.moving != nil && !p.area(&s.layout).Empty() {
			p.moving(s, l)
		}
	}
	if !s.axisArea().Empty() {
		s.movingAxis(l)
	}
}

// operateCharts lets the pointer work the charts and the scrubber.
func (s *Screen) operateCharts() {
	s.operateTimeline()
	for _, p := range sidePanes {
		if p.operate != nil && !p.area(&s.layout).Empty() {
			p.operate(s)
		}
	}
	s.operateAxis()
}

func (s *Screen) stillGuess(l *draw.List) { either(s.beliefForGuess(), s.stillBelief, s.stillError)(l) }
func (s *Screen) movingGuess(l *draw.List) {
	either(s.beliefForGuess(), s.movingBelief, s.movingError)(l)
}
func (s *Screen) operateGuess() { either(s.beliefForGuess(), s.operateBelief, s.operateError)() }

// stillKey draws the panel that explains the signs.
func (s *Screen) stillKey(l *draw.List) {
	s.panel(l, s.layout.Key, "")
	s.legendIn(l, s.layout.Key.Trim(0, 2*(touchTarget+buttonAir)+6, 0, 0), 2)
}

// stillTime draws why the flight was recognised, and what changes with time.
func (s *Screen) stillTime(l *draw.List) {
	s.panel(l, s.layout.Pane, "")
	s.legible(l, func() { s.stillWhy(l, s.layout.Why) })
	s.stillStrips(l)
}

// movingReadings tells the numbers of the moment.
func (s *Screen) movingReadings(l *draw.List) {
	f := s.Model.Flight()
	s.readingsIn(l, s.layout.Readings, 2, f, f.At(s.Model.Clock.TimeS))
}

// operateKey lets the signs be switched on and off.
func (s *Screen) operateKey() {
	rest := s.layout.Key.Trim(pad, 4, pad, 0)
	s.choices(func(h float64) (r draw.Rect) {
		r, rest = rest.CutTop(s.touchable(h))
		return r
	})
}

// inside returns the area of a chart's plot within its panel.
func inside(panel draw.Rect) draw.Rect { return panel.Trim(46, 28, 14, 34) }

// The error chart's axes: the flight goes from left to right, so distance to the target decreases.
const (
	leastErrorKm = 0.01
	mostErrorKm  = 1000
)

// errorOverTime reports whether the error chart goes by time. As a rule it goes by distance, which a flight
// whose policy was given up, and which wanders about, passes again and again.
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

// errorAt returns where a sample is marked on the error chart: on its edge where the error is beyond it.
func (s *Screen) errorAt(p *chart.Plot, f *model.Flight, i int) draw.Point {
	return p.At(s.errorX(f, i), clampTo(f.Errors.ErrorKm[i], leastErrorKm, mostErrorKm))
}

func (s *Screen) errorPlot() chart.Plot {
	m := s.Model
	if s.errorOverTime() {
		return chart.New(inside(s.layout.Error), s.times(), ui.Scale{Low: leastErrorKm, High: mostErrorKm, Log: true})
	}
	far := math.Max(m.Nominal.Errors.DistanceKm[0], m.Private.Errors.DistanceKm[0])
	return chart.New(inside(s.layout.Error), ui.Scale{Low: math.Ceil(far/10) * 10, High: 0},
		ui.Scale{Low: leastErrorKm, High: mostErrorKm, Log: true})
}

// stillError draws the observer's error over the distance to the target.
func (s *Screen) stillError(l *draw.List) {
	t, m, p := s.theme(), s.Model, s.errorPlot()
	s.panel(l, s.layout.Error, "How far off the observer's guess is, km")
	radius := m.Config.Adversary.RadiusKm
	y := p.PY(radius)
	l.Rect(draw.Rect{X: p.Area.X, Y: y, W: p.Area.W, H: p.Area.Bottom() - y}, ui.Faded(s.observerInk(), 0.12))
	p.GridY(l, s.theme(), max(2, int(p.Area.H/18)))
	p.GridX(l, s.theme(), 5)
	l.TextIn(t.Small, draw.Rect{X: p.Area.X, Y: p.Area.Bottom() + 15, W: p.Area.W, H: 14}, draw.Center, t.Muted,
		map[bool]string{true: "time, s", false: "distance to the target, km"}[s.errorOverTime()])
	l.Clip(p.Area)
	lines := func(f *model.Flight, width float64, c colour) {
		at := func(i int) (float64, float64) { return s.errorX(f, i), f.Errors.ErrorKm[i] }
		p.Curve(l, &s.line, len(f.Samples), at, width, c)
	}
	if s.drawsDirect() {
		lines(&m.Nominal, 1.2, s.directInk())
	}
	if m.Pair != nil && !m.ShowsBaseline() && !s.errorOverTime() {
		lines(&m.Pair.Private, 1.2, s.keptInk())
	}
	if f := m.Flight(); f != &m.Nominal {
		lines(f, 1.8, s.shownInk())
	}
	s.watcherLines(l, &p)
	s.watcherNames(l, &p)
	l.Unclip()
	l.Dashed([]draw.Point{{X: p.Area.X, Y: y}, {X: p.Area.Right(), Y: y}}, 1.4, 5, 3, s.observerInk())
	text := "ρ " + number(radius) + " km"
	box := draw.Rect{X: p.Area.X + 4, Y: y + 3, W: l.Width(t.Small, text) + 8, H: 15}
	if len(s.alsoWatching()) > 0 { // whose names are on the left
		box.X = p.Area.Right() - box.W - 4
	}
	l.RoundRect(box, 3, ui.Faded(t.Panel, 0.85))
	l.TextIn(t.Small, box, draw.Center, s.observerInk(), text)
	if f := m.Flight(); f.Run.Detected {
		s.rule(l, &p, f)
	}
}

// rule marks the consecutive steps that made the detection.
func (s *Screen) rule(l *draw.List, p *chart.Plot, f *model.Flight) {
	rule, last := s.Model.Experiment.Adversary.Rule, f.Detection.Sample
	first, end := max(0, last-rule.Steps()+1), last
	if rule == adversary.Stays {
		first, end = last, len(f.Samples)-1
	}
	for i := first; i <= end; i++ {
		l.Disc(s.errorAt(p, f, i), 2.5, s.caughtInk())
	}
	at := s.errorAt(p, f, last)
	l.Segment(draw.Point{X: at.X, Y: p.Area.Y}, draw.Point{X: at.X, Y: p.Area.Bottom()}, 1, ui.Faded(s.caughtInk(), 0.7))
	l.Ring(at, 5.5, 2, s.caughtInk())
}

// ruleText names what rule marks.
func (s *Screen) ruleText(l *draw.List, p *chart.Plot, f *model.Flight) {
	t, rule, at := s.theme(), s.Model.Experiment.Adversary.Rule, s.errorAt(p, f, f.Detection.Sample)
	text := either(rule == adversary.Stays, "within ρ from here on",
		fmt.Sprintf("%d steps in a row within ρ", rule.Steps()))
	w := l.Width(t.Small, text) + 8
	box := draw.Rect{X: at.X + 6, Y: p.Area.Y + 2, W: w, H: 15}
	if box.Right() > p.Area.Right() {
		box.X = at.X - 6 - w
	}
	l.RoundRect(box, 3, t.Panel)
	l.TextIn(t.Small, box, draw.Center, s.caughtInk(), text)
}

func (s *Screen) movingError(l *draw.List) {
	m, p := s.Model, s.errorPlot()
	f := m.Flight()
	now := f.At(m.Clock.TimeS)
	at := s.errorAt(&p, f, now)
	l.Clip(s.layout.Error)
	l.Rect(draw.Rect{X: at.X - 0.5, Y: p.Area.Y, W: 1, H: p.Area.H}, ui.Faded(s.theme().Muted, 0.7))
	l.Disc(at, 5, s.theme().Panel)
	l.Disc(at, 3.8, s.observerInk())
	if f.Run.Detected {
		s.ruleText(l, &p, f)
	}
	l.Unclip()
}

// operateError drags the radius by its line, and elsewhere seeks the distance under the pointer.
func (s *Screen) operateError() {
	m, p, in := s.Model, s.errorPlot(), s.UI.Input
	y := p.PY(m.Config.Adversary.RadiusKm)
	line := draw.Rect{X: p.Area.X, Y: y - 6, W: p.Area.W, H: 12}
	over, _, _ := s.UI.Area("error.radius", line)
	s.UI.Hint(over, line, "Drag to change ρ")
	if over {
		s.UI.SetCursor(ui.Hand)
	}
	if s.UI.Sets("error.radius") {
		m.SetRadius(model.Rounded(clampTo(p.Y.Value((p.Area.Bottom()-in.Pointer.Y)/p.Area.H), model.MinRadius,
			model.MaxRadius)))
	}
	over, _, _ = s.UI.Area("error", p.Area)
	s.hintError(over, &p)
	if s.UI.Sets("error") {
		if x := p.X.Value((in.Pointer.X - p.Area.X) / p.Area.W); s.errorOverTime() {
			m.Clock.Seek(x)
		} else {
			s.seekDistance(x)
		}
	}
}

// hintError says how far off the guess is where the pointer is.
func (s *Screen) hintError(over bool, p *chart.Plot) {
	if !over {
		return
	}
	f, x := s.Model.Flight(), s.UI.Input.Pointer.X
	at := p.X.Value((x - p.Area.X) / p.Area.W)
	i := f.At(at)
	if !s.errorOverTime() {
		i = f.FirstWithin(at)
	}
	s.UI.Hint(true, draw.Rect{X: x - 4, Y: p.Area.Y, W: 8, H: p.Area.H},
		fmt.Sprintf("%s km from the target, after %s s: the guess is off by %s",
			fixed(f.Errors.DistanceKm[i], 1), fixed(f.TimeS(i), 1), distanceText(f.Errors.ErrorKm[i]))+s.watcherErrors(i))
}

// seekDistance goes to where the flight is first that near to the target.
func (s *Screen) seekDistance(km float64) {
	f := s.Model.Flight()
	s.Model.Clock.Seek(f.TimeS(f.FirstWithin(km)))
}
