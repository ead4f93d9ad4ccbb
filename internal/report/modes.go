package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// mode is a group of values around a peak of a distribution.
type mode struct {
	low, median, high float64 // the 10, 50 and 90 % quantiles of the group
	least, most       float64 // of the group at the epsilons that have both
}

// modes are the two groups of a bimodal distribution, separated by the valley between its peaks.
type modes struct {
	near, far mode
	valley    float64 // as its text says: rounded to decimals
	highest   float64
	decimals  int         // of distances in texts
	cells     []studyCell // epsilons at which both groups are large
}

const (
	coarseCells = 40   // for finding peaks
	fineCells   = 4000 // for quantiles
	valleyDepth = 0.5  // largest height of a valley relative to the lower peak
	valleyFloor = 0.1  // height of the valley's cells above its bottom, relative to its depth, at most
	leastGroup  = 0.05 // smallest share of the values on either side, also at the epsilons that are named
	leastValues = 30   // smallest number of values
	narrowMode  = 0.03 // of the largest value; a mode that is narrower is named by its median
)

// twoModes looks for two modes in the distances of all detected flights together.
func twoModes(cells []studyCell) (modes, bool) {
	highest, count := 0.0, 0
	for _, c := range cells {
		for v, n := range c.distances.All() {
			highest = max(highest, v)
			if v > 0 {
				count += n
			}
		}
	}
	if count < leastValues {
		return modes{}, false
	}
	fine := make([]float64, fineCells)
	coarse := make([]float64, coarseCells)
	for _, c := range cells {
		for v, n := range c.distances.All() {
			if v > 0 {
				fine[min(fineCells-1, int(v/highest*fineCells))] += float64(n) / float64(count)
				coarse[min(coarseCells-1, int(v/highest*coarseCells))] += float64(n) / float64(count)
			}
		}
	}
	cut, ok := deepestValley(coarse)
	if !ok {
		return modes{}, false
	}
	cell := highest / fineCells
	m := modes{highest: highest, decimals: max(0, -int(math.Floor(math.Log10(highest/coarseCells))))}
	unit := math.Pow10(-m.decimals) // at most a coarse cell, or 1
	m.valley = math.Round(float64(cut)*highest/coarseCells/unit) * unit
	split := int(math.Round(m.valley / cell))
	m.near, m.far = group(fine, 0, split, cell), group(fine, split, fineCells, cell)
	for _, c := range cells {
		if near, far := m.count(c); float64(min(near, far)) >= leastGroup*float64(c.Runs) {
			m.cells = append(m.cells, c)
			m.widen(c)
		}
	}
	return m, m.apart() && len(m.cells) > 0
}

// count returns the numbers of flights of an epsilon in both groups.
func (m *modes) count(c studyCell) (near, far int) {
	for v, n := range c.distances.All() {
		switch {
		case v >= m.valley && v > 0:
			far += n
		case v > 0:
			near += n
		}
	}
	return near, far
}

// widen extends the ranges of the groups by the flights of an epsilon.
func (m *modes) widen(c studyCell) {
	for v := range c.distances.All() {
		group := &m.near
		if v >= m.valley {
			group = &m.far
		}
		if v > 0 && (group.least == 0 || v < group.least) {
			group.least = v
		}
		group.most = max(group.most, v)
	}
}

// at names the epsilons that have both groups, to precede a sentence. It is empty if all have.
func (m *modes) at(epsilons int) string {
	const most = 3
	switch n := len(m.cells); {
	case n == epsilons:
		return ""
	case n > most:
		return fmt.Sprintf("at %d of %d ε ", n, epsilons)
	}
	var names []string
	for _, c := range m.cells {
		names = append(names, fmt.Sprintf("%.4g", c.Epsilon))
	}
	return "at ε = " + strings.Join(names, " and ") + " "
}

// apart reports whether the groups lie farther apart than either is wide: only then do they stand for two outcomes.
func (m modes) apart() bool {
	return m.far.low-m.near.high > max(m.near.high-m.near.low, m.far.high-m.far.low)
}

// deepestValley returns the middle of the deepest valley between the highest peak and another. A valley is the
// longest run of cells between both peaks that are about as low as the lowest one.
func deepestValley(shares []float64) (cut int, ok bool) {
	peak := 0
	for i, s := range shares {
		if s > shares[peak] {
			peak = i
		}
	}
	most := 0.0
	for i, s := range shares {
		from, to := min(i, peak), max(i, peak)
		bottom := slices.Min(shares[from : to+1])
		if depth := s - bottom; depth > most && bottom <= valleyDepth*s {
			most, cut = depth, longestBelow(shares, from, to, bottom+valleyFloor*depth)
		}
	}
	below := 0.0
	for _, s := range shares[:cut] {
		below += s
	}
	return cut, most > 0 && below >= leastGroup && below <= 1-leastGroup
}

// longestBelow returns the middle of the longest run of cells from..to that are at most level.
func longestBelow(shares []float64, from, to int, level float64) int {
	middle, longest, run := from, 0, 0
	for k := from; k <= to; k++ {
		run++
		if shares[k] > level {
			run = 0
		}
		if run > longest {
			longest, middle = run, k+1-(run+1)/2
		}
	}
	return middle
}

// group reads the quantiles of the cells from..to-1 of a fine histogram.
func group(fine []float64, from, to int, cell float64) mode {
	total := 0.0
	for _, s := range fine[from:to] {
		total += s
	}
	quantile := func(p float64) float64 {
		below := 0.0
		for i := from; i < to; i++ {
			if below += fine[i]; below >= p*total {
				return (float64(i) + 0.5) * cell
			}
		}
		return float64(to) * cell
	}
	return mode{low: quantile(0.1), median: quantile(0.5), high: quantile(0.9)}
}

// where returns the place of a mode in km: a range that holds all its flights, or about where they are if it is narrow.
func (m modes) where(group mode) string {
	unit := math.Pow10(-m.decimals)
	low := fmt.Sprintf("%.*f", m.decimals, math.Floor(group.least/unit)*unit)
	high := fmt.Sprintf("%.*f", m.decimals, math.Ceil(group.most/unit)*unit)
	if group.most-group.least < narrowMode*m.highest || low == high {
		return fmt.Sprintf("near %.*f", m.decimals, group.median)
	}
	return "at " + low + "–" + high
}

// share returns the share of the flights on a mode's side of the valley, at the smallest and the largest epsilon.
func (m modes) share(cells []studyCell, group mode) string {
	of := func(c studyCell) string {
		in, far := m.count(c)
		if group == m.far {
			in = far
		}
		return fmt.Sprintf("%s at ε = %.4g", shareText(in, c.Runs), c.Epsilon)
	}
	side := "within"
	if group == m.far {
		side = "beyond"
	}
	lines := []string{fmt.Sprintf("%s %.*f km:", side, m.decimals, m.valley), of(cells[0])}
	if len(cells) > 1 {
		lines = append(lines, of(cells[len(cells)-1]))
	}
	return strings.Join(lines, "\n")
}

// shareText writes a share in percent. Only none is 0 %, and only all is 100 %.
func shareText(part, whole int) string {
	percent := 100 * float64(part) / math.Max(1, float64(whole))
	switch {
	case part > 0 && percent < 0.5:
		return "under 1 %"
	case part < whole && percent >= 99.5:
		return "over 99 %"
	}
	return fmt.Sprintf("%.0f %%", percent)
}
