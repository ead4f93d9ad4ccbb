package answer

import (
	"fmt"
	"math"
	"strings"

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

// Verdict is what is known of a demand at an epsilon.
type Verdict int

// The verdicts.
const (
	Met Verdict = iota
	Undecided
	NotMet
)

// Zone is epsilons with one verdict.
type Zone struct {
	Low, High float64
	Verdict   Verdict
}

// Zones are the verdicts on the demand along epsilon: met where the whole band of the mean is at most the demand, not
// met where the band is above it. It is the one answer that the chart, the sentence and the document give. None while
// nothing is demanded or flights are missing.
func (a *Answers) Zones() (zones []Zone) {
	c := a.Model.MeanAlong(true)
	if a.DemandKm == 0 || !a.Model.HasAxis() || c.High == nil {
		return nil
	}
	for i, epsilon := range c.Epsilons {
		verdict := Undecided
		switch {
		case c.High[i] <= a.DemandKm:
			verdict = Met
		case c.Low[i] > a.DemandKm:
			verdict = NotMet
		}
		if n := len(zones); n > 0 {
			zones[n-1].High = epsilon
			if zones[n-1].Verdict == verdict {
				continue
			}
		}
		zones = append(zones, Zone{epsilon, epsilon, verdict})
	}
	return zones
}

// ranges joins a few ranges; of many the first is named, and how many follow.
func ranges(texts []string) string {
	if len(texts) > 2 {
		_, end, _ := strings.Cut(texts[len(texts)-1], " to ")
		return fmt.Sprintf("%s and %d more up to %s", texts[0], len(texts)-1, end)
	}
	return strings.Join(texts, " and ")
}

// DemandAnswer says at which epsilons flights are hidden until the demand, and how sure that is.
func (a *Answers) DemandAnswer() string {
	zones := a.Zones()
	switch {
	case a.DemandKm == 0:
		return "Drag the green line to the distance until which flights are to be hidden."
	case !a.Model.HasAxis():
		return NoCurve
	case zones == nil:
		return "Flying …"
	}
	var met, open []string
	undecided, all := 0.0, 0.0
	for _, z := range zones {
		width := math.Log(z.High / z.Low)
		all += width
		text := Short(z.Low) + " to " + Short(z.High)
		switch z.Verdict {
		case Met:
			met = append(met, text)
		case Undecided:
			open, undecided = append(open, text), undecided+width
		}
	}
	text := fmt.Sprintf("Hidden until %s km: ", Number(a.DemandKm)) +
		either(met == nil, "shown for no ε", "ε "+ranges(met))
	text += fmt.Sprintf(", with %g %% confidence along the axis.", 100*study.Confidence)
	if open != nil {
		text += " Undecided for ε " + ranges(open) + either(undecided > all/2, ": fly more.", ".")
	}
	return text
}
