package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
)

// ShownNames are the flights that can be shown, by model.Shown.
var ShownNames = [...]string{model.ShowPrivate: "the private flight", model.ShowPlanned: "the planned flight",
	model.ShowDirect: "the direct flight"}

// Baseline is where a baseline is recognised.
type Baseline struct {
	Word string
	Km   float64
}

// Baselines returns the baselines that are recognised, on average over the ensemble.
func (a *Answers) Baselines() (given []Baseline) {
	run := &a.Model.Private.Run
	planned, direct := run.PlannedKm, run.DirectKm
	if sum := a.Model.Ensemble.Summary(); sum.Runs > 0 {
		planned, direct = sum.PlannedKm, sum.DirectKm
	}
	for _, b := range []Baseline{{"planned", planned}, {a.directWord(), direct}} {
		if b.Km > 0 { // a baseline that is not given has NaN
			given = append(given, b)
		}
	}
	return given
}

// directWord names the direct flight in a word.
func (a *Answers) directWord() string { return strings.Fields(a.Model.DirectWay())[0] }

// baselineText says where a baseline is recognised, km.
func baselineText(km float64) string {
	if math.IsNaN(km) {
		return "not given: a cell that is kept out of is in its way"
	}
	return recognisedText(km != 0, km, 1)
}

// tiedPlans stands for the effect of noise where the plan without noise is one of several that are equally good:
// private flights choose among these too, so the difference to one of them is not an effect of the noise.
const tiedPlans = "no effect of noise is shown: several plans without noise are equally good"

// cause names what hides the destination.
func (a *Answers) cause() string {
	if a.Model.Config.Privacy.Deceives() {
		return "the way " + a.Model.Config.Privacy.Mechanism
	}
	return either(a.Model.DrawnGoal() == nil, "noise", "the drawn goal")
}

// theCause is the cause with an article.
func (a *Answers) theCause() string { return either(a.cause() == "noise", "the noise", a.cause()) }

// NoiseSentence says what the noise does to the distances of recognition on average. It hides the target, or gives it
// away, where the interval of the difference says so.
func (a *Answers) NoiseSentence() string {
	sum := a.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return "flying …"
	}
	against := "than the plan without noise, " + either(sum.PlannedKm > 0, Fixed(sum.PlannedKm, 1)+" km",
		"which is never recognised")
	low, high := math.Abs(sum.NoiseLowKm), math.Abs(sum.NoiseHighKm)
	by := fmt.Sprintf("%s km (95 %% %s to %s)", Fixed(math.Abs(sum.NoiseKm), 1), Fixed(math.Min(low, high), 1),
		Fixed(math.Max(low, high), 1))
	switch {
	case a.Model.Tied():
		return tiedPlans
	case sum.Runs > 1 && sum.NoiseHighKm < 0:
		return a.cause() + " hides the target for " + by + " longer " + against
	case sum.Runs > 1 && sum.NoiseLowKm > 0:
		return a.cause() + " gives the target away " + by + " sooner " + against
	case sum.Runs > 1 && sum.NoiseLowKm < sum.NoiseHighKm:
		return fmt.Sprintf("no effect of %s is shown: %s km (95 %% %s to %s) against the plan without noise, %s km",
			a.theCause(), Signed(sum.NoiseKm, 1), Signed(sum.NoiseLowKm, 1), Signed(sum.NoiseHighKm, 1),
			Fixed(sum.PlannedKm, 1))
	}
	return fmt.Sprintf("%s makes %s km against the plan without noise, %s km", a.theCause(), Signed(sum.NoiseKm, 1),
		Fixed(sum.PlannedKm, 1))
}
