package answer

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/model"
)

// Recorded is the record's mean for what is on show.
type Recorded struct {
	Row     model.Recorded
	OK      bool
	Public  float64
	InPaper bool
	Along   []model.Recorded
}

// Known returns what is recorded and published of what is on show.
func (a *Answers) Known() Recorded {
	return a.recorded.Get(a.Model.Version, func() (r Recorded) {
		r.Row, r.OK = a.Model.Recorded(a.Model.Config.Privacy.Epsilon)
		r.Along = a.Model.RecordedAlong()
		r.Public, r.InPaper = a.Published.MeanKm(a.Model.Config)
		return r
	})
}

// FarthestDot returns the farthest distance at which a flight is recognised that is drawn, km.
func (a *Answers) FarthestDot() float64 {
	return a.farthest.Get(a.Model.Ensemble.Version, func() (km float64) {
		for _, m := range a.Model.Ensemble.Members {
			if m != nil {
				km = math.Max(km, m.Run.DetectionKm)
			}
		}
		return km
	})
}

// Formats of intervals, by the room that there is.
const (
	WholeInterval = ", 95 %% interval %s … %s"
	ShortInterval = " (95 %%: %s … %s)"
	LeastInterval = " (%s … %s)"
	NoInterval    = "%.0s%.0s"
)

// MeanInterval returns the 95 % interval of the mean, km, and whether there is one.
func (a *Answers) MeanInterval() (lowKm, highKm float64, ok bool) {
	sum := a.Model.Ensemble.Summary()
	return sum.CILowKm, sum.CIHighKm, sum.Runs > 1
}

// MeanText is the ensemble's mean with its interval, as a format has it, and the record's where one is open.
func (a *Answers) MeanText(interval string) string {
	sum, m := a.Model.Ensemble.Summary(), a.Model
	if sum.Runs == 0 {
		return "flying …"
	}
	text := fmt.Sprintf("mean %s km", chart.Fixed(sum.MeanKm, 2))
	if sum.Runs > 1 {
		text += fmt.Sprintf(interval, chart.Fixed(sum.CILowKm, 2), chart.Fixed(sum.CIHighKm, 2))
	}
	if !m.Ensemble.Complete() {
		return text + fmt.Sprintf(", %d of %d", sum.Runs, m.Runs())
	}
	if known := a.Known(); known.OK {
		text += fmt.Sprintf("; recorded %s of %s", chart.Fixed(known.Row.MeanKm, 2), chart.Thousands(known.Row.Runs))
	}
	return text
}

// MemberText says where a flight was recognised.
func MemberText(m *model.Member) string {
	return fmt.Sprintf("Run %d: %s. Click to see it.", m.Run.Run, Recognised(&m.Run, 2))
}
