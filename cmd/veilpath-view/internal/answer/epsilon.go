package answer

import (
	"fmt"
	"math"

	"veilpath/internal/axis"
	"veilpath/internal/phrase"
	"veilpath/sim/study"
)

// NoCurve says why nothing is known along epsilon.
const NoCurve = "No curve: with these settings each ε is flown by itself."

// meanOf is what the mean along epsilon depends on.
type meanOf struct {
	version  uint64 // of the axis
	radiusKm float64
	band     bool
}

// Mean is the mean distance of recognition along epsilon, km, with its band where one is requested.
func (a *Answers) Mean(band bool) study.Curve {
	of := meanOf{a.Model.Axis.Version, a.Model.Config.Adversary.RadiusKm, band}
	return a.mean.Get(of, func() study.Curve { return a.Model.MeanAlong(band) })
}

// ValueLost is the share of the plan's value that is lost along epsilon, percent.
func (a *Answers) ValueLost() study.Curve {
	return a.lost.Get(a.Model.Axis.Version, func() study.Curve {
		return a.Model.ShareAlong(math.Inf(1), func(r *study.Run) float64 { return r.CostOfPrivacy })
	})
}

// GivesUp is the share of flights whose policy never leads to the target, along epsilon, percent.
func (a *Answers) GivesUp() study.Curve {
	return a.gaveUp.Get(a.Model.Axis.Version, func() study.Curve {
		return a.Model.ShareAlong(100, func(r *study.Run) float64 { return either(r.Fallback, 1., 0) })
	})
}

// PlaceAlong returns which of some ascending epsilons is the nearest, by ratio.
func PlaceAlong(epsilons []float64, epsilon float64) int {
	low, high := epsilons[0], epsilons[len(epsilons)-1]
	share := axis.Scale{Low: low, High: high, Log: true}.Share(epsilon)
	return int(math.Round(max(0, min(1, share)) * float64(len(epsilons)-1)))
}

// AxisText says what an epsilon comes to.
func (a *Answers) AxisText(epsilon float64) string {
	text := fmt.Sprintf("ε %s", Number(epsilon))
	if c := a.Mean(true); c.Runs > 0 && epsilon >= c.Epsilons[0] &&
		epsilon <= c.Epsilons[len(c.Epsilons)-1] {
		i := PlaceAlong(c.Epsilons, epsilon)
		text += fmt.Sprintf(": mean %s km of %d flights", phrase.Fixed(c.Mean[i], 1), c.Runs)
		if c.Low != nil {
			text += fmt.Sprintf(" (%s to %s along the whole axis, 95 %%)", phrase.Fixed(c.Low[i], 1), phrase.Fixed(c.High[i], 1))
		}
	}
	return text
}
