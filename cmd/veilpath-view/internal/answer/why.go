package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
)

// Events returns what happens on the flight on show.
func (a *Answers) Events() []model.Event { return a.events.Get(a.Model.Version, a.Model.Events) }

// neverText says how near the guess of a flight came that was never recognised; none comes from infinitely far.
func neverText(rule adversary.Rule, nearestKm float64) string {
	if math.IsInf(nearestKm, 1) {
		return "The observer never had a guess."
	}
	return fmt.Sprintf("The guess never stayed within ρ %s; it came as near as %s.",
		either(rule == adversary.Stays, "to the end", fmt.Sprintf("for %d steps", rule.Steps())),
		DistanceText(nearestKm))
}

// Degrees writes an angle; a small one with a decimal.
func Degrees(v float64) string { return phrase.Fixed(v, either(v < 9.95, 1, 0)) + "°" }

// EventText says what happens at an event.
func (a *Answers) EventText(e model.Event) string {
	m := a.Model
	f := m.Flight()
	at := phrase.Fixed(f.Errors.DistanceKm[e.Sample], 1) + " km from the target"
	radius := Number(m.RadiusOf(m.RunNumber)) + " km"
	off := Degrees(f.OffDeg(e.Sample, f.Target)) + " off the line of sight"
	switch e.Kind {
	case model.Waypoint:
		text := fmt.Sprintf("Waypoint %d, %s.", e.Visit+1, at)
		if e.Leaves && !m.Tied() {
			text += " Without noise the plan goes elsewhere from here: " + a.cause() + " turned it."
		}
		return text
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
	return fmt.Sprintf("The flight ends after %s s.", phrase.Fixed(f.DurationS(), 1))
}

// MomentText says all that happens at a sample.
func (a *Answers) MomentText(sample int) string {
	var texts []string
	for _, e := range a.Events() {
		if e.Sample == sample {
			texts = append(texts, a.EventText(e))
		}
	}
	return strings.Join(texts, " ")
}

// Because says in two sentences why the flight on show is recognised where it is: what the guess did, and how the
// vehicle met the circle at which privacy ends.
func (a *Answers) Because() (first, second string) {
	m, f := a.Model, a.Model.Flight()
	if f.HandoverSample < len(f.Samples) && !f.Run.BeforeHandover {
		second = "It met the circle " + Degrees(f.OffDeg(f.HandoverSample, f.Target)) + " off the line of sight."
	}
	if !f.Run.Detected {
		return "Never recognised: " + neverText(m.Experiment.Adversary.Rule, m.NearestGuessKm()), second
	}
	at, km := f.Detection.Sample, func(i int) string { return phrase.Fixed(f.Errors.DistanceKm[i], 1) + " km" }
	miss := nearMiss(f.Errors.ErrorKm[:at+1], m.RadiusOf(m.RunNumber))
	switch {
	case miss < 0:
		return "The guess closed in and came within ρ at " + km(at) + ", with no near miss before.", second
	case f.Errors.ErrorKm[miss] > m.RadiusOf(m.RunNumber):
		return fmt.Sprintf("At %s the guess missed ρ by %s, swung off again and came back at %s.", km(miss),
			DistanceText(f.Errors.ErrorKm[miss]-m.RadiusOf(m.RunNumber)), km(at)), second
	}
	return fmt.Sprintf("At %s the guess was within ρ too briefly, swung off again and came back at %s.", km(miss),
		km(at)), second
}

// nearMiss returns where errors, km, dip deepest towards a radius before they rise again, -1 for nowhere. The last
// error is the one by which a flight is recognised.
func nearMiss(errors []float64, radiusKm float64) int {
	const near, rise = 4, 1.3 // times the radius, and the error of the dip
	deepest, highest := -1, 0.0
	for i := len(errors) - 2; i > 0; i-- {
		e := errors[i]
		if e < errors[i-1] && e <= errors[i+1] && e < near*radiusKm && highest > rise*e &&
			(deepest < 0 || e < errors[deepest]) {
			deepest = i
		}
		highest = math.Max(highest, e)
	}
	return deepest
}
