package benchmark

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/internal/table"
)

// Budget is the share of the value up to which Words compares ways, as a fraction.
const Budget = 0.1

// Words says which way to hide leaves the strongest observer most to learn at a cost of at most the Budget, by mission,
// how much of what there is that is, where the intervals do not show that it is more than the plan without noise, and
// where no way is that cheap.
func Words(rows []Row) string {
	missions := Missions(rows)
	best := map[string]int{} // missions by way
	var parts []string
	for _, m := range missions {
		i := bestOf(rows, m)
		if i < 0 {
			parts = append(parts, m+": no way to hide is that cheap"+cheapest(rows, m))
			continue
		}
		best[rows[i].Way]++
		part := fmt.Sprintf("%s: %s%s leaves %.2f of %.2f bits", m, rows[i].Way, strength(&rows[i]), rows[i].left(),
			rows[i].PriorBits)
		if plain := noiseless(rows, m); plain != nil && !(rows[i].Bits[Half].Left.Low > plain.Bits[Half].Left.High) {
			part += fmt.Sprintf(", not shown to be more than the %.2f of the plan without noise", plain.left())
		}
		parts = append(parts, part)
	}
	if len(best) == 0 {
		return fmt.Sprintf("No way to hide costs at most %.0f %% of the value.\n%s.", 100*Budget, strings.Join(parts, "; "))
	}
	var ways []string
	for way, n := range best {
		ways = append(ways, fmt.Sprintf("%s in %d", way, n))
	}
	slices.Sort(ways)
	return fmt.Sprintf("At a cost of at most %.0f %% of the value, the most is hidden from the strongest observer, "+
		"after half of the planned path, by: %s of %s.\n%s.", 100*Budget, strings.Join(ways, ", "),
		table.Count(len(missions), "mission"), strings.Join(parts, "; "))
}

// cheapest says what the cheapest way to hide costs on a mission, where that is known.
func cheapest(rows []Row, mission string) string {
	var least *Row
	for i := range rows {
		r := &rows[i]
		if r.Mission == mission && !r.noiseless() && (least == nil || r.Cost.Mean < least.Cost.Mean) &&
			!math.IsNaN(float64(r.Cost.Mean)) {
			least = r
		}
	}
	if least == nil {
		return ""
	}
	return fmt.Sprintf(", and the cheapest, %s%s, costs %.1f %%", least.Way, strength(least), 100*float64(least.Cost.Mean))
}

// bestOf returns the number of the row of a mission's way to hide that leaves most bits within the Budget; -1 for none.
func bestOf(rows []Row, mission string) int {
	best := -1
	for i := range rows {
		if rows[i].Mission != mission || rows[i].noiseless() || !(float64(rows[i].Cost.Mean) <= Budget) ||
			math.IsNaN(rows[i].left()) {
			continue
		}
		if best < 0 || rows[i].left() > rows[best].left() {
			best = i
		}
	}
	return best
}

// noiseless returns the row of a mission's plan without noise; nil if there is none.
func noiseless(rows []Row, mission string) *Row {
	for i := range rows {
		if rows[i].Mission == mission && rows[i].noiseless() {
			return &rows[i]
		}
	}
	return nil
}

// noiseless reports whether a row is of the plan without noise, which hides nothing.
func (r *Row) noiseless() bool { return slices.Contains(r.Request.Set, "privacy.epsilon=none") }

// strength names the strength of a row, if its way has one.
func strength(r *Row) string {
	if r.Parameter == "" {
		return ""
	}
	return fmt.Sprintf(" (%s %s)", r.Parameter[strings.LastIndex(r.Parameter, ".")+1:], r.Value)
}
