package screen

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/planner"
)

// reasons is what explains the flight on show.
type reasons struct {
	sentence string
	events   []model.Event
}

func (s *Screen) why() reasons {
	m, flown := s.Model, uint64(0)
	if m.Ensemble.Complete() {
		flown = m.Ensemble.Version
	}
	return s.reasons.get([2]uint64{m.Version, flown}, func() reasons { return reasons{s.explain(), m.Events()} })
}

// explain says why the flight on show was recognised where it was.
func (s *Screen) explain() string {
	m := s.Model
	f, run := m.Flight(), &m.Flight().Run
	w, hasHumps := m.Why()
	rule := m.Experiment.Adversary.Rule
	off := func(sample int) string { return degrees(f.OffDeg(sample, f.Target)) }
	var text string
	switch {
	case m.Show == model.ShowDirect:
		text = fmt.Sprintf("It heads for the target from the start, %s off the line of sight at most. ",
			degrees(s.mostOff(f)))
	case run.Fallback:
		text = fmt.Sprintf("It is a fall-back: %s km from the target, %s off the line of sight, it left its waypoints. ",
			fixed(run.HandoverKm, 1), degrees(w.OffDeg))
	case w.Steered && !run.BeforeHandover:
		text = fmt.Sprintf("It met the %s km circle %s off the line of sight. ", number(m.Config.Privacy.HandoverKm),
			degrees(w.OffDeg))
	}
	switch {
	case !run.Detected:
		text += neverText(rule, w.NearestKm)
	case run.BeforeHandover:
		text += fmt.Sprintf("Still between waypoints, it headed %s off the line of sight where the guess came within ρ.",
			off(f.Detection.Sample))
	case w.Passing(f):
		text += fmt.Sprintf("The guess came within ρ in passing at %s", when(f, f.Detection.Sample))
	default:
		text += fmt.Sprintf("The guess came within ρ at %s and stayed.", when(f, w.StaysSample))
	}
	if w.Passing(f) {
		if run.BeforeHandover {
			text = text[:len(text)-1]
		}
		if w.StaysSample < len(f.Samples) {
			text += fmt.Sprintf(", left again, and stays from %s km on, %s.", fixed(f.Errors.DistanceKm[w.StaysSample], 1),
				when(f, w.StaysSample))
		} else {
			text += ", and left again."
		}
	}
	if hasHumps {
		text += " " + humpsText(&w.Humps) + " " + s.humpText(&w.Humps)
	}
	return text
}

// neverText says how near the guess of a flight came that was never recognised; none comes from infinitely far.
func neverText(rule adversary.Rule, nearestKm float64) string {
	if math.IsInf(nearestKm, 1) {
		return "The observer never had a guess."
	}
	return fmt.Sprintf("The guess never stayed within ρ %s; it came as near as %s.",
		either(rule == adversary.Stays, "to the end", fmt.Sprintf("for %d steps", rule.Steps())),
		panel.DistanceText(nearestKm))
}

// when is the time of a sample.
func when(f *model.Flight, sample int) string { return fixed(f.TimeS(sample), 1) + " s" }

// The two parts of an ensemble, by their names everywhere.
const farHump, nearHump = "far hump", "near hump"

// humpText says to which hump of an ensemble the flight on show belongs; of one that is no flight of it, where it lies.
func (s *Screen) humpText(h *model.Humps) string {
	run := &s.Model.Flight().Run
	inside := !run.BeforeHandover && !run.Fallback
	switch among := s.inEnsemble(); {
	case !among && run.Detected && inside:
		return "This is another flight, " + placeAmong(h, run.DetectionKm) + "."
	case !among:
		return "This is another flight."
	case !run.Detected:
		return "This one is never recognised."
	case run.Fallback:
		return "This one is a fall-back."
	case run.BeforeHandover:
		return "This one is recognised between waypoints."
	case run.DetectionKm >= h.Far.NearKm:
		return "This one is in the " + farHump + "."
	}
	return "This one is in the " + nearHump + "."
}

// inEnsemble reports whether the flight on show is one of the ensemble.
func (s *Screen) inEnsemble() bool {
	m := s.Model
	return !m.ShowsBaseline() && !m.ChangedByHand() && m.RunNumber < m.Runs()
}

// placeAmong says where a distance lies of the two humps of an ensemble.
func placeAmong(h *model.Humps, km float64) string {
	switch {
	case km > h.Far.FarKm:
		return "farther off than both humps"
	case km >= h.Far.NearKm:
		return "as far off as the " + farHump
	case km < h.Near.NearKm:
		return "closer in than both humps"
	case km <= h.Near.FarKm:
		return "as close in as the " + nearHump
	}
	return "between the humps, closer to the " + either(h.Far.NearKm-km < km-h.Near.FarKm, farHump, nearHump)
}

// humpsText sets the two humps of an ensemble against each other, and counts the flights that are in neither.
func humpsText(h *model.Humps) string {
	hump := func(p *model.Hump, name string) string {
		return fmt.Sprintf("at %s to %s km (%s, %d)", fixed(p.NearKm, 1), fixed(p.FarKm, 1), name, p.Flights)
	}
	far, near := hump(&h.Far, farHump), hump(&h.Near, nearHump)
	text := fmt.Sprintf("The flights are recognised either %s or %s", far, near)
	if h.ByHeading() {
		text = fmt.Sprintf("Flights less than %s° off there are recognised %s, the others %s", number(h.CutDeg), far, near)
		if h.Exceptions > 0 {
			text += fmt.Sprintf(", with %d %s", h.Exceptions, either(h.Exceptions == 1, "exception", "exceptions"))
		}
	}
	return text + outsideText(h) + "."
}

// outsideText counts the flights of an ensemble that are in neither of its humps.
func outsideText(h *model.Humps) string {
	var parts []string
	for _, part := range []struct {
		flights int
		what    string
	}{{h.Never, either(h.Never == 1, "is never recognised", "are never recognised")},
		{h.GivenUp, either(h.GivenUp == 1, "is a fall-back", "are fall-backs")},
		{h.Early, either(h.Early == 1, "is", "are") + " recognised between waypoints"}} {
		if part.flights > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", part.flights, either(parts == nil, "more ", ""), part.what))
		}
	}
	if parts == nil {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

// degrees writes an angle; a small one with a decimal.
func degrees(v float64) string { return fixed(v, either(v < 9.95, 1, 0)) + "°" }

// mostOff returns the largest angle off the line of sight on the way, degrees.
func (s *Screen) mostOff(f *model.Flight) float64 {
	most := 0.0
	for i := 0; i < len(f.Samples); i += 5 {
		if f.Errors.DistanceKm[i] > s.Model.Experiment.Scenario.CaptureKm {
			most = math.Max(most, f.OffDeg(i, f.Target))
		}
	}
	return most
}

// eventText says what happens at an event.
func (s *Screen) eventText(e model.Event) string {
	m := s.Model
	f := m.Flight()
	at := fixed(f.Errors.DistanceKm[e.Sample], 1) + " km from the target"
	radius := number(m.Config.Adversary.RadiusKm) + " km"
	off := degrees(f.OffDeg(e.Sample, f.Target)) + " off the line of sight"
	switch e.Kind {
	case model.Waypoint:
		state := f.Visits[e.Visit].State
		text := fmt.Sprintf("Waypoint %d, %s: on %s.", e.Visit+1, at, goes(m.Experiment.Mission.Grid.Moves, int32(e.Action)))
		if e.Leaves {
			best := goes(m.Experiment.Mission.Grid.Moves, m.Experiment.Mission.Optimal.Policy[state])
			text += either(m.Tied(), " One of several equally good plans without noise goes "+best+" here.",
				" Without noise the plan goes "+best+" here: "+s.theCause()+" turned it.")
		}
		return text
	case model.Crossing:
		return fmt.Sprintf("Over cells that are kept out of, %s: no waypoint is commanded there, but the vehicle turns, or "+
			"heads for the target, over them.", at)
	case model.Handover:
		return fmt.Sprintf("Hand-over %s, %s. Privacy ends, and the vehicle heads for the target.", at, off)
	case model.GivenUp:
		return fmt.Sprintf("Fall-back after %d waypoints, %s, %s. Privacy ends, and the vehicle heads for the target.",
			f.Run.Transitions, at, off)
	case model.GuessIn:
		return fmt.Sprintf("The guess comes within ρ, %s, of the target; the vehicle is %s.", radius, at)
	case model.Recognised:
		if m.Experiment.Adversary.Rule == adversary.Stays {
			return fmt.Sprintf("Recognised %s: from here on the guess stays within ρ, %s.", at, radius)
		}
		return fmt.Sprintf("Recognised %s: %d steps in a row the guess lay within ρ, %s.", at,
			m.Config.Adversary.ConsecutiveSteps, radius)
	case model.GuessOut:
		return fmt.Sprintf("The guess leaves the target again; the vehicle is %s.", at)
	}
	return fmt.Sprintf("The flight ends after %s s.", fixed(f.DurationS(), 1))
}

// goes names where an action leads.
func goes(moves planner.Moves, action int32) string {
	a := planner.Action(action)
	if a == planner.ToTarget && moves == planner.PaperMoves {
		return "towards the target"
	}
	return "to the " + moves.Name(a)
}

// stepEvent goes to the next event or to the one before, pauses there and says what it is.
func (s *Screen) stepEvent(on bool) {
	m := s.Model
	f, events := m.Flight(), s.why().events
	now := f.At(m.Clock.TimeS)
	found := -1
	for i, e := range events {
		if on && e.Sample > now && (found < 0 || e.Sample < events[found].Sample) {
			found = i
		}
		if !on && e.Sample < now && (found < 0 || e.Sample >= events[found].Sample) {
			found = i
		}
	}
	if found < 0 {
		m.Say(false, "%s", either(on, "Nothing more happens on this flight.", "Nothing happens before."))
		return
	}
	s.stopAt(f, events[found].Sample)
	m.Say(false, "%s", s.momentText(events[found].Sample))
}

// stopAt goes to a sample of a flight and pauses there.
func (s *Screen) stopAt(f *model.Flight, sample int) {
	s.Model.Clock.Playing = false
	s.Model.Clock.Seek(f.TimeS(sample))
}

// momentText says all that happens at a sample.
func (s *Screen) momentText(sample int) string {
	var texts []string
	for _, e := range s.why().events {
		if e.Sample == sample {
			texts = append(texts, s.eventText(e))
		}
	}
	return strings.Join(texts, " ")
}

// hintMoment tells the values of the strips where the pointer is.
func (s *Screen) hintMoment(t *panel.Timeline) {
	f, at := s.Model.Flight(), s.UI.Input.Pointer
	i := f.At(t.Times.Value((at.X - t.Line.X) / t.Line.W))
	text := fmt.Sprintf("%s s: altitude %s km, turn %s m/s², %s off the line of sight", fixed(f.TimeS(i), 1),
		fixed(f.Samples[i].R.Z, 2),
		fixed(1000*r3.Norm(f.Samples[i].A), 0), degrees(f.OffDeg(i, f.Target)))
	if v := s.view(); v != nil && s.inferring() {
		if b := v.At(i); b != nil {
			text += fmt.Sprintf("; %s has %s bits left to learn", v.Name, fixed(b.Entropy, 1))
		}
	}
	s.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 8, W: 8, H: 16}, text)
}

// stillWhy draws the sentence of why in an area.
func (s *Screen) stillWhy(l *draw.List, r draw.Rect) {
	t := s.theme()
	l.Paragraph(t.Small, draw.Rect{X: r.X, Y: r.Y, W: r.W, H: layout.WhyRow}, max(1, int(r.H/layout.WhyRow)), t.Ink, s.why().sentence)
}
