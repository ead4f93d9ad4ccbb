package answer

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/model"
)

// Recorded is what is recorded and published of what is on show.
type Recorded struct {
	Row   model.Recorded
	OK    bool
	Along []model.Recorded
}

// Known returns what is recorded of what is on show.
func (a *Answers) Known() Recorded {
	return a.recorded.Get(a.Model.Version, func() (r Recorded) {
		r.Row, r.OK = a.Model.Recorded(a.Model.Config.Privacy.Epsilon)
		r.Along = a.Model.RecordedAlong()
		return r
	})
}

// FarthestKm returns the farthest distance at which a flight is recognised, and no less than one kilometre.
func (a *Answers) FarthestKm() float64 {
	return a.farthest.Get(a.Model.Ensemble.Version, func() float64 {
		km := 1.0
		for _, m := range a.Model.Ensemble.Members {
			if m != nil {
				km = math.Max(km, m.Run.DetectionKm)
			}
		}
		return km
	})
}

// MeanText is the ensemble's mean with its interval, and the record's where one is open.
func (a *Answers) MeanText() string {
	sum, m := a.Model.Ensemble.Summary(), a.Model
	if sum.Runs == 0 {
		return "flying …"
	}
	text := fmt.Sprintf("mean %s km", Fixed(sum.MeanKm, 2))
	if sum.Runs > 1 {
		text += fmt.Sprintf(", 95 %% interval %s … %s", Fixed(sum.CILowKm, 2), Fixed(sum.CIHighKm, 2))
	}
	if !m.Ensemble.Complete() {
		return text + fmt.Sprintf(", %d of %d", sum.Runs, m.Runs())
	}
	if known := a.Known(); known.OK {
		text += fmt.Sprintf("; recorded %s of %s", Fixed(known.Row.MeanKm, 2), Thousands(known.Row.Runs))
	}
	return text
}
