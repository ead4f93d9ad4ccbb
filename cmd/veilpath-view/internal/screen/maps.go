package screen

import (
	"cmp"
	"fmt"
	"slices"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// mapState is the map, and what the pointer does on it.
type mapState struct {
	plan    panel.Map
	pending *whereLook // that a link asks for
	fitted  bool       // the camera has been fitted to the window
	ground  ground
	whole   model.Camera // as it was fitted last
	fan     fan

	brushing   bool   // a drag selects flights
	keepingOut bool   // a click forbids a cell
	allows     bool   // those that are dragged over instead
	held       handle // what is dragged
}

// heatNames are what can be painted as links and buttons call it, by Heat.
var heatNames = []string{"private", "true", "noise", "off", "belief"}

// shownMap returns the map with what it shows now.
func (s *Screen) shownMap() *panel.Map {
	m := s.Model
	s.plan.View = panel.View{Theme: s.Theme(), Scale: s.Scale, Fingers: s.Layout.Compact, Bare: s.Opening.Running,
		World: &m.World, Show: m.Show, Version: m.Version, Heat: s.HeatShown(), Belief: s.painted(), Arrows: s.ShowHead,
		Policy: m.Policy, Crossed: s.OverText(), ByHand: &m.WhatIf,
		Lens: !s.Folded.Has(layout.PanelLens), Readings: !s.Folded.Has(layout.PanelReadings), Cells: s.keepingOut}
	if s.ShowFan {
		s.plan.FanText = s.fanText()
	}
	if m.Pair != nil && !m.ShowsBaseline() {
		s.plan.Over = &m.Pair.Private
	}
	return &s.plan
}

// painted is what is painted of the beliefs of the chosen observer.
func (s *Screen) painted() panel.Belief {
	n := &s.Model.Inference
	if b := s.Belief(); b != nil {
		return panel.Belief{States: n.States, Posterior: b.Posterior}
	}
	observer := adversary.GoalNames()[s.Observer]
	return panel.Belief{Awaited: cmp.Or(n.Problem, s.Model.Unasked(observer),
		"Working out what the observer "+observer+" believes …")}
}

// groundMap draws what lies below the flights.
func (s *Screen) groundMap(l *draw.List) {
	l.Rect(s.Layout.Map, s.Theme().Background)
	s.shownMap().DrawGround(l)
}

// fanMap draws flights of the ensemble.
func (s *Screen) fanMap(l *draw.List) { s.shownMap().DrawFan(l, s.fan.tracks) }

// routeMap draws what lies over the ensemble and does not move with the clock.
func (s *Screen) routeMap(l *draw.List) { s.shownMap().DrawRoutes(l) }

// movingMap draws what moves with the clock.
func (s *Screen) movingMap(l *draw.List) {
	m := s.shownMap()
	if s.Opening.Running {
		s.openingMap(l, m)
		m.DrawNames(l)
		return
	}
	m.DrawMoving(l, s.Model.Clock.TimeS)
}

// fan is the flights of the ensemble as they are drawn. Laying them takes longer than all else on the map.
type fan struct {
	tracks, next []panel.Track // that are drawn, and storage
	version      uint64        // changes with them
}

// chooseFan chooses the flights that are drawn.
func (s *Screen) chooseFan() {
	f := &s.fan
	f.next = s.tracks(f.next[:0])
	if !slices.Equal(f.next, f.tracks) {
		f.tracks, f.next = f.next, f.tracks
		f.version++
	}
}

// tracks appends the flights that are drawn on the map, coloured by where each was recognised.
func (s *Screen) tracks(tracks []panel.Track) []panel.Track {
	if !s.ShowFan || s.Model.ShowsBaseline() || s.Opening.Running {
		return tracks
	}
	for _, f := range s.Model.Ensemble.Members {
		if f != nil && f.Path != nil && s.IsSelected(f.Run.Run) {
			tracks = append(tracks, panel.Track{Of: f, Ink: ui.Faded(s.DistanceColour(f.Run.DetectionKm), 0.5)})
		}
	}
	return tracks
}

// fanText says how many flights of the ensemble are drawn, and what their colours reach to.
func (s *Screen) fanText() string {
	drawn := min(s.Model.Runs(), model.FanRuns)
	text := fmt.Sprintf("%d flights", drawn)
	if runs, _ := s.SelectedRuns(); runs != nil {
		n := 0
		for _, on := range runs[:min(len(runs), drawn)] {
			n += either(on, 1, 0)
		}
		text = fmt.Sprintf("%d of %d", n, drawn)
	}
	return text + fmt.Sprintf(", 0 … %s km", number(s.ColourKm))
}
