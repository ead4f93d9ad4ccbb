package answer

import (
	"fmt"
	"math"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/sim/study"
)

// DemandMost is the largest distance that can be demanded, km: no less than what is.
func (a *Answers) DemandMost() float64 {
	return max(FarthestKm, a.DemandKm, a.AxisFar(a.Model.MeanAlong(true), nil))
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
	return either(a.DemandKm == 0, "nothing is asked, it is "+chart.Number(a.DemandNow())+" km now", "")
}

// SetDemand asks for a distance, no less than one kilometre.
func (a *Answers) SetDemand(km float64) { a.DemandKm = math.Max(1, km) }

// DemandText says at which epsilons flights are recognised at a distance or nearer on average, and how sure that is.
func (a *Answers) DemandText(km float64) string {
	c := a.Model.MeanAlong(true)
	until := chart.Number(km) + " km, "
	switch {
	case !a.Model.HasAxis():
		return until + NoCurve
	case c.High == nil:
		return until + "flying …"
	}
	return until + a.shownFor(km)
}

// shownFor says at which epsilons the whole band of the mean is at most a distance, km.
func (a *Answers) shownFor(km float64) string {
	c := a.Model.MeanAlong(true)
	shown := rangesBelow(c.Epsilons, c.High, km)
	return fmt.Sprintf("%s (%g %%)", either(shown == "", "shown for no ε", "ε "+shown), 100*study.Confidence)
}

// rangesBelow returns the ranges of epsilon in which values are at most a limit, in words; empty for none.
func rangesBelow(epsilons, values []float64, limit float64) string {
	var parts []string
	for i := 0; i < len(values); i++ {
		from := i
		for i < len(values) && values[i] <= limit {
			i++
		}
		if i > from {
			low, high := Short(epsilons[from]), Short(epsilons[i-1])
			parts = append(parts, either(low == high, low, low+" to "+high))
		}
	}
	return strings.Join(parts, " and ")
}

// DemandAnswer is the answer in as few words as fit on the line.
func (a *Answers) DemandAnswer() string {
	c := a.Model.MeanAlong(true)
	if c.High == nil {
		return "at most " + chart.Number(a.DemandKm) + " km: flying …"
	}
	return fmt.Sprintf("at most %s km: %s", chart.Number(a.DemandKm), a.shownFor(a.DemandKm))
}
