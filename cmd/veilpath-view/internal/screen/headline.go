package screen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// recognised says where a flight was recognised.
func recognised(r *study.Run, decimals int) string {
	return recognisedText(r.Detected, r.DetectionKm, decimals)
}

// recognisedText says where something is recognised, km from its target, or that it is not.
func recognisedText(detected bool, km float64, decimals int) string {
	return either(detected, "recognised "+fixed(km, decimals)+" km from the target", "never recognised")
}

// theQuestion is what the viewer answers.
const theQuestion = "Can a watcher tell where it is going?"

// question is what is answered: by a tune that is open, its own.
func (s *Screen) question() string {
	if t := s.Model.Tuned(); t != nil {
		return t.Question
	}
	if s.ownObserver() {
		return "Can the observer “" + s.Model.ObserverTitle() + "” tell where it is going?"
	}
	return theQuestion
}

// ownObserver reports whether another one watches than as a rule.
func (s *Screen) ownObserver() bool {
	return s.Model.Config.Adversary.Observer != s.standard.Adversary.Observer
}

// headline asks the question, answers it for all flights, and says what became of the one on show, and why.
func (s *Screen) headline(l *draw.List) {
	t, r := s.theme(), s.layout.Headline
	r = r.Trim(4, 0, 4, 0)
	line := func(h float64) (at draw.Rect) {
		at, r = r.CutTop(h)
		return at
	}
	if s.opening.running {
		l.TextIn(t.Headline, line(26), draw.Left, t.Ink, theQuestion)
		l.Paragraph(t.Title, line(20), 3, t.Accent, s.openingText())
		return
	}
	const row, most = 17, 2 // of the flight on show in a wide layout
	if s.layout.Compact {
		l.TextIn(t.Headline, line(23), draw.Left, t.Ink, s.shortAnswer())
		if s.layout.Headline.H < layout.CompactHeadline {
			l.Paragraph(t.Small, line(16), 1, t.Muted, s.shortStory())
		} else {
			l.Paragraph(t.Small, line(16), 3, t.Muted, s.flightSentence())
		}
		return
	}
	l.TextIn(t.Headline, line(26), draw.Left, t.Ink, s.question())
	answers := math.Min(2, float64(len(l.Wrap(t.Title, s.answer(), r.W))))
	l.Paragraph(t.Title, line(answers*20+3).Trim(0, 0, 0, (answers-1)*20+3), int(answers), t.Accent, s.answer())
	flight := math.Min(most, float64(len(l.Wrap(t.Body, s.flightSentence(), r.W))))
	l.Paragraph(t.Body, line(flight*row).Trim(0, 0, 0, (flight-1)*row), most, t.Ink, s.flightSentence())
	s.stillWhy(l, r)
}

// answer says how far from their targets the flights are recognised on average, and without noise and waypoints.
func (s *Screen) answer() string {
	sum := s.Model.Ensemble.Summary()
	if t := s.Model.Tuned(); t != nil {
		return t.Answer
	}
	if sum.Runs == 0 {
		return "Flying …"
	}
	text := fmt.Sprintf("On average %s km before it arrives", fixed(sum.MeanKm, 1))
	if sum.NeverDetected == 1 {
		text = "No: none of the flights is recognised"
	} else if sum.NeverDetected > 0 {
		text += fmt.Sprintf(" (%s %% never are, which counts as 0 km)", fixed(100*sum.NeverDetected, 0))
	}
	if n := sum.Runs; n < s.Model.Runs() {
		text += fmt.Sprintf(", the first %d of %d flights", n, s.Model.Runs())
	}
	oneOf := either(s.Model.Tied(), ", one of several as good", "")
	switch planned := sum.PlannedKm; {
	case planned > 0:
		text += "; " + fixed(planned, 1) + " if it only followed its plan" + oneOf
	case planned == 0:
		text += "; never if it only followed its plan" + oneOf
	}
	way := either(s.Model.Experiment.DirectTurns(), "turning to its goal", "flying straight")
	switch direct := sum.DirectKm; {
	case direct > 0:
		text += ", " + fixed(direct, 1) + " " + way
	case direct == 0:
		text += "; " + way + " it is never recognised"
	}
	return text + "." + s.answerNotes()
}

// answerNotes say which goal the distances of several are to, and what the intervals leave out.
func (s *Screen) answerNotes() (text string) {
	sum := s.Model.Ensemble.Summary()
	if len(s.Model.Config.Planner.Goals) > 0 {
		text = " Each distance is to the goal where the flight ends"
		if sum.OtherGoal > 0 {
			text += fmt.Sprintf(", for %s %% another than planned", fixed(100*sum.OtherGoal, 1))
		}
		text += "."
	}
	if left := s.leftOut(); left != "" {
		text += " " + left
	}
	return text
}

// leftOut says what the intervals leave out; empty for nothing.
func (s *Screen) leftOut() string {
	same, _, _ := strings.Cut(s.Model.Config.Adversary.SameForAll(), ",")
	return either(same == "", "", "Intervals leave out that the observer "+same+".")
}

// shortAnswer is the answer where there is little room.
func (s *Screen) shortAnswer() string {
	switch sum := s.Model.Ensemble.Summary(); {
	case sum.Runs == 0:
		return "Flying …"
	case sum.NeverDetected == 1:
		return "No flight is recognised"
	default:
		return "Recognised " + fixed(sum.MeanKm, 1) + " km out, on average"
	}
}

// flightSentence says what became of the flight on show.
func (s *Screen) flightSentence() string {
	text, more := s.story()
	name := "Run " + strconv.Itoa(s.Model.RunNumber)
	if n := s.Model.Runs(); s.Model.RunNumber >= n {
		name += fmt.Sprintf(", none of the %d flights", n)
	}
	return either(s.Model.ShowsBaseline(), "", name+". ") + text + ". " + more
}

// recognisedOnShow says where the flight on show was recognised, and which of several goals that is from.
func (s *Screen) recognisedOnShow() string {
	text, scenario := recognised(&s.Model.Flight().Run, 1), &s.Model.Experiment.Scenario
	if len(scenario.Others) == 0 {
		return text
	}
	goal := fmt.Sprintf("goal %d of %d", scenario.GoalNumber(s.Model.Flight().Target), len(scenario.Others)+1)
	return strings.Replace(text, "the target", goal, 1)
}

// story says what became of the flight on show, and in a second sentence what it came from and what it cost.
func (s *Screen) story() (text, more string) {
	m := s.Model
	run, at := &m.Flight().Run, s.recognisedOnShow()
	switch {
	case m.Show == model.ShowDirect:
		return capital(s.Model.DirectWay()) + ": " + at, s.directStory()
	case m.Show == model.ShowPlanned:
		return "Planned without noise: " + at, s.plannedStory()
	case m.ChangedByHand():
		return "Changed by hand: " + at, s.byHand()
	case s.whatIf():
		return "With privacy: " + at, s.byHand()
	}
	return "With privacy: " + at, s.hiddenText() + s.priceText(run)
}

// shortStory says what became of the flight on show where there is little room.
func (s *Screen) shortStory() string {
	name := fmt.Sprintf("Run %d", s.Model.RunNumber)
	switch {
	case s.Model.ShowsBaseline():
		name = either(s.Model.Show == model.ShowDirect, capital(s.directWord()), "Planned")
	case s.Model.ChangedByHand():
		name = "By hand"
	}
	return name + ": " + recognised(&s.Model.Flight().Run, 1)
}

// directStory says why the direct flight was recognised where it was.
func (s *Screen) directStory() string {
	switch {
	case s.Model.Experiment.Baselines.DirectBlocked:
		return "It crosses cells that are kept out of: no flight is held against it."
	case !s.Model.HasDirect():
		return "Runs draw their heading, and each is held against a direct flight of that heading."
	case !s.Model.Nominal.Run.Detected:
		return "It flies " + s.Model.DirectWay() + ", and this observer never recognises that."
	case s.Model.Experiment.DirectTurns():
		return "The observer extrapolates the flight, and guesses the target once it has turned."
	}
	return "The observer extrapolates the flight. It flies straight, so the guess settles on the target early."
}

// plannedStory says what the planned flight is, and what is recorded of it.
func (s *Screen) plannedStory() string {
	text := either(s.Model.Tied(), "One of several equally good plans, and no noise (",
		"The plan's waypoints and hand-over, and no noise (") + s.directText(s.Model.Planned.Run.DirectKm) + ")."
	if known := s.known(); known.hasNone {
		text += fmt.Sprintf(" Recorded: mean %s km of %s runs.", fixed(known.none.MeanKm, 2), thousands(known.none.Runs))
	}
	return text
}

// hiddenText sets the private flight against its planned flight and the direct one.
func (s *Screen) hiddenText() string {
	m := s.Model
	run := &m.Private.Run
	switch goal := m.DrawnGoal(); {
	case run.Fallback && goal != nil:
		return fmt.Sprintf("Fall-back after %d waypoints: its goal was drawn %s km from the target's. ", run.Transitions,
			fixed(goal.OffKm, 1))
	case run.Fallback:
		return fmt.Sprintf("Fall-back after %d waypoints: its policy never led to the target. ", run.Transitions)
	}
	return s.againstText(run)
}

// againstText sets where a flight is recognised against its baselines.
func (s *Screen) againstText(run *study.Run) string {
	km, planned := run.DetectionKm, run.PlannedKm
	straight := s.directText(run.DirectKm)
	against := fmt.Sprintf("%s (%s km; %s). ", s.plannedName(), fixed(planned, 1), straight)
	const shown = 0.05 // km, below which one decimal tells no difference
	switch {
	case !run.Detected && planned == 0:
		return "Nor is the planned flight without noise (" + straight + "). "
	case !run.Detected || planned == 0:
		return fmt.Sprintf("%s: %s; %s. ", capital(s.plannedName()), either(planned > 0, fixed(planned, 1)+" km", "never"),
			straight)
	case math.Abs(km-planned) < shown:
		return "As far off as " + against
	case km < planned:
		return fixed(planned-km, 1) + " km later than " + against
	}
	return fixed(km-planned, 1) + " km sooner than " + against
}

// directText says where the direct flight is recognised, km.
func (s *Screen) directText(km float64) string {
	switch {
	case math.IsNaN(km):
		return "no " + either(s.Model.Experiment.DirectTurns(), "direct", "straight") + " way"
	case km == 0:
		return s.directWord() + " never"
	}
	return s.directWord() + " " + fixed(km, 1) + " km"
}

// priceText says what privacy cost a flight.
func (s *Screen) priceText(run *study.Run) string {
	percent := fixed(100*run.CostOfPrivacy, 0) + " % of the plan's value lost"
	if run.CostOfPrivacy > 1 && !s.layout.Compact {
		percent += " (more than all of it)"
	}
	return percent + ", " + longer(run) + "."
}

// longer sets the length of a flight against that of its planned flight.
func longer(run *study.Run) string {
	percent := math.Round(100 * run.PathOverhead)
	switch {
	case run.TimedOut:
		return "ended by the time limit"
	case math.IsNaN(percent):
		return "where the time limit ended the planned flight"
	}
	return fixed(math.Abs(percent), 0) + " % " + either(percent < 0, "shorter", "longer")
}

// byHand says that the flight on show was changed by hand, and what came of it. The price of the plan is not its.
func (s *Screen) byHand() string {
	m := s.Model
	if !m.WhatIf.Any() {
		return "What if: the target was moved, on the same noise. Beside the flight before it that is not private (" +
			s.undoText() + ")."
	}
	text := "What if, for this flight alone: not a private flight (" + s.undoText() + "), and in no mean."
	if s.layout.Compact {
		return text
	}
	return text + fmt.Sprintf(" The planned flight: %s; this one is %s.",
		either(m.Private.Run.PlannedKm > 0, fixed(m.Private.Run.PlannedKm, 1)+" km", "never recognised"),
		longer(&m.Private.Run))
}

// undoText says how to undo.
func (s *Screen) undoText() string { return either(s.Touch, "Undo is in the menu", "Ctrl Z undoes it") }

// message shows the model's message at the foot of the map; where there is room, what the pointer does stays there.
func (s *Screen) message(l *draw.List) {
	message := s.Model.Message
	if message.Text == "" && !s.layout.Compact {
		message.Text = s.modeText()
	}
	if message.Text == "" {
		return
	}
	t, r := s.theme(), s.layout.Map
	const pad, leading = 10, 17
	lines := l.Wrap(t.Body, message.Text, either(s.layout.Compact, r.W-40, r.W*0.66))
	w := l.Widest(t.Body, lines)
	h := leading*float64(len(lines)) + 2*pad - 4
	const values = 34 // the room of the values under the pointer, at the foot of the map
	box := draw.Rect{X: r.Center().X - w/2 - pad - 3, Y: r.Bottom() - h - either(s.layout.Compact, 12., 12+values),
		W: w + 2*pad + 6, H: h}
	edge := t.Accent
	if message.Wrong {
		edge = t.Series[1]
	}
	l.Frame(box, 6, 1.5, edge, t.Background)
	l.Lines(t.Body, draw.Rect{X: box.X + pad + 3, Y: box.Y + pad - 3, W: w + 1, H: leading}, draw.Left, t.Ink, lines)
}
