package answer

import (
	"fmt"
	"math"

	"veilpath/internal/phrase"
)

// Finding says in a sentence where flights are recognised on average, and in a second one what noise does and costs, by
// the rules and the words of all answers. A tune that is open answers its own question.
func (a *Answers) Finding() (first, second string) {
	m, sum := a.Model, a.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return "Flying …", ""
	}
	first = "Recognised " + Fixed(sum.MeanKm, 1) + " km out, on average."
	switch {
	case sum.NeverDetected == 1:
		first = "No flight is recognised."
	case sum.NeverDetected > 0:
		first = fmt.Sprintf("Recognised %s km out, on average; %s never.", Fixed(sum.MeanKm, 1),
			phrase.Percent(sum.NeverDetected))
	}
	if sum.Runs < m.Runs() {
		first = "So far: r" + first[1:]
		if sum.NeverDetected == 1 {
			first = "So far no flight is recognised."
		}
	}
	if !phrase.Practical(sum.Fallback, sum.CostOfPrivacy) {
		lost := phrase.Percent(math.Min(1, sum.CostOfPrivacy))
		second = phrase.NotPractical + phrase.Percent(sum.Fallback) + " give up, " + lost + " of the plan is lost. "
	}
	return first, second + a.effect() + a.baselines()
}

// effect says what noise does to the distance of recognition, and what it costs.
func (a *Answers) effect() string {
	sum := a.Model.Ensemble.Summary()
	cost := " and costs " + phrase.Percent(math.Min(1, sum.CostOfPrivacy)) + " of the plan."
	cause := Capital(a.cause())
	half := (sum.NoiseHighKm - sum.NoiseLowKm) / 2
	amount := fmt.Sprintf("%s ± %s km", Fixed(math.Abs(sum.NoiseKm), 1), Fixed(half, 1))
	switch {
	case a.Model.Tied():
		return Capital(tiedPlans) + "." + Capital(cost[5:])
	case sum.Runs < 2 || math.IsNaN(half) || !(sum.PlannedKm > 0):
		return cause + cost[4:]
	}
	switch phrase.EffectOf(sum.NoiseKm, sum.NoiseLowKm, sum.NoiseHighKm, sum.DirectKm) {
	case phrase.Hides:
		return cause + " hides " + amount + " of it" + cost
	case phrase.GivesAway:
		return cause + " gives away " + amount + cost
	}
	return fmt.Sprintf("%s is not shown to matter (%s ± %s km)%s", cause, Signed(sum.NoiseKm, 1), Fixed(half, 1), cost)
}

// baselines says where flights without noise, and straight ones, are recognised.
func (a *Answers) baselines() string {
	sum := a.Model.Ensemble.Summary()
	text := " Without noise " + either(sum.PlannedKm > 0, Fixed(sum.PlannedKm, 1)+" km", "never")
	switch {
	case sum.DirectKm > 0:
		text += ", " + a.directWord() + " " + Fixed(sum.DirectKm, 1) + " km"
	case sum.DirectKm == 0:
		text += ", " + a.directWord() + " never"
	}
	return text + "."
}
