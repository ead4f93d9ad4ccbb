package screen

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/sim/study"
)

func norm(v r3.Vec) float64 { return math.Sqrt(r3.Dot(v, v)) }

// recognised says where a flight was recognised.
func recognised(r *study.Run, decimals int) string {
	if !r.Detected {
		return "never recognised"
	}
	return "recognised " + fixed(r.DetectionKm, decimals) + " km from the target"
}

// headline says what privacy, or a change by hand, did to the flight on show, what it cost, and why it was recognised where
// it was.
func (s *Screen) headline(l *draw.List) {
	t, r := s.theme(), s.layout.Headline
	text, more := s.story()
	if s.layout.Compact {
		text = s.shortStory()
		l.TextIn(t.Headline, draw.Rect{X: r.X + 4, Y: r.Y, W: r.W - 8, H: 22}, draw.Left, t.Ink, text)
		const row, most = 16, 2
		rows(l, t.Small, draw.Rect{X: r.X + 4, Y: r.Y + 23, W: r.W - 8, H: row}, most, t.Muted, more)
		return
	}
	l.TextIn(t.Headline, draw.Rect{X: r.X + 4, Y: r.Y + 1, W: r.W - 8, H: 26}, draw.Left, t.Ink, text)
	l.TextIn(t.Body, draw.Rect{X: r.X + 4, Y: r.Y + 27, W: r.W - 8, H: 20}, draw.Left, t.Muted, more)
	if s.layout.Reasons.Empty() {
		s.stillWhy(l, r.Trim(4, 49, 4, 0))
	}
}

// story says what became of the flight on show, and in a second sentence what it came from and what it cost.
func (s *Screen) story() (text, more string) {
	m := s.Model
	run := &m.Flight().Run
	switch {
	case m.ShowDirect:
		return "Without privacy: " + recognised(run, 1), directStory(run)
	case m.ChangedByHand():
		return "Changed by hand: " + recognised(run, 1), s.byHand()
	case s.whatIf():
		return "With privacy: " + recognised(run, 1), s.byHand()
	}
	return "With privacy: " + recognised(run, 1), s.hiddenText() + priceText(run)
}

// shortStory is the headline where there is little room.
func (s *Screen) shortStory() string {
	text := recognised(&s.Model.Flight().Run, 1)
	if s.Model.ChangedByHand() {
		return "By hand: " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// directStory says why the direct flight was recognised where it was.
func directStory(run *study.Run) string {
	if !run.Detected {
		return "It flies straight to the target, and this observer never recognises that."
	}
	return "The observer extrapolates the flight. It flies straight, so the guess settles on the target early."
}

// hiddenText sets the private flight against the direct one.
func (s *Screen) hiddenText() string {
	m := s.Model
	run, direct := &m.Private.Run, &m.Nominal.Run
	switch goal := m.DrawnGoal(); {
	case run.Fallback && goal != nil:
		return fmt.Sprintf("Given up after %d waypoints: its goal was drawn %s km from the target's. ", run.Transitions, fixed(goal.OffKm, 1))
	case run.Fallback:
		return fmt.Sprintf("Given up after %d waypoints: its policy never led to the target. ", run.Transitions)
	case !direct.Detected:
		return either(run.Detected, "The direct flight is never recognised. ", "Nor is the direct flight. ")
	case !run.Detected:
		return fmt.Sprintf("The direct flight is recognised %s km away. ", fixed(direct.DetectionKm, 1))
	case direct.DetectionKm > run.DetectionKm:
		return fmt.Sprintf("Hidden for %s km more than the direct flight (%s km). ", fixed(direct.DetectionKm-run.DetectionKm, 1), fixed(direct.DetectionKm, 1))
	}
	return fmt.Sprintf("No later than the direct flight (%s km). ", fixed(direct.DetectionKm, 1))
}

// priceText says what privacy cost a flight.
func priceText(run *study.Run) string {
	return fmt.Sprintf("The price: a %s flight, %s %% of the plan's value.", longer(run), fixed(100*run.CostOfPrivacy, 0))
}

// longer sets the length of a flight against the direct one's.
func longer(run *study.Run) string {
	percent := math.Round(100 * run.PathOverhead)
	return fixed(math.Abs(percent), 0) + " % " + either(percent < 0, "shorter", "longer")
}

// byHand says that the flight on show was changed by hand, and what came of it. The price of the plan is not its.
func (s *Screen) byHand() string {
	m := s.Model
	if !m.WhatIf.Any() {
		return "What if: the target was moved, on the same noise. Beside the flight before it that is not private (u undoes it)."
	}
	direct := "never recognised"
	if m.Nominal.Run.Detected {
		direct = fixed(m.Nominal.Run.DetectionKm, 1) + " km"
	}
	return fmt.Sprintf("What if: changed by hand, not a private flight (u undoes it). The direct flight: %s; this one is %s.", direct, longer(&m.Private.Run))
}

// message shows the model's message at the foot of the map.
func (s *Screen) message(l *draw.List) {
	message := s.Model.Message
	if message.Text == "" {
		return
	}
	t, r := s.theme(), s.layout.maps()
	const pad, leading = 10, 17
	lines := l.Wrap(t.Body, message.Text, either(s.layout.Compact, r.W-40, r.W*0.66))
	w := 0.0
	for _, line := range lines {
		w = math.Max(w, l.Width(t.Body, line))
	}
	h := leading*float64(len(lines)) + 2*pad - 4
	const values = 34 // the room of the values under the pointer, at the foot of the map
	box := draw.Rect{X: r.Center().X - w/2 - pad - 3, Y: r.Bottom() - h - either(s.layout.Compact, 12., 12+values), W: w + 2*pad + 6, H: h}
	edge := t.Accent
	if message.Wrong {
		edge = t.Series[1]
	}
	l.Frame(box, 6, 1.5, edge, t.Background)
	for i, line := range lines {
		l.TextIn(t.Body, draw.Rect{X: box.X + pad + 3, Y: box.Y + pad - 3 + leading*float64(i), W: w + 1, H: leading}, draw.Left, t.Ink, line)
	}
}
