package campaign

import (
	"maps"
	"math"
	"slices"
	"strings"

	"veilpath/internal/table"
	"veilpath/sim/study"
)

// Requirement has the demands on an epsilon and the parameters of the search.
type Requirement struct {
	HiddenUntilKm float64   // demand: maximum mean detection distance, km; NaN for none
	Share         float64   // of the flights that must stay hidden until then; NaN for a demand on the mean
	MaxCost       float64   // demand: maximum mean cost of privacy, a share; NaN for none
	Confidence    float64   // of the decisions and of the intervals, in (0, 1)
	RadiiKm       []float64 // of the table, ascending; nil for half, one, two and four times the observer's radius
	Low, High     float64   // range of epsilon
	Resolution    float64   // relative half-width below which an undecided range of epsilon is not divided
	MostRuns      int       // maximum number of runs
}

// request returns what an answer depends on, by the names of options, with more of it.
func (r *Requirement) request(more map[string]any) map[string]any {
	request := map[string]any{"hidden-until": table.Maybe(r.HiddenUntilKm), "share": table.Maybe(r.Share),
		"max-cost": table.Maybe(r.MaxCost), "confidence": r.Confidence, "radii": r.RadiiKm,
		"between": []float64{r.Low, r.High}, "resolution": r.Resolution, "max-runs": r.MostRuns}
	maps.Copy(request, more)
	return request
}

// Hidden reports whether there is a demand on the detection distance.
func (r *Requirement) Hidden() bool { return !math.IsNaN(r.HiddenUntilKm) }

// ofShare reports whether the demand on the distance is for a share of the flights.
func (r *Requirement) ofShare() bool { return !math.IsNaN(r.Share) }

// Cheap reports whether there is a demand on the cost.
func (r *Requirement) Cheap() bool { return !math.IsNaN(r.MaxCost) }

// check returns an error for values out of range.
func (r *Requirement) check() error {
	switch {
	case r.HiddenUntilKm <= 0 || r.HiddenUntilKm > 1e5:
		return RequestErrorf("{hidden-until} %g: want a distance above 0 km, up to 100000", r.HiddenUntilKm)
	case r.ofShare() && !r.Hidden():
		return RequestErrorf("{share}: it needs a demand on the distance; give {hidden-until} too")
	case r.Share <= 0 || r.Share >= 1:
		return RequestErrorf("{share} %g: want a share above 0 and below 1, such as 90%%", r.Share)
	case r.MaxCost <= 0 || math.IsInf(r.MaxCost, 0):
		return RequestErrorf("{max-cost} %g: want a share above 0, such as 5%% or 0.05", r.MaxCost)
	case !(r.Confidence > 0 && r.Confidence < 1):
		return RequestErrorf("{confidence} %g: want a share above 0 and below 1, such as 0.95", r.Confidence)
	case !(r.Resolution >= 0.001 && r.Resolution <= 1):
		return RequestErrorf("{resolution} %g: want a relative step from 0.001 to 1", r.Resolution)
	case r.MostRuns < 100:
		return RequestErrorf("{max-runs} %d: want at least 100", r.MostRuns)
	case !(r.Low >= 1e-6 && r.Low < r.High && r.High <= 1e6):
		return RequestErrorf("{between} %g,%g: want two epsilons from 1e-6 to 1e6, the lower first, such as "+
			"0.01,100", r.Low, r.High)
	}
	return nil
}

// demands returns the demands on flights, the distance first.
func (r *Requirement) demands(e *study.Experiment) (demands []study.Demand) {
	switch {
	case r.ofShare():
		demands = append(demands, study.QuantileDistance(r.HiddenUntilKm, r.Share))
	case r.Hidden():
		demands = append(demands, e.MeanDistance(r.HiddenUntilKm))
	}
	if r.Cheap() {
		demands = append(demands, e.MeanCost(r.MaxCost))
	}
	return demands
}

// options names the options of the demands on flights.
func (r *Requirement) options() string {
	var names []string
	if r.Hidden() {
		names = append(names, "{hidden-until}")
	}
	if r.Cheap() {
		names = append(names, "{max-cost}")
	}
	return strings.Join(names, " and ")
}

// tableRadii returns the radii of the table in ascending order. They include the observer's radius.
func tableRadii(radii []float64, radiusKm float64) ([]float64, error) {
	if radii == nil {
		return []float64{radiusKm / 2, radiusKm, 2 * radiusKm, 4 * radiusKm}, nil
	}
	radii = append(slices.Clone(radii), radiusKm)
	slices.Sort(radii)
	for _, radius := range radii {
		if radius <= 0 || radius > 1e5 {
			return nil, RequestErrorf("{radii}: %g is out of range; want radii above 0 km, up to 100000", radius)
		}
	}
	return slices.Compact(radii), nil
}

// planeRadii returns the radii of the plane: those of the table, and eighths to four times the observer's radius in
// steps of a quarter of an octave, or more if the table has more.
func planeRadii(table []float64, radiusKm float64) []float64 {
	quarters := func(radius float64) float64 { return 4 * math.Log2(radius/radiusKm) }
	first := min(-12, int(math.Floor(quarters(table[0]))))
	last := max(8, int(math.Ceil(quarters(table[len(table)-1]))))
	radii := slices.Clone(table)
	for q := first; q <= last; q++ {
		radii = append(radii, radiusKm*math.Exp2(float64(q)/4))
	}
	slices.Sort(radii)
	return slices.Compact(radii)
}
