package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

// DemandMost is the largest distance that can be demanded, km.
func (a *Answers) DemandMost() float64 {
	const step = 20 // km
	far := a.FarthestKm()
	if planned := a.Model.Ensemble.Summary().PlannedKm; planned > far { // without flights it is NaN
		far = planned
	}
	return math.Max(a.DemandKm, step*math.Ceil(far/step))
}

// DemandNow is the distance that flights are to be hidden until on average, km: at first what they are.
func (a *Answers) DemandNow() float64 {
	if mean := a.Model.Ensemble.Summary().MeanKm; a.DemandKm == 0 && !math.IsNaN(mean) {
		return math.Round(mean)
	}
	return a.DemandKm
}

// NoDemand says that nothing is demanded; empty where something is.
func (a *Answers) NoDemand() string {
	return either(a.DemandKm == 0, "nothing is asked, it is "+Number(a.DemandNow())+" km now", "")
}

// SetDemand asks for a distance, no less than one kilometre.
func (a *Answers) SetDemand(km float64) { a.DemandKm = math.Max(1, km) }

// DemandAnswer says at which epsilons flights are hidden until the demand on average, in the numbers of veilpath tune.
func (a *Answers) DemandAnswer() string {
	sought := a.Model.Sought()
	switch t := a.Model.Tuned(); {
	case a.DemandKm == 0 && t != nil && t.HiddenUntilKm == 0:
		return t.InWords
	case a.DemandKm == 0:
		return "Drag the green line to the distance until which flights are to be hidden."
	case !a.Model.HasAxis():
		return NoCurve
	case sought.Runs == 0:
		return "Flying …"
	}
	text := fmt.Sprintf("Hidden until %s km on average: ", Number(a.DemandKm))
	switch {
	case sought.Met != nil:
		text += "ε " + met(sought.Met)
	case sought.Undecided != nil:
		text += "no ε is shown yet"
	default:
		text += "no ε"
	}
	text += "."
	if sought.Undecided != nil {
		text += " Undecided: ε " + joined(sought.Undecided) + "."
	}
	if !sought.Done {
		text += " So far, of " + Thousands(sought.Runs) + " flights; more are flown."
	}
	return text
}

// met names the epsilons that meet a demand; one range of them as what to take.
func met(ranges []study.Range) string {
	low, high := phrase.EpsilonAtLeast(ranges[0].Low), phrase.EpsilonAtMost(ranges[0].High)
	searched := study.UsualSearch().Between
	switch r := ranges[0]; {
	case len(ranges) > 1:
		return joined(ranges)
	case r == searched:
		return low + " to " + high + ", all that there are"
	case r.Low == searched.Low:
		return high + " or less"
	case r.High == searched.High:
		return low + " or more"
	}
	return joined(ranges)
}

// joined joins a few ranges; of many the first is named, and how many follow.
func joined(ranges []study.Range) string {
	var texts []string
	for _, r := range ranges {
		texts = append(texts, phrase.EpsilonAtLeast(r.Low)+" to "+phrase.EpsilonAtMost(r.High))
	}
	if len(texts) > 2 {
		return fmt.Sprintf("%s and %d more up to %s", texts[0], len(texts)-1,
			phrase.EpsilonAtMost(ranges[len(ranges)-1].High))
	}
	return strings.Join(texts, " and ")
}
