package panel

import (
	"cmp"
	"fmt"
	"slices"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Plan is the map of a mission in the window: what the map shows, the place that it is looked at, and what the pointer
// does on it.
type Plan struct {
	*Frame
	Map      Map
	Pending  *Where // that a link asks for
	Fitted   bool   // the camera has been fitted to the window
	AsFitted model.Camera
	Fan      fan
	ShowFan  bool // flights of the ensemble are drawn

	KeepingOut bool // a click forbids a cell

	ground  ground
	painted map[int]bool // cells that are dragged over, to be forbidden or allowed
	allows  bool         // them
}

// Shown returns the map with what it shows now.
func (pl *Plan) Shown() *Map {
	m := pl.Model
	pl.Map.View = View{Theme: pl.Theme(), Scale: pl.Scale, Fingers: pl.Layout.Compact, World: &m.World, Show: m.Show, Version: m.Version, Heat: pl.HeatShown(), Belief: pl.painting(), Crossed: pl.OverText(), Painted: pl.painted,
		Lens: !pl.Folded.Has(layout.PanelLens), Readings: !pl.Folded.Has(layout.PanelReadings), Cells: pl.KeepingOut,
		Coarse: pl.DragsEpsilon()}
	if pl.ShowFan {
		pl.Map.FanText = pl.fanText()
	}
	if m.Pair != nil && !m.ShowsBaseline() {
		pl.Map.Over = &m.Pair.Private
	}
	return &pl.Map
}

// painting is what is painted of the beliefs of the chosen observer.
func (pl *Plan) painting() Belief {
	n := &pl.Model.Inference
	if b := pl.Belief(); b != nil {
		return Belief{States: n.States, Posterior: b.Posterior}
	}
	observer := adversary.GoalNames()[pl.Observer]
	return Belief{Awaited: cmp.Or(n.Problem,
		"Working out what the observer "+observer+" believes …")}
}

// DrawGround draws what lies below the flights.
func (pl *Plan) DrawGround(l *draw.List) {
	l.Rect(pl.Layout.Map, pl.Theme().Background)
	pl.Shown().DrawGround(l)
}

// DrawMoving draws what moves with the clock.
func (pl *Plan) DrawMoving(l *draw.List) {
	pl.Shown().DrawMoving(l, pl.Model.Clock.TimeS)
}

// eachCurve passes on the flights that charts draw curves of, with the width and the colour of each. The flight on show
// comes last.
func (pl *Plan) eachCurve(add func(f *model.Flight, width float64, ink colour)) {
	m := pl.Shown()
	if m.DrawsDirect() {
		add(&m.World.Nominal, 1.2, m.DirectInk())
	}
	if m.Over != nil {
		add(m.Over, 1.2, m.Theme.KeptInk())
	}
	if f := m.Flight(); f != &m.World.Nominal {
		add(f, 1.8, m.ShownInk())
	}
}

// fan is the flights of the ensemble as they are drawn. Laying them takes longer than all else on the map.
type fan struct {
	Tracks, next []Track // that are drawn, and storage
	Version      uint64  // changes with them
}

// ChooseFan chooses the flights that are drawn.
func (pl *Plan) ChooseFan() {
	f := &pl.Fan
	f.next = pl.Tracks(f.next[:0])
	if !slices.Equal(f.next, f.Tracks) {
		f.Tracks, f.next = f.next, f.Tracks
		f.Version++
	}
}

// Tracks appends the flights that are drawn on the map, coloured by where each was recognised.
func (pl *Plan) Tracks(tracks []Track) []Track {
	if !pl.FanShown() {
		return tracks
	}
	for _, f := range pl.Model.Ensemble.Members {
		if f != nil && f.Path != nil {
			ink := ui.Faded(pl.DistanceColour(f.Run.DetectionKm), 0.5)
			if pl.Outdated(f) {
				ink = ui.Faded(pl.Theme().Muted, 0.3)
			}
			tracks = append(tracks, Track{Of: f, Ink: ink})
		}
	}
	return tracks
}

// FanShown reports whether the flights of the ensemble are drawn: beside a baseline they are not.
func (pl *Plan) FanShown() bool { return pl.ShowFan && !pl.Model.ShowsBaseline() }

// ToggleFan shows the ensemble or hides it; beside a baseline it shows it with the private one.
func (pl *Plan) ToggleFan() {
	pl.ShowFan = !pl.FanShown()
	if pl.ShowFan {
		pl.Model.SetShown(model.ShowPrivate)
	}
}

// fanText says how many flights of the ensemble are drawn, and what their colours reach to.
func (pl *Plan) fanText() string {
	drawn := min(pl.Model.Runs(), model.FanRuns)
	text := fmt.Sprintf("%d flights", drawn)
	if drawn < pl.Model.Runs() {
		text = fmt.Sprintf("%d of %d", drawn, pl.Model.Runs())
	}
	return text + fmt.Sprintf(", 0 … %s km", chart.Number(pl.colourKm))
}
