package screen

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
)

// shownNames are the flights that can be shown, by model.Shown.
var shownNames = [...]string{model.ShowPrivate: "the private flight", model.ShowPlanned: "the planned flight",
	model.ShowDirect: "the direct flight"}

// baseline is where a baseline is recognised.
type baseline struct {
	word string
	km   float64
}

// baselines returns the baselines that are recognised: of the flights that are shown on average.
func (s *Screen) baselines() (given []baseline) {
	run := &s.Model.Private.Run
	planned, direct := run.PlannedKm, run.DirectKm
	if sum := s.summary(); sum.Runs > 0 {
		planned, direct = sum.PlannedKm, sum.DirectKm
	}
	for _, b := range []baseline{{"planned", planned}, {s.directWord(), direct}} {
		if b.km > 0 { // a baseline that is not given has NaN
			given = append(given, b)
		}
	}
	return given
}

// directWord names the direct flight in a word.
func (s *Screen) directWord() string { return strings.Fields(s.Model.DirectWay())[0] }

// baselineText says where a baseline is recognised, km.
func baselineText(km float64) string {
	if math.IsNaN(km) {
		return "not given: a cell that is kept out of is in its way"
	}
	return recognisedText(km != 0, km, 1)
}

// noiseText is the mean difference between flights and their planned flights, with its interval as a format has it.
func (s *Screen) noiseText(decimals int, interval string) string {
	sum := s.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return ""
	}
	text := either(s.Model.Tied(), "to 1 of several plans", s.cause()) + " " + signed(sum.NoiseKm, decimals) + " km"
	if sum.Runs > 1 && !math.IsNaN(sum.NoiseLowKm) {
		text += fmt.Sprintf(interval, signed(sum.NoiseLowKm, decimals), signed(sum.NoiseHighKm, decimals))
	}
	return text
}

// noiseVerdict says what the noise does to the destination where its interval shows it.
func (s *Screen) noiseVerdict() string {
	switch sum := s.Model.Ensemble.Summary(); {
	case s.Model.Tied() || sum.Runs < 2:
		return ""
	case sum.NoiseHighKm < 0:
		return ": hides it"
	case sum.NoiseLowKm > 0:
		return ": gives it away"
	}
	return ""
}

// cause names what hides the destination.
func (s *Screen) cause() string {
	if s.Model.Config.Privacy.Deceives() {
		return "the way " + s.Model.Config.Privacy.Mechanism
	}
	return either(s.Model.DrawnGoal() == nil, "noise", "the drawn goal")
}

// theCause is the cause with an article.
func (s *Screen) theCause() string { return either(s.cause() == "noise", "the noise", s.cause()) }

// plannedName names the planned flight that others are held against: where several plans are equally good without
// noise, it is that of one of them.
func (s *Screen) plannedName() string {
	return either(s.Model.Tied(), "one of several equally good plans without noise", "planned without noise")
}

// noiseSentence says what the noise does to the distances of recognition on average. It hides the target, or gives it
// away, where the interval of the difference says so; where the plan without noise is one of several that are equally
// good, the difference depends on which of them it is, and shows nothing of the noise.
func (s *Screen) noiseSentence() string {
	sum := s.Model.Ensemble.Summary()
	if sum.Runs == 0 {
		return "flying …"
	}
	against := "than the plan without noise, " + either(sum.PlannedKm > 0, fixed(sum.PlannedKm, 1)+" km",
		"which is never recognised")
	low, high := math.Abs(sum.NoiseLowKm), math.Abs(sum.NoiseHighKm)
	by := fmt.Sprintf("%s km (95 %% %s to %s)", fixed(math.Abs(sum.NoiseKm), 1), fixed(math.Min(low, high), 1),
		fixed(math.Max(low, high), 1))
	switch {
	case s.Model.Tied():
		return fmt.Sprintf("nothing is shown of %s: %s is recognised %s, and which of them is flown decides on the %s km "+
			"between", s.theCause(), s.plannedName(), either(sum.PlannedKm > 0, "at "+fixed(sum.PlannedKm, 1)+" km", "never"),
			signed(sum.NoiseKm, 1))
	case sum.Runs > 1 && sum.NoiseHighKm < 0:
		return s.cause() + " hides the target for " + by + " longer " + against
	case sum.Runs > 1 && sum.NoiseLowKm > 0:
		return s.cause() + " gives the target away " + by + " sooner " + against
	case sum.Runs > 1 && sum.NoiseLowKm < sum.NoiseHighKm:
		return fmt.Sprintf("no effect of %s is shown: %s km (95 %% %s to %s) against the plan without noise, %s km",
			s.theCause(), signed(sum.NoiseKm, 1), signed(sum.NoiseLowKm, 1), signed(sum.NoiseHighKm, 1), fixed(sum.PlannedKm, 1))
	}
	return fmt.Sprintf("%s makes %s km against the plan without noise, %s km", s.theCause(), signed(sum.NoiseKm, 1),
		fixed(sum.PlannedKm, 1))
}
