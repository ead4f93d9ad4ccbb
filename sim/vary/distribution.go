package vary

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Distribution is a distribution of numbers. Use Parse.
type Distribution struct {
	Name    string    // normal, uniform, lognormal or triangular; empty for a list
	Numbers []float64 // its parameters, or the list, whose numbers are equally likely
}

// Forms describes what Parse reads.
const Forms = "normal(mean, standard deviation), uniform(low, high), triangular(low, mode, high), " +
	"lognormal(mu, sigma), which is the exponential of normal(mu, sigma), or a list as [1, 2, 4]"

// Parse reads a distribution in one of the Forms.
func Parse(text string) (Distribution, error) {
	name, inner, open := strings.Cut(strings.TrimSpace(text), "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if list, is := strings.CutPrefix(name, "["); is && !open {
		name = ""
		inner, closed = strings.CutSuffix(list, "]")
	}
	d := Distribution{Name: strings.TrimSpace(name)}
	if !closed {
		return d, fmt.Errorf("vary: %q is no distribution", text)
	}
	for item := range strings.SplitSeq(inner, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(item), 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return d, fmt.Errorf("vary: %q in %q is no finite number", strings.TrimSpace(item), text)
		}
		d.Numbers = append(d.Numbers, x)
	}
	parameters, known := map[string]int{"normal": 2, "lognormal": 2, "uniform": 2, "triangular": 3}[d.Name]
	x := d.Numbers
	switch {
	case d.Name == "":
	case !known || len(x) != parameters:
		return d, fmt.Errorf("vary: %q is no distribution", text)
	case strings.HasSuffix(d.Name, "normal") && !(x[1] > 0):
		return d, fmt.Errorf("vary: the second number of %q must be above 0", text)
	case !strings.HasSuffix(d.Name, "normal") && !(slices.IsSorted(x) && x[0] < x[len(x)-1]):
		return d, fmt.Errorf("vary: the numbers of %q must ascend", text)
	}
	return d, nil
}

// String returns the text that Parse reads as the same distribution.
func (d Distribution) String() string {
	numbers := make([]string, len(d.Numbers))
	for i, x := range d.Numbers {
		numbers[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	if d.Name == "" {
		return "[" + strings.Join(numbers, ", ") + "]"
	}
	return d.Name + "(" + strings.Join(numbers, ", ") + ")"
}

// law returns the distribution of gonum, nil for a list.
func (d Distribution) law() interface {
	CDF(x float64) float64
	Quantile(p float64) float64
} {
	switch x := d.Numbers; d.Name {
	case "normal":
		return distuv.Normal{Mu: x[0], Sigma: x[1]}
	case "lognormal":
		return distuv.LogNormal{Mu: x[0], Sigma: x[1]}
	case "uniform":
		return distuv.Uniform{Min: x[0], Max: x[1]}
	case "triangular":
		return distuv.NewTriangle(x[0], x[2], x[1], nil)
	}
	return nil
}

// Quantile returns the value that the distribution stays at or below with probability p, in (0, 1).
func (d Distribution) Quantile(p float64) float64 {
	if law := d.law(); law != nil {
		return law.Quantile(p)
	}
	sorted := slices.Sorted(slices.Values(d.Numbers))
	return sorted[min(int(p*float64(len(sorted))), len(sorted)-1)]
}

// CDF returns the probability of a value of at most x.
func (d Distribution) CDF(x float64) float64 {
	if law := d.law(); law != nil {
		return law.CDF(x)
	}
	most := 0
	for _, number := range d.Numbers {
		if number <= x {
			most++
		}
	}
	return float64(most) / float64(len(d.Numbers))
}

// Ends returns the smallest and the largest value; the medians of normal and lognormal, which have none.
func (d Distribution) Ends() (low, high float64) {
	if strings.HasSuffix(d.Name, "normal") {
		median := d.Quantile(0.5)
		return median, median
	}
	return slices.Min(d.Numbers), slices.Max(d.Numbers)
}
