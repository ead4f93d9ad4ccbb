package study

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/table"
)

// Sensitivity is how much a setting that varies matters at an epsilon: the rank correlation (Spearman 1904) of its
// values with the distance from the target at which the runs are recognised.
type Sensitivity struct {
	Setting   string
	Epsilon   float64
	Runs      int     // at most mostRanked
	Rank      float64 // from -1 to 1; NaN if all distances, or all values, are equal
	Low, High float64 // its 95 % interval; NaN for fewer than 4 runs
}

// mostRanked is the number of runs that sensitivities are about: the first ones, so that they take little memory. The
// interval is then +- 0.006 wide.
const mostRanked = 100_000

// ranked are the runs of an epsilon whose distances are ranked.
type ranked struct {
	runs        []int
	detectionKm []float64
}

// add adds a run, unless there are enough.
func (k *ranked) add(r *Run) {
	if len(k.runs) < mostRanked {
		k.runs, k.detectionKm = append(k.runs, r.Run), append(k.detectionKm, r.DetectionKm)
	}
}

// Sensitivities returns those of all settings that vary, setting by setting, at the epsilons with runs.
func (t *Tally) Sensitivities() (all []Sensitivity) {
	for _, v := range t.varied {
		for i, epsilon := range t.epsilons {
			k := &t.cells[i].ranked
			if len(k.runs) == 0 {
				continue
			}
			values := make([]float64, len(k.runs))
			for j, run := range k.runs {
				values[j], _ = v.Draw(t.seed, run) // it is in bounds, or the run would not have been flown
			}
			s := Sensitivity{Setting: v.Key, Epsilon: epsilon, Runs: len(k.runs),
				Rank: stat.Correlation(ranks(values), ranks(k.detectionKm), nil)}
			s.Low, s.High = rankInterval(s.Rank, s.Runs)
			all = append(all, s)
		}
	}
	return all
}

// ranks returns the rank of every value, from 1; equal values share the mean of their ranks.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranked := make([]float64, len(values))
	for first := 0; first < len(order); {
		end := first + 1
		for end < len(order) && values[order[end]] == values[order[first]] {
			end++
		}
		for _, i := range order[first:end] {
			ranked[i] = float64(first+1+end) / 2
		}
		first = end
	}
	return ranked
}

// rankInterval returns the 95 % interval of a rank correlation r of n pairs: artanh r has nearly the variance (1 +
// r^2/2) / (n - 3) (Bonett and Wright 2000).
func rankInterval(r float64, n int) (low, high float64) {
	if n < 4 || math.IsNaN(r) {
		return math.NaN(), math.NaN()
	}
	away := distuv.UnitNormal.Quantile((1+Confidence)/2) * math.Sqrt((1+r*r/2)/float64(n-3))
	z := math.Atanh(min(max(r, -1), 1))
	return math.Tanh(z - away), math.Tanh(z + away)
}

// SensitivityColumns returns the columns of a table of sensitivities.
func SensitivityColumns() []table.Column[Sensitivity] {
	return []table.Column[Sensitivity]{
		{Name: "setting", Heading: "setting", Lead: true, Meaning: "setting that varies",
			Text: func(s *Sensitivity) string { return s.Setting }},
		{Name: "epsilon", Unit: "1", Heading: "epsilon", Lead: true, None: "none", Meaning: "strength of privacy",
			Value: func(s *Sensitivity) float64 { return s.Epsilon }},
		{Name: "rank_correlation", Unit: "1", Heading: "rank correlation", Format: "%.2f", Open: true,
			Meaning: "Spearman's correlation of the setting with the distance at which flights are recognised",
			Value:   func(s *Sensitivity) float64 { return s.Rank }},
		{Name: "ci_low", Unit: "1", Heading: "95 % interval", Format: "%.2f .. %.2f", Beside: true, Open: true,
			Meaning: "lower end of its 95 % interval", Value: func(s *Sensitivity) float64 { return s.Low },
			End: func(s *Sensitivity) float64 { return s.High }},
		{Name: "ci_high", Unit: "1", Open: true, Meaning: "upper end of it",
			Value: func(s *Sensitivity) float64 { return s.High }},
		{Name: "runs", Heading: "runs", Whole: true, Meaning: "flights that were ranked",
			Value: func(s *Sensitivity) float64 { return float64(s.Runs) }},
	}
}
