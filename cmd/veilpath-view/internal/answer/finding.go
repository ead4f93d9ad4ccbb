package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

// Finding says in a sentence where flights are recognised on average, and in a second one what noise does and costs, by
// the rules and the words of all answers.
func (a *Answers) Finding() (first, second string) {
	m, sum := a.Model, a.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return "Flying …", ""
	}
	first = "Recognised " + phrase.Fixed(sum.MeanKm, 1) + " km out, on average."
	switch {
	case sum.NeverDetected == 1:
		first = "No flight is recognised."
	case sum.NeverDetected > 0:
		first = fmt.Sprintf("Recognised %s km out, on average; %s never.", phrase.Fixed(sum.MeanKm, 1),
			phrase.Percent(sum.NeverDetected))
	}
	if sum.Runs < m.Runs() {
		first = "So far: " + strings.ToLower(first[:1]) + first[1:]
	}
	if !phrase.Practical(sum.Fallback, sum.CostOfPrivacy) {
		lost := phrase.Percent(math.Min(1, sum.CostOfPrivacy))
		second = phrase.NotPractical + phrase.Percent(sum.Fallback) + " give up, " + lost + " of the plan is lost. "
	}
	return first, second + a.effect() + a.baselines()
}

// cause names what hides the destination.
func (a *Answers) cause() string {
	switch m := a.Model; {
	case m.Config.Privacy.Deceives():
		return "the way " + m.Config.Privacy.Mechanism
	case m.Experiment.Decoys != nil:
		return "the drawn goal"
	}
	return "noise"
}

// effect says what noise does to the distance of recognition, and what it costs. Where several plans without noise are
// equally good, private flights choose among these too, so the difference to one of them is not an effect of the noise.
func (a *Answers) effect() string {
	sum := a.Model.Ensemble.Summary()
	costs := "costs " + phrase.Percent(math.Min(1, sum.CostOfPrivacy)) + " of the plan."
	cause := Capital(a.cause())
	half := (sum.NoiseHighKm - sum.NoiseLowKm) / 2
	amount := fmt.Sprintf("%s ± %s km", phrase.Fixed(math.Abs(sum.NoiseKm), 1), phrase.Fixed(half, 1))
	switch {
	case a.Model.Tied():
		return cause + " " + costs + " No effect is shown: several plans without noise are equally good."
	case sum.Runs < 2 || math.IsNaN(half) || !(sum.PlannedKm > 0):
		return cause + " " + costs
	}
	switch phrase.EffectOf(sum.NoiseKm, sum.NoiseLowKm, sum.NoiseHighKm, sum.DirectKm) {
	case phrase.Hides:
		return cause + " hides " + amount + " of it and " + costs
	case phrase.GivesAway:
		return cause + " gives away " + amount + " and " + costs
	}
	return fmt.Sprintf("%s is not shown to matter (%s ± %s km) and %s", cause, Signed(sum.NoiseKm, 1),
		phrase.Fixed(half, 1), costs)
}

// baselines says where flights without noise, and straight ones, are recognised.
func (a *Answers) baselines() string {
	sum := a.Model.Ensemble.Summary()
	text := " Without noise " + either(sum.PlannedKm > 0, phrase.Fixed(sum.PlannedKm, 1)+" km", "never")
	direct := ", " + either(a.Model.Experiment.DirectTurns(), "turning to the goal", "straight") + " "
	switch {
	case sum.DirectKm > 0:
		text += direct + phrase.Fixed(sum.DirectKm, 1) + " km"
	case sum.DirectKm == 0:
		text += direct + "never"
	}
	return text + "."
}

// ShownNames are the flights that can be shown, by model.Shown.
var ShownNames = [...]string{model.ShowPrivate: "private flight", model.ShowPlanned: "planned flight",
	model.ShowDirect: "direct flight"}

// FlightText says which flight is on show, and where it was recognised.
func (a *Answers) FlightText() string {
	m := a.Model
	what := fmt.Sprintf("epsilon %s, run %d", Number(m.Config.Privacy.Epsilon), m.RunNumber)
	if m.ShowsBaseline() {
		what = ShownNames[m.Show]
	}
	return what + ", " + Recognised(&m.Flight().Run, 2)
}

// Recognised says where a flight was recognised.
func Recognised(r *study.Run, decimals int) string {
	return either(r.Detected, "recognised "+phrase.Fixed(r.DetectionKm, decimals)+" km from the target",
		"never recognised")
}

// FilledIn returns a text with what the names in it stand for.
func (a *Answers) FilledIn(text string) string {
	run, sum := &a.Model.Flight().Run, a.Model.Ensemble.Summary()
	bits := "…"
	if b := a.Belief(); b != nil {
		bits = phrase.Fixed(b.Entropy, 1)
	}
	return strings.NewReplacer(
		"{epsilon}", Number(a.Model.Config.Privacy.Epsilon),
		"{shown}", Recognised(run, 1),
		"{planned}", phrase.Fixed(a.Model.Planned.Run.DetectionKm, 1),
		"{mean}", phrase.Fixed(sum.MeanKm, 1),
		"{effect}", a.effect(),
		"{bits}", bits,
		"{prior}", phrase.Fixed(a.Model.Inference.Bits, 1)).Replace(text)
}
