package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/planner/privacy"
	"veilpath/sim/leak"
)

// LeakFigure shows the bits left to learn about the goal over the distance flown, in a panel for every epsilon, or
// for the first, middle and last of more than three. It draws a line for some observers. If the ways have names it
// draws a line for some ways, for the observer that Best returns. finding is the title.
func LeakFigure(r *leak.Result, finding string) *Figure {
	f := &Figure{Title: Sentence(finding), SharedX: true,
		Subtitle: fmt.Sprintf("%d flights of each, %d possible goals; bands are two standard errors of the mean",
			r.Study.Flights, len(r.Study.World().Goals))}
	const room = 3 // largest number of epsilons
	drawn := Epsilons(r)
	if n := len(drawn); n > room {
		drawn = []float64{drawn[0], drawn[n/2], drawn[n-1]}
		f.Subtitle += fmt.Sprintf("; %d of %d epsilons", room, n)
	}
	rows := r.Rows()
	curves, all := curves(r, rows, finding)
	if n := len(curves); n < all {
		f.Subtitle += fmt.Sprintf("; %d of %d curves", n, all)
	}
	for i, epsilon := range drawn {
		panel := &Chart{Title: "Left to learn about the goal, " + atEpsilon(epsilon), Y: Axis{Label: "Bits", FromZero: true}}
		for hue, curve := range curves {
			s := Series{Label: strings.ReplaceAll(curve, " ", "\n"), Hue: hue} // one setting per line
			for _, row := range rows {
				if row.Epsilon == epsilon && curveOfRow(r, &row) == curve && !math.IsInf(row.BitsLeft, 1) {
					s.add(row.FlownKm, privacy.SampleMean{Mean: row.BitsLeft, StandardError: row.StandardError})
				}
			}
			if len(s.X) > 0 {
				panel.Series = joined(panel.Series, s, " and\n")
			}
		}
		if i == len(drawn)-1 {
			panel.X = Axis{Label: "Distance flown (km)", FromZero: true}
		}
		panel.References = []Reference{{Label: fmt.Sprintf("before the flight:\n%.2f bits", r.PriorBits()), At: r.PriorBits(),
			Strong: true}}
		f.Panels = append(f.Panels, panel)
	}
	f.HeightInches = 2.2 + 2.6*float64(len(drawn))
	return f
}

// mostCurves is the largest number of lines of a panel that can be told apart where they run close to each other.
const mostCurves = 4

// curves returns the names of the lines of a leak's figure, from the one that leaves most to learn to the one that
// leaves least, and how many there are. Of more than can be told apart it returns those that the finding quotes, the
// observer who knows the mechanism, the one that leaves most, and further ones spread over the rest.
func curves(r *leak.Result, rows []leak.Row, finding string) (names []string, all int) {
	left := map[string]float64{}
	for _, row := range rows {
		name := curveOfRow(r, &row)
		if _, known := left[name]; !known && name != "" {
			names = append(names, name)
		}
		if !math.IsInf(row.BitsLeft, 1) {
			left[name] += row.BitsLeft
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(left[b], left[a]) })
	all = len(names)
	if all <= mostCurves {
		return names, all
	}
	kept := map[string]bool{}
	for _, name := range names {
		kept[name] = name == Best(r) || strings.Contains(finding, strconv.Quote(name))
	}
	for _, i := range []int{0, all / 2, all - 1, all / 4} {
		if n := len(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !kept[name] })); n < mostCurves {
			kept[names[i]] = true
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !kept[name] }), all
}

// curveOfRow returns the name of the line that a row belongs to: the way's if the ways have names, or else the
// observer's. It is empty for a row that is not drawn.
func curveOfRow(r *leak.Result, row *leak.Row) string {
	if !slices.ContainsFunc(r.Study.Ways, func(w leak.Way) bool { return w.Name != "" }) {
		return row.Observer
	}
	if row.Observer != Best(r) {
		return ""
	}
	return row.Way
}

// Epsilons returns the different epsilons of a study.
func Epsilons(r *leak.Result) []float64 {
	var all []float64
	for _, w := range r.Study.Ways {
		if !slices.Contains(all, w.Epsilon) {
			all = append(all, w.Epsilon)
		}
	}
	return all
}

// Best returns the name of the observer who knows the mechanism, or of the last observer if none does.
func Best(r *leak.Result) string {
	best := ""
	for _, m := range r.Study.Observers {
		if best = m.Name; m.Private {
			break
		}
	}
	return best
}
