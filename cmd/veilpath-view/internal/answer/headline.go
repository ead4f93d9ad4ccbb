package answer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// Recognised says where a flight was recognised.
func Recognised(r *study.Run, decimals int) string {
	return recognisedText(r.Detected, r.DetectionKm, decimals)
}

// recognisedText says where something is recognised, km from its target, or that it is not.
func recognisedText(detected bool, km float64, decimals int) string {
	return either(detected, "recognised "+Fixed(km, decimals)+" km from the target", "never recognised")
}

// TheQuestion is what the viewer answers.
const TheQuestion = "Can a watcher tell where it is going?"

// Question is what is answered.
func (a *Answers) Question() string {
	if a.OwnObserver() {
		return "Can the observer “" + a.Model.Config.Adversary.Observer + "” tell where it is going?"
	}
	return TheQuestion
}

// OwnObserver reports whether another one watches than as a rule.
func (a *Answers) OwnObserver() bool {
	return a.Model.Config.Adversary.Observer != a.Standard.Adversary.Observer
}

// FlightSentence says what became of the flight on show.
func (a *Answers) FlightSentence() string {
	text, more := a.flightStory()
	name := "Run " + strconv.Itoa(a.Model.RunNumber)
	return either(a.Model.ShowsBaseline(), "", name+". ") + text + ". " + more
}

// recognisedOnShow says where the flight on show was recognised, and which of several goals that is from.
func (a *Answers) recognisedOnShow() string {
	text, scenario := Recognised(&a.Model.Flight().Run, 1), &a.Model.Experiment.Scenario
	if len(scenario.Others) == 0 {
		return text
	}
	goal := fmt.Sprintf("goal %d of %d", scenario.GoalNumber(a.Model.Flight().Target), len(scenario.Others)+1)
	return strings.Replace(text, "the target", goal, 1)
}

// flightStory says what became of the flight on show, and in a second sentence what it came from and what it cost.
func (a *Answers) flightStory() (text, more string) {
	m := a.Model
	run, at := &m.Flight().Run, a.recognisedOnShow()
	switch {
	case m.Show == model.ShowDirect:
		return Capital(a.Model.DirectWay()) + ": " + at, a.directStory()
	case m.Show == model.ShowPlanned:
		return "Planned without noise: " + at, a.plannedStory()
	}
	return "With privacy: " + at, a.hiddenText() + a.priceText(run)
}

// directStory says why the direct flight was recognised where it was.
func (a *Answers) directStory() string {
	switch {
	case a.Model.Experiment.Baselines.DirectBlocked:
		return "It crosses cells that are kept out of: no flight is held against it."
	case !a.Model.Nominal.Run.Detected:
		return ""
	}
	return "The observer extrapolates the flight, and the guess settles on the target early."
}

// plannedStory says what the planned flight is.
func (a *Answers) plannedStory() string {
	return "The plan's waypoints and hand-over, and no noise (" + a.directText(a.Model.Planned.Run.DirectKm) + ")."
}

// hiddenText sets the private flight against its planned flight and the direct one.
func (a *Answers) hiddenText() string {
	m := a.Model
	run := &m.Private.Run
	switch goal := m.DrawnGoal(); {
	case run.Fallback && goal != nil:
		return fmt.Sprintf("Fall-back after %d waypoints: its goal was drawn %s km from the target's. ", run.Transitions,
			Fixed(goal.OffKm, 1))
	case run.Fallback:
		return fmt.Sprintf("Fall-back after %d waypoints: its policy never led to the target. ", run.Transitions)
	}
	return a.againstText(run)
}

// againstText sets where a flight is recognised against its baselines.
func (a *Answers) againstText(run *study.Run) string {
	km, planned := run.DetectionKm, run.PlannedKm
	straight := a.directText(run.DirectKm)
	against := fmt.Sprintf("planned without noise (%s km; %s). ", Fixed(planned, 1), straight)
	const shown = 0.05 // km, below which one decimal tells no difference
	switch {
	case !run.Detected && planned == 0:
		return "Nor is the planned flight without noise (" + straight + "). "
	case !run.Detected || planned == 0:
		return fmt.Sprintf("Planned without noise: %s; %s. ",
			either(planned > 0, Fixed(planned, 1)+" km", "never"), straight)
	case math.Abs(km-planned) < shown:
		return "As far off as " + against
	case km < planned:
		return Fixed(planned-km, 1) + " km later than " + against
	}
	return Fixed(km-planned, 1) + " km sooner than " + against
}

// directText says where the direct flight is recognised, km.
func (a *Answers) directText(km float64) string {
	switch {
	case math.IsNaN(km):
		return "no " + either(a.Model.Experiment.DirectTurns(), "direct", "straight") + " way"
	case km == 0:
		return a.directWord() + " never"
	}
	return a.directWord() + " " + Fixed(km, 1) + " km"
}

// priceText says what privacy cost a flight.
func (a *Answers) priceText(run *study.Run) string {
	return Fixed(100*run.CostOfPrivacy, 0) + " % of the plan's value lost, " + longer(run) + "."
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
	return Fixed(math.Abs(percent), 0) + " % " + either(percent < 0, "shorter", "longer")
}
