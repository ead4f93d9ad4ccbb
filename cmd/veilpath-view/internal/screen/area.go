package screen

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// flightsKey is what the flights that are drawn depend on.
type flightsKey struct {
	selected, flown, along uint64
	runs                   int
	epsilon, radiusKm      float64
}

func (s *Screen) flightsKey() flightsKey {
	m := s.Model
	key := flightsKey{flown: m.Ensemble.Version}
	if c := &s.selection; c.kind == bySettings {
		key = flightsKey{selected: c.version, along: m.Axis.Version, runs: m.Runs(), epsilon: m.Config.Privacy.Epsilon,
			radiusKm: m.Config.Adversary.RadiusKm}
	}
	return key
}

// flights returns the flights that the panels show: those of the ensemble, or where an area of the map of epsilon and
// radius is selected, those that are flown in it. Some may be nil.
func (s *Screen) flights() []*model.Member {
	c := &s.selection
	if c.kind != bySettings {
		return s.Model.Ensemble.Members
	}
	return s.areaFlights.get(s.flightsKey(), func() []*model.Member {
		return s.Model.FlightsBetween(c.spans[0][0], c.spans[0][1])
	})
}

// flightsOn returns the flights that are drawn on a map.
func (s *Screen) flightsOn(m *panel.Map) []*model.Member {
	if m.Kept {
		return m.World.Ensemble.Members
	}
	return s.flights()
}

// inForce reports whether a flight is flown at the epsilon in force.
func (s *Screen) inForce(m *model.Member) bool {
	return m.Run.Epsilon == s.Model.Config.Privacy.Epsilon
}

// showMember shows a flight, at an epsilon at which it is flown unless it is one of the kept settings.
func (s *Screen) showMember(m *model.Member, kept bool) {
	if !s.inForce(m) && !kept {
		s.Model.SetEpsilon(m.Run.Epsilon)
	}
	s.Model.Select(m.Run.Run)
}

// memberText says where a flight was recognised.
func (s *Screen) memberText(m *model.Member, kept bool) string {
	at := ""
	if s.selection.kind == bySettings && !kept {
		at = " at ε " + number(m.Run.Epsilon)
	}
	return fmt.Sprintf("Run %d%s: %s. Click to see it.", m.Run.Run, at, recognised(&m.Run, 2))
}

// brushSurvey selects the cells that are dragged over, and reports whether a brush is held. When it is let go, epsilon
// and the radius go into the area.
func (s *Screen) brushSurvey() bool {
	if !s.UI.Holding("survey") || s.UI.Strayed() < brushFrom {
		return false
	}
	m := &s.Model.Survey
	i0, j0 := s.surfaceChart().At(s.UI.DownAt())
	i1, j1 := s.surfaceChart().At(s.UI.Input.Pointer)
	area := selection{kind: bySettings, spans: [2][2]float64{ordered(m.Epsilons[i0], m.Epsilons[i1]),
		ordered(m.RadiiKm[j0], m.RadiiKm[j1])}}
	if !s.Model.HasAxis() {
		s.Model.Say(true, "Flights at many ε are known where all have common noise and moves are certain; here they are not.")
		return true
	}
	s.choose(area)
	if !s.UI.Input.Down {
		s.enterArea()
	}
	return true
}

// enterArea brings epsilon and the radius into the selected area.
func (s *Screen) enterArea() {
	epsilon, km, now := s.selection.spans[0], s.selection.spans[1], &s.Model.Config
	if radius := clampTo(now.Adversary.RadiusKm, km[0], km[1]); radius != now.Adversary.RadiusKm {
		s.Model.SetRadius(radius)
	}
	s.Model.SetEpsilon(clampTo(now.Privacy.Epsilon, epsilon[0], epsilon[1]))
}

// settingsText says which flights an area holds and what they come to.
func (s *Screen) settingsText() string {
	epsilon, km := s.selection.spans[0], s.selection.spans[1]
	where := fmt.Sprintf("at ε %s to %s, ρ %s to %s km", number(epsilon[0]), number(epsilon[1]), number(km[0]),
		number(km[1]))
	flights := s.flights()
	if len(flights) == 0 {
		return "no flights " + where + " are known yet"
	}
	low, high := math.Inf(1), 0.0
	for _, m := range flights {
		low, high = math.Min(low, m.DistanceKm(km[0])), math.Max(high, m.DistanceKm(km[1]))
	}
	return fmt.Sprintf("%d flights %s: %s to %s", len(flights), where, either(low > 0, fixed(low, 1), "never"),
		either(high > 0, fixed(high, 1)+" km", "never"))
}

// drawSettings outlines the selected area on the map of epsilon and radius, and its epsilons on the chart along
// epsilon.
func (s *Screen) drawSettings(l *draw.List, ink colour) {
	epsilon, km, t := s.selection.spans[0], s.selection.spans[1], s.theme()
	if p := s.axisPlot(); !p.Area.Empty() {
		x := p.PX(epsilon[0])
		l.Rect(draw.Rect{X: x - 1, Y: p.Area.Y, W: math.Max(2, p.PX(epsilon[1])-x), H: p.Area.H}, ink)
	}
	if s.layout.Survey.Empty() || s.axisInSurvey() {
		return
	}
	corners := s.surfaceChart().Within(epsilon, km).Outline()
	l.Line(corners, 4, ui.Faded(t.Background, 0.8))
	l.Dashed(corners, 2, 5, 3, t.Accent)
}
