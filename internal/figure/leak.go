package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/planner/deception"
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
// observer who knows the mechanism, the one that leaves most, the two that leave least, and those in between.
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
	for _, i := range []int{0, all - 1, all - 2, all / 2, all / 4} {
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

// MechanismsFigure compares mechanisms that hide the goal. It shows the bits that an observer who knows the
// mechanism has learned after some km flown, over the cost of privacy and over the detour. Each mechanism is a
// series whose points are epsilons.
func MechanismsFigure(r *leak.Result, flownKm float64) *Figure {
	learned, outcomes := learnedAfter(r, flownKm), r.Outcomes()
	panel := func(title, label string, x func(leak.Outcome) float64) *Chart {
		chart := &Chart{Title: title, X: Axis{Label: label, FromZero: true}, Y: Axis{Label: "Bits learned", FromZero: true}}
		for k, o := range outcomes {
			i := slices.IndexFunc(chart.Series, func(s Series) bool { return s.Label == o.Way })
			if i < 0 {
				i, chart.Series = len(chart.Series), append(chart.Series,
					Series{Label: o.Way, Mark: Points, Hue: len(chart.Series) % hues, Shape: len(chart.Series) / hues % shapes})
			}
			s, bits := &chart.Series[i], learned[k]
			s.AddInterval(100*x(o), bits.Mean, bits.Mean-2*bits.StandardError, bits.Mean+2*bits.StandardError)
			name := o.Way
			if _, found := deception.Find(o.Way); !found { // it depends on epsilon
				name += ", ε " + strconv.FormatFloat(o.Epsilon, 'g', -1, 64)
			}
			s.Names = append(s.Names, name)
		}
		return chart
	}
	return &Figure{
		Title: fmt.Sprintf("Bits about the goal learned after %g km, and the cost of hiding it", flownKm),
		Subtitle: fmt.Sprintf("%d flights of every mechanism to the same goals; %.2f bits in all; bars are two standard "+
			"errors", r.Study.Flights, r.PriorBits()),
		Panels: []Panel{
			panel("Against the cost of privacy", "Value lost at the start (%)",
				func(o leak.Outcome) float64 { return o.Cost.Mean }),
			panel("Against the detour", "Mean flight time over the planned flight's, less 1 (%)",
				func(o leak.Outcome) float64 { return o.Detour.Mean }),
		},
		Note: "Every observer knows the mechanism it watches. Epsilons of different mechanisms are different guarantees.",
	}
}

// learnedAfter returns the bits that the best observer has learned in every way after some km flown.
func learnedAfter(r *leak.Result, flownKm float64) []privacy.SampleMean {
	var all []privacy.SampleMean
	for _, row := range r.Rows() {
		if row.Observer == Best(r) && row.FlownKm == flownKm {
			all = append(all, privacy.SampleMean{Mean: r.PriorBits() - row.BitsLeft, StandardError: row.StandardError})
		}
	}
	return all
}

// ReleasesFigure shows the bits left to learn about one goal over the number of flights to it, in a panel for
// every observer, and below them the epsilon of the composed guarantee. An epsilon has the same colour in all
// panels. If there are more epsilons than colours, only the first are drawn. Lines that coincide are drawn once
// with all their names.
func ReleasesFigure(rows []leak.ReleasesRow, priorBits float64) *Figure {
	f := &Figure{Title: "Several flights to one goal", Subtitle: "Bands are two standard errors of the mean",
		SharedX: true}
	budget := &Chart{Title: "Guarantee for one entry of all releases together",
		Y: Axis{Label: "ε at the same δ", FromZero: true}}
	var observers []string
	var epsilons []float64
	for _, r := range rows {
		if !slices.Contains(observers, r.Observer) {
			observers = append(observers, r.Observer)
		}
		if !slices.Contains(epsilons, r.Epsilon) {
			epsilons = append(epsilons, r.Epsilon)
		}
	}
	if len(epsilons) > hues {
		f.Subtitle += fmt.Sprintf("; %d of %d epsilons", hues, len(epsilons))
		epsilons = epsilons[:hues]
	}
	for _, observer := range observers {
		bits := &Chart{Title: "Left to learn before the hand-over, observer " + observer,
			Y: Axis{Label: "Bits", FromZero: true},
			References: []Reference{{Label: fmt.Sprintf("before any flight:\n%.2f bits", priorBits), At: priorBits,
				Strong: true}}}
		for hue, epsilon := range epsilons {
			fresh := Series{Label: "new noise, " + atEpsilon(epsilon), Mark: Computed, Hue: hue}
			reused := Series{Label: "one release, " + atEpsilon(epsilon), Mark: Bound, Hue: hue}
			composed := Series{Label: atEpsilon(epsilon), Mark: Computed, Hue: hue}
			for _, r := range rows {
				if r.Observer != observer || r.Epsilon != epsilon {
					continue
				}
				flights := float64(r.Flights)
				fresh.add(flights, r.Fresh.SampleMean)
				reused.add(flights, r.Reused.SampleMean)
				if !math.IsNaN(r.ComposedEpsilon) {
					composed.Add(flights, r.ComposedEpsilon)
				}
			}
			bits.Series = joined(joined(bits.Series, fresh, ",\n"), reused, ",\n")
			if observer == observers[0] && len(composed.X) > 0 {
				budget.Series = append(budget.Series, composed)
			}
		}
		f.Panels = append(f.Panels, bits)
	}
	if len(budget.Series) > 0 {
		f.Panels = append(f.Panels, budget)
	}
	f.Panels[len(f.Panels)-1].(*Chart).X = Axis{Label: "Flights to one goal", FromZero: true}
	f.HeightInches = 2.5 + 2.5*float64(len(f.Panels))
	return f
}

// add appends a mean with two standard errors.
func (s *Series) add(x float64, y privacy.SampleMean) {
	s.AddInterval(x, y.Mean, max(0, y.Mean-2*y.StandardError), y.Mean+2*y.StandardError)
}
