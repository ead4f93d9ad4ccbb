package screen

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// mapState is the map of the settings in force, that of the kept ones where settings are compared beside each other,
// and what the pointer does on them.
type mapState struct {
	plan, kept panel.Map
	pending    *whereLook // that a link asks for
	fitted     bool       // the camera has been fitted to the window
	ground     ground
	whole      model.Camera // shows all of that ground
	fan        fan

	brushing   bool        // a drag selects flights
	keepingOut bool        // a click forbids a cell
	held       handle      // what is dragged
	target     movedTarget // that was dragged
}

// Heat is what is painted on the map.
type Heat = panel.Heat

// What can be painted.
const (
	HeatPrivate = panel.HeatPrivate
	HeatTrue    = panel.HeatTrue
	HeatNoise   = panel.HeatNoise
	HeatOff     = panel.HeatOff
	HeatBelief  = panel.HeatBelief
)

// heatNames are what can be painted as links and buttons call it, by Heat.
var heatNames = []string{"private", "true", "noise", "off", "belief"}

// maps returns the map of the settings in force and, where there is one, that of the kept ones, with what they show
// now. Both show the same part of the world.
func (s *Screen) maps() []*panel.Map {
	m := s.Model
	s.plan.View = panel.View{Theme: s.theme(), Scale: s.scale, Fingers: s.layout.Compact, Bare: s.opening.running,
		World: &m.World, Show: m.Show, Version: m.Version, Heat: s.heatShown(), Belief: s.painted(), Arrows: s.ShowHead,
		Policy: m.Policy, FarKm: s.colourKm, Crossed: s.overText(), ByHand: &m.WhatIf,
		Lens: !s.Folded.has(panelLens), Readings: !s.Folded.has(panelReadings)}
	if s.ShowFan {
		s.plan.FanText = s.fanText()
	}
	if m.Pair == nil {
		return []*panel.Map{&s.plan}
	}
	if !s.beside() {
		if !m.ShowsBaseline() {
			s.plan.Over = &m.Pair.Private
		}
		return []*panel.Map{&s.plan}
	}
	s.kept.Camera, s.kept.View = s.plan.Camera, s.plan.View
	s.kept.Camera.View, s.kept.Kept = s.layout.Kept, true
	s.kept.World, s.kept.ByHand, s.kept.Policy = &m.Pair.World, nil, s.keptPolicy
	s.kept.Title, s.plan.Title = s.keptText(), "now: the same settings"
	if differs := model.Differs(m.Config, m.Pair.Config); differs != "" {
		s.plan.Title = "now: " + differs
	}
	return []*panel.Map{&s.plan, &s.kept}
}

// main is the map of the settings in force.
func (s *Screen) main() *panel.Map { return s.maps()[0] }

// keptPolicy is what the flight of the kept settings is commanded in every state.
func (s *Screen) keptPolicy() []int32 {
	if s.Model.ShowsBaseline() {
		return s.Model.Pair.Experiment.Mission.Optimal.Policy
	}
	return s.Model.Pair.Private.Policy
}

// painted is what is painted of the beliefs of the chosen observer.
func (s *Screen) painted() panel.Belief {
	n := &s.Model.Inference
	if b := s.belief(); b != nil {
		return panel.Belief{States: n.States, Posterior: b.Posterior}
	}
	observer := adversary.GoalNames()[s.Observer]
	return panel.Belief{Awaited: cmp.Or(n.Problem, s.Model.Unasked(observer),
		"Working out what the observer "+observer+" believes …")}
}

// twoMaps reports whether the kept settings are to have a map of their own.
func (s *Screen) twoMaps() bool { return s.Beside && s.Model.Pair != nil }

// beside reports whether they have one in this layout.
func (s *Screen) beside() bool { return s.twoMaps() && !s.layout.Kept.Empty() }

// split gives the kept settings a half of the map: the left one, or where the map is higher than wide the upper one.
func (l *Layout) split() {
	if l.Map.W >= l.Map.H {
		l.Kept, l.Map = l.Map.CutLeft((l.Map.W - gap) / 2)
		l.Map = l.Map.Trim(gap, 0, 0, 0)
	} else {
		l.Kept, l.Map = l.Map.CutTop((l.Map.H - gap) / 2)
		l.Map = l.Map.Trim(0, gap, 0, 0)
	}
	l.Kept, l.Map = l.Kept.Trim(0, panel.TitleHeight, 0, 0), l.Map.Trim(0, panel.TitleHeight, 0, 0)
}

// maps is the area of the map, or of both with what names them.
func (l *Layout) maps() draw.Rect {
	if l.Kept.Empty() {
		return l.Map
	}
	return l.Kept.Around(l.Map).Trim(0, -panel.TitleHeight, 0, 0)
}

// farthestKm is what charts of the detection distance reach to at least, km.
const farthestKm = 20

// distanceColour is brighter the farther from the target a flight was recognised.
func (s *Screen) distanceColour(km float64) colour { return s.theme().Shade(km / s.colourKm) }

// scaleColours has the strongest colour stand for a round distance that no flight is recognised beyond.
func (s *Screen) scaleColours() {
	const step = 20 // km
	far := math.Max(s.farthestDot(), s.Model.Private.Run.PlannedKm)
	s.colourKm = math.Max(step, step*math.Ceil(far/step))
}

// stillMaps draws the maps without what moves with the clock.
func (s *Screen) stillMaps(l *draw.List) {
	s.groundMaps(l)
	s.fanMaps(l, s.tracks(nil))
	s.routeMaps(l)
}

// groundMaps draws what lies below the flights.
func (s *Screen) groundMaps(l *draw.List) {
	l.Rect(s.layout.maps(), s.theme().Background)
	for _, m := range s.maps() {
		m.DrawGround(l)
	}
}

// fanMaps draws flights of the ensemble.
func (s *Screen) fanMaps(l *draw.List, tracks []panel.Track) {
	for _, m := range s.maps() {
		m.DrawFan(l, tracks)
	}
}

// routeMaps draws what lies over the ensemble and does not move with the clock.
func (s *Screen) routeMaps(l *draw.List) {
	for _, m := range s.maps() {
		m.DrawRoutes(l)
	}
}

// movingMaps draws what moves with the clock.
func (s *Screen) movingMaps(l *draw.List) {
	for _, m := range s.maps() {
		if s.opening.running {
			s.openingMap(l, m)
			m.DrawNames(l)
			continue
		}
		m.DrawMoving(l, s.Model.Clock.TimeS)
	}
}

// placeCards gives the cards on the maps their places.
func (s *Screen) placeCards() {
	for _, m := range s.maps() {
		m.PlaceCards()
	}
}

// operateMaps lets the pointer work the maps.
func (s *Screen) operateMaps() {
	s.operateMap(s.main())
	if all := s.maps(); len(all) > 1 {
		s.operateMap(all[1])
		view := s.plan.Camera.View
		s.plan.Camera = s.kept.Camera
		s.plan.Camera.View = view
	}
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

// tracks appends the flights that are drawn on the maps, coloured by where each was recognised.
func (s *Screen) tracks(tracks []panel.Track) []panel.Track {
	if !s.ShowFan || s.Model.ShowsBaseline() || s.opening.running {
		return tracks
	}
	for _, m := range s.maps() {
		for _, f := range m.World.Ensemble.Members {
			if f == nil || f.Path == nil || !s.isSelected(f.Run.Run) {
				continue
			}
			ink := ui.Faded(s.distanceColour(f.Run.DetectionKm), 0.5)
			tracks = append(tracks, panel.Track{Of: f, Ink: ink, Kept: m.Kept})
		}
	}
	return tracks
}

// fanText says how many flights of the ensemble are drawn, and what their colours reach to.
func (s *Screen) fanText() string {
	drawn := min(s.Model.Runs(), model.FanRuns)
	text := fmt.Sprintf("%d flights", drawn)
	if runs, _ := s.selectedRuns(); runs != nil {
		n := 0
		for _, on := range runs[:min(len(runs), drawn)] {
			n += either(on, 1, 0)
		}
		text = fmt.Sprintf("%d of %d", n, drawn)
	}
	return text + fmt.Sprintf(", 0 … %s km", number(s.colourKm))
}
