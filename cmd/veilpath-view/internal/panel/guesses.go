package panel

import (
	"fmt"
	"math"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Guesses is the panel of how far off the guesses of the flights on show are. Beliefs have its place where they are
// painted and have none of their own.
type Guesses struct {
	*Frame
	Plan    *Plan
	Beliefs *Beliefs

	guess Guess // room for the chart
}

// Area is the panel.
func (gs *Guesses) Area() draw.Rect { return gs.Layout.Error }

// DrawStill draws how far off the guesses are, or the beliefs in their place.
func (gs *Guesses) DrawStill(l *draw.List) {
	either(gs.Beliefs.inPlaceOfGuess(), gs.Beliefs.DrawStill, gs.stillError)(l)
}

// DrawMoving draws the moment on it.
func (gs *Guesses) DrawMoving(l *draw.List) {
	either(gs.Beliefs.inPlaceOfGuess(), gs.Beliefs.DrawMoving, gs.movingError)(l)
}

// Operate sets the radius and the moment by the chart, or works the beliefs.
func (gs *Guesses) Operate() {
	either(gs.Beliefs.inPlaceOfGuess(), gs.Beliefs.Operate, gs.operateError)()
}

// overTime reports whether the error chart goes by time. As a rule it goes by distance. A fall-back wanders about
// and passes the same distance again and again.
func (gs *Guesses) overTime() bool {
	return gs.Model.Private.Run.Fallback && !gs.Model.ShowsBaseline()
}

// errorX returns a sample's place along the error chart, km or s.
func (gs *Guesses) errorX(f *model.Flight, i int) float64 {
	if gs.overTime() {
		return f.TimeS(i)
	}
	return f.Errors.DistanceKm[i]
}

// Chart is how far off the guesses of the flights on show are. The flight goes from left to right, so the distance to
// the target decreases.
func (gs *Guesses) Chart() *Guess {
	m, f := gs.Model, gs.Model.Flight()
	g := &gs.guess
	*g = Guess{Area: plotArea(gs.Layout.Error), Axis: "time, s", Along: gs.Times(), Errors: g.Errors[:0],
		RadiusKm: m.Config.Adversary.RadiusKm, Ink: gs.Theme().ObserverInk(), DecisiveInk: gs.Theme().CaughtInk()}
	if !gs.overTime() {
		far := math.Max(m.Nominal.Errors.DistanceKm[0], m.Private.Errors.DistanceKm[0])
		g.Axis, g.Along = "distance to the target, km", ui.Scale{Low: math.Ceil(far/10) * 10, High: 0}
	}
	gs.Plan.eachCurve(func(f *model.Flight, width float64, ink colour) {
		if m.Pair != nil && f == &m.Pair.Private && gs.overTime() {
			return
		}
		g.Errors = append(g.Errors, Curve{N: len(f.Samples), Width: width, Ink: ink,
			At: func(i int) (float64, float64) { return gs.errorX(f, i), f.Errors.ErrorKm[i] }})
	})
	if f.Run.Detected {
		g.Decisive, g.Rule = gs.decisive(f)
	}
	return g
}

// decisive returns the steps that made the detection of a flight, and what they are.
func (gs *Guesses) decisive(f *model.Flight) (steps [][2]float64, rule string) {
	asks, last := gs.Model.Experiment.Adversary.Rule, f.Detection.Sample
	first, end, rule := max(0, last-asks.Steps()+1), last, fmt.Sprintf("%d steps in a row within ρ", asks.Steps())
	if asks == adversary.Stays {
		first, end, rule = last, len(f.Samples)-1, "within ρ from here on"
	}
	for i := first; i <= end; i++ {
		if i != last {
			steps = append(steps, gs.errorAt(f, i))
		}
	}
	return append(steps, gs.errorAt(f, last)), rule
}

// errorAt is where a sample is along the error chart, and the error.
func (gs *Guesses) errorAt(f *model.Flight, i int) [2]float64 {
	return [2]float64{gs.errorX(f, i), f.Errors.ErrorKm[i]}
}

// stillError draws the observer's error over the distance to the target.
func (gs *Guesses) stillError(l *draw.List) {
	gs.Panel(l, gs.Layout.Error, "How far off the observer's guess is, km")
	gs.Chart().Draw(l, gs.Theme())
}

func (gs *Guesses) movingError(l *draw.List) {
	f := gs.Model.Flight()
	l.Clip(gs.Layout.Error)
	gs.Chart().DrawNow(l, gs.Theme(), gs.errorAt(f, f.At(gs.Model.Clock.TimeS)))
	l.Unclip()
}

// operateError drags the radius by its line, and elsewhere stops the clock where the pointer is.
func (gs *Guesses) operateError() {
	g := gs.Chart()
	radius, sets, along, over, seeks := g.Operate(gs.UI)
	if sets {
		gs.Model.SetRadius(model.Rounded(max(model.MinRadius, min(model.MaxRadius, radius))))
	}
	if over {
		gs.hintError(g.Area, along)
	}
	switch {
	case seeks && gs.overTime():
		gs.Model.Clock.StopAt(along)
	case seeks:
		gs.seekDistance(along)
	}
}

// hintError says how far off the guess is where the pointer is.
func (gs *Guesses) hintError(area draw.Rect, at float64) {
	f := gs.Model.Flight()
	i := f.At(at)
	if !gs.overTime() {
		i = f.FirstWithin(at)
	}
	gs.UI.Hint(true, draw.Rect{X: gs.UI.Input.Pointer.X - 4, Y: area.Y, W: 8, H: area.H},
		fmt.Sprintf("%s km from the target, after %s s: the guess is off by %s",
			chart.Fixed(f.Errors.DistanceKm[i], 1), chart.Fixed(f.TimeS(i), 1),
			chart.DistanceText(f.Errors.ErrorKm[i])))
}

// seekDistance goes to where the flight is first that near to the target.
func (gs *Guesses) seekDistance(km float64) {
	f := gs.Model.Flight()
	gs.Model.Clock.StopAt(f.TimeS(f.FirstWithin(km)))
}
