package study

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/table"
)

// Sensitivity is the part of the variance of the mean detection distance over a sweep that is due to one
// factor: alone (First, the first-order Sobol index) and including its interactions with other factors (Total).
type Sensitivity struct {
	Factor       string
	Levels       int
	First, Total Estimate
}

// SensitivityColumns returns the columns of a table of sensitivities.
func SensitivityColumns() []table.Column[Sensitivity] {
	columns := []table.Column[Sensitivity]{
		{Name: "factor", Heading: "setting", Lead: true, Text: func(s *Sensitivity) string { return s.Factor }},
		{Name: "levels", Heading: "levels", Meaning: "values it was flown at", Whole: true,
			Value: func(s *Sensitivity) float64 { return float64(s.Levels) }},
	}
	add := func(name, heading, meaning, interval string, in func(*Sensitivity) *Estimate) {
		columns = append(columns,
			table.Column[Sensitivity]{Name: name, Value: func(s *Sensitivity) float64 { return in(s).Value },
				Heading: heading, Meaning: meaning, Format: "%.3f"},
			table.Column[Sensitivity]{Name: name + "_ci_low", Value: func(s *Sensitivity) float64 { return in(s).Low },
				Heading: "interval", Meaning: interval, Beside: true, Format: "%.3f .. %.3f",
				End: func(s *Sensitivity) float64 { return in(s).High }},
			table.Column[Sensitivity]{Name: name + "_ci_high", Value: func(s *Sensitivity) float64 { return in(s).High }})
	}
	add("first", "alone", "fraction of the variance that it explains alone", "of that, 95 %",
		func(s *Sensitivity) *Estimate { return &s.First })
	add("total", "with others", "fraction that it explains alone or with other settings", "",
		func(s *Sensitivity) *Estimate { return &s.Total })
	return columns
}

// Factor is a factor of a full factorial design: a swept key, or epsilon.
type Factor struct {
	Name   string
	Levels int
}

// The number of groups of runs for the intervals: at most enough for Student's t, and few enough that a group's
// mean is useful; at least enough that simulated intervals cover as often as stated.
const (
	mostGroups   = 40
	fewestGroups = 10
)

// Errors of a sweep without sensitivities.
var (
	ErrFewRuns    = fmt.Errorf("fewer than %d runs at every point", fewestGroups)
	ErrNoVariance = errors.New("so few runs do not tell the variance of the mean detection distance over the sweep " +
		"from noise; fly more")
)

// Dealt holds the sums of numbers that are dealt into mostGroups groups in turn.
type Dealt struct {
	sums [mostGroups]float64
	n    int
}

// add deals the next number.
func (d *Dealt) add(x float64) {
	d.sums[d.n%mostGroups] += x
	d.n++
}

// mean returns the mean of one of the given number of groups, which is at most the number of numbers. Fewer
// groups than mostGroups are formed by merging.
func (d *Dealt) mean(group, groups int) float64 {
	sum, n := 0.0, 0
	for k := group; k < mostGroups; k += groups {
		sum += d.sums[k]
		n += (d.n + mostGroups - 1 - k) / mostGroups
	}
	return sum / float64(n)
}

// Sensitivities returns the Sobol indices of every factor with at least two levels, with jackknife intervals at
// the confidence, from the detection distances of every cell of a full factorial design, dealt in the order of
// their runs; the last factor varies fastest. The indices are those of the design itself, with all combinations
// of levels equally likely. They are exact, where Saltelli's design would sample them, and need no further
// flights.
//
// The mean of every cell has noise, which would look like variance and, because cells share it, like
// interaction. So runs are dealt into groups, and variances are estimated from products of different groups,
// whose noise is independent: the estimates are unbiased, and may lie slightly outside [0, 1], where their
// intervals end. The error is ErrFewRuns, or ErrNoVariance if no variance is significant: its fractions would
// be fractions of noise.
func Sensitivities(factors []Factor, cells []Dealt, confidence float64) ([]Sensitivity, error) {
	fewest := math.MaxInt
	for i := range cells {
		fewest = min(fewest, cells[i].n)
	}
	groups := min(fewest, mostGroups)
	if groups < fewestGroups {
		return nil, ErrFewRuns
	}
	d := newDecomposition(factors, cells, groups)
	t := distuv.StudentsT{Sigma: 1, Nu: float64(groups - 1)}.Quantile((1 + confidence) / 2)
	if d.variance(t).Low <= 0 {
		return nil, ErrNoVariance
	}
	whole, without := d.indices(-1), make([][]index, groups)
	for g := range groups {
		without[g] = d.indices(g)
	}
	var out []Sensitivity
	for f, factor := range factors {
		if factor.Levels < 2 {
			continue
		}
		out = append(out, Sensitivity{Factor: factor.Name, Levels: factor.Levels,
			First: share(jackknife(whole[f].first, t, without, func(x []index) float64 { return x[f].first })),
			Total: share(jackknife(whole[f].total, t, without, func(x []index) float64 { return x[f].total }))})
	}
	return out, nil
}

// share limits the interval of a fraction to [0, 1].
func share(e Estimate) Estimate {
	return Estimate{e.Value, min(max(e.Low, 0), 1), min(max(e.High, 0), 1)}
}

// index is the pair of a factor's indices.
type index struct{ first, total float64 }

// jackknife returns an estimate with its interval, from the estimates without each group.
func jackknife[T any](value, t float64, without []T, of func(T) float64) Estimate {
	n := float64(len(without))
	mean, squares := 0.0, 0.0
	for _, w := range without {
		mean += of(w) / n
	}
	for _, w := range without {
		squares += (of(w) - mean) * (of(w) - mean)
	}
	half := t * math.Sqrt((n-1)/n*squares)
	return Estimate{value, value - half, value + half}
}

// meanTolerance is far above the relative error of a mean of values of one sign, and far below any relevant
// difference.
const meanTolerance = 1e-10

// decomposition holds the effects of a design for every group of runs. An effect is a vector over the cells
// whose mean square is a variance: the cell means minus the grand mean, the marginal means of one factor minus
// the grand mean, and the cell means minus the means over one factor.
type decomposition struct {
	groups  int
	effects [][][]float64 // by kind, group and cell; kinds: all, then first and rest of every factor
	sums    [][]float64   // by kind and cell, over the groups

	rounding float64 // variance that rounding may produce
}

func newDecomposition(factors []Factor, cells []Dealt, groups int) *decomposition {
	d := &decomposition{groups: groups, effects: make([][][]float64, 1+2*len(factors))}
	for g := range groups {
		means := make([]float64, len(cells))
		for c := range cells {
			means[c] = cells[c].mean(g, groups)
		}
		grand := 0.0
		for _, m := range means {
			grand += m / float64(len(means))
		}
		d.rounding = max(d.rounding, grand*grand*meanTolerance*meanTolerance)
		d.effects[0] = append(d.effects[0], subtract(means, grand))
		stride := len(cells)
		for f, factor := range factors {
			stride /= factor.Levels
			kept, averaged := marginals(means, stride, factor.Levels)
			d.effects[1+2*f] = append(d.effects[1+2*f], subtract(kept, grand))
			rest := make([]float64, len(means))
			for c := range rest {
				rest[c] = means[c] - averaged[c]
			}
			d.effects[2+2*f] = append(d.effects[2+2*f], rest)
		}
	}
	for _, groups := range d.effects {
		sum := make([]float64, len(cells))
		for _, effect := range groups {
			for c, x := range effect {
				sum[c] += x
			}
		}
		d.sums = append(d.sums, sum)
	}
	return d
}

func subtract(values []float64, x float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v - x
	}
	return out
}

// marginals returns, for every cell, the mean over all cells with the same level of a factor, and the mean over
// that factor's levels with all other factors fixed. The factor's levels are stride cells apart.
func marginals(means []float64, stride, levels int) (kept, averaged []float64) {
	kept, averaged = make([]float64, len(means)), make([]float64, len(means))
	byLevel := make([]float64, levels)
	for c, m := range means {
		byLevel[c/stride%levels] += m * float64(levels) / float64(len(means))
	}
	for c := range means {
		level := c / stride % levels
		kept[c] = byLevel[level]
		for k := range levels {
			averaged[c] += means[c+(k-level)*stride] / float64(levels)
		}
	}
	return kept, averaged
}

// variance estimates the variance of the means over the design; it subtracts what rounding may produce.
func (d *decomposition) variance(t float64) Estimate {
	without := make([]float64, d.groups)
	for g := range without {
		without[g] = d.product(0, g)
	}
	e := jackknife(d.product(0, -1), t, without, func(v float64) float64 { return v })
	e.Low -= d.rounding
	return e
}

// indices estimates every factor's indices from all groups except one, or from all with -1.
func (d *decomposition) indices(without int) []index {
	variance := d.product(0, without)
	out := make([]index, (len(d.effects)-1)/2)
	for f := range out {
		out[f] = index{d.product(1+2*f, without) / variance, d.product(2+2*f, without) / variance}
	}
	return out
}

// product is the mean of the products of an effect over pairs of different groups: a variance without the
// noise.
func (d *decomposition) product(kind, without int) float64 {
	pairs := 0.0
	for c, sum := range d.sums[kind] {
		if without >= 0 {
			sum -= d.effects[kind][without][c]
		}
		pairs += sum * sum
	}
	n := float64(d.groups)
	for g, effect := range d.effects[kind] {
		if g == without {
			continue
		}
		for _, x := range effect {
			pairs -= x * x
		}
	}
	if without >= 0 {
		n--
	}
	return pairs / (n * (n - 1)) / float64(len(d.sums[kind]))
}
