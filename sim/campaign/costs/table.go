package costs

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/internal/report"
	"veilpath/internal/table"
	"veilpath/planner/quantity"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
)

// Table returns a table with a row per mechanism and epsilon.
func (s *Costs) Table() table.Table[cost.Summary] { return cost.Table(s.Summaries()) }

// figures returns the figure. There is none if the optimal value is 0, because then no cost is a share of it.
func (s *Costs) figures() map[string]*report.Figure {
	summaries := s.Summaries()
	if slices.ContainsFunc(summaries, func(s cost.Summary) bool { return math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) }) {
		s.program.Remarkf("no figure: the optimal value is 0, so no cost is a share of it")
		return nil
	}
	return map[string]*report.Figure{"figure": report.CostFigure(costTitle(summaries), filepath.Base(s.asked.Problem),
		summaries, s.curves(), s.asked.Ceiling())}
}

// costTitle returns the title of the figure: the costs that the answer begins with, and the mechanisms that have them.
func costTitle(summaries []cost.Summary) string {
	least := cheapestAt(summaries)
	first, last := least[0], least[len(least)-1]
	text := func(s *cost.Summary) string {
		interval := ""
		if !math.IsNaN(s.Low) && s.Low < s.High {
			interval = fmt.Sprintf(" (%.3g–%.3g)", 100*s.Low, 100*s.High)
		}
		return fmt.Sprintf("%.3g %%%s", 100*s.Mean, interval)
	}
	title := fmt.Sprintf("At ε = %g privacy costs %s of the value", first.Epsilon, text(first))
	if last != first {
		title = fmt.Sprintf("Privacy costs %s of the value at ε = %g and %s at ε = %g", text(first), first.Epsilon,
			text(last), last.Epsilon)
	}
	cheapest, all := cheapestMechanisms(summaries, first, last)
	names := strings.Join(cheapest, " and ")
	if !all {
		names = "cheapest: " + names
	}
	return title + " (" + names + ")"
}

// cheapestMechanisms names the mechanisms that have both of two smallest costs, except for rounding, and says whether
// all mechanisms do. If none has both, it names the two that have one each.
func cheapestMechanisms(summaries []cost.Summary, first, last *cost.Summary) (names []string, all bool) {
	const rounding = 1e-9 // relative
	dearer := map[string]bool{}
	for i := range summaries {
		s := &summaries[i]
		for _, least := range []*cost.Summary{first, last} {
			above := s.Epsilon == least.Epsilon && s.Mean-least.Mean > rounding*least.Mean
			dearer[s.Mechanism] = dearer[s.Mechanism] || above
		}
	}
	for i := range summaries {
		if name := summaries[i].Mechanism; !dearer[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{first.Mechanism, last.Mechanism}
	}
	return names, len(names) == len(dearer) && !dearer[names[0]]
}

// Effort implements campaign.Resumable.
func (s *Costs) Effort() string { return campaign.Timed(table.Count(s.Runs(), "run"), s.wall) }

// Sections implements campaign.Answer.
func (s *Costs) Sections(bool) []table.Section {
	return []table.Section{{Text: s.Words() + "\n\n",
		Table: s.Table().WithoutZeros("sigma", "bound", "more sweeps").First("cost", "sigma", "largest", "free")}}
}

// WriteCSV writes the summaries.
func (s *Costs) WriteCSV(w io.Writer) error { return s.Table().WriteCSV(w) }

// WriteJSON writes the summaries as JSON.
func (s *Costs) WriteJSON(w io.Writer) error {
	facts := s.Facts()
	name, start := s.Problem()
	out := struct {
		Problem string                    `json:"problem"`
		States  int                       `json:"states"`
		Start   any                       `json:"start"`
		Value   float64                   `json:"value"`
		Ceiling quantity.Maybe            `json:"ceiling"`
		Costs   table.Table[cost.Summary] `json:"costs"`
	}{name, facts.States, start, facts.Value, quantity.Maybe(facts.Ceiling()), s.Table()}
	return table.WriteJSON(w, out)
}

// Words returns sentences on the cost of privacy and the value of the optimal policy.
func (s *Costs) Words() string {
	facts := s.Facts()
	return fmt.Sprintf("%s\nThe optimal policy of %s, with %s, has value %.6g at state %v without privacy; no "+
		"policy can cost more than %s.", cheapest(s.Summaries(), s.tally.Dearer), s.asked.Problem,
		table.Count(facts.States, "state"), facts.Value, s.asked.Start, percentOrMore(facts.Ceiling()))
}

// cheapestAt returns the summary with the smallest mean cost at every epsilon, in the order of the summaries.
func cheapestAt(summaries []cost.Summary) (least []*cost.Summary) {
	for i := range summaries {
		s := &summaries[i]
		at := slices.IndexFunc(least, func(o *cost.Summary) bool { return o.Epsilon == s.Epsilon })
		switch {
		case at < 0:
			least = append(least, s)
		case s.Mean < least[at].Mean:
			least[at] = s
		}
	}
	return least
}

// cheapest returns a sentence with the smallest mean cost of the mechanisms at the strongest and at the weakest
// privacy. dearer reports whether the runs show that the first mechanism costs more than the second.
func cheapest(summaries []cost.Summary, dearer func(first, second string, epsilon float64) bool) string {
	least := cheapestAt(summaries)
	text := func(s *cost.Summary) string {
		return fmt.Sprintf("%s (%s .. %s) of the value at epsilon %g", percentOrMore(s.Mean),
			decimals(100*s.Low), decimals(100*s.High), s.Epsilon)
	}
	first, last := least[0], least[len(least)-1]
	if math.IsInf(first.Mean, 0) {
		return "The optimal value is 0, so no cost is a share of it."
	}
	said := "Privacy costs " + text(first)
	if last != first {
		said += " and " + text(last)
	}
	var others, alike []string // dearer mechanisms, and those that are not shown to be dearer
	for i := range summaries {
		for _, end := range slices.Compact([]*cost.Summary{first, last}) {
			if s := &summaries[i]; s.Epsilon == end.Epsilon && s.Mechanism != end.Mechanism && s.Mean != end.Mean {
				others = append(others, s.Mechanism)
				if !dearer(s.Mechanism, end.Mechanism, s.Epsilon) {
					alike = append(alike, s.Mechanism)
				}
			}
		}
	}
	if len(others) > 0 {
		said += fmt.Sprintf(", with the cheapest mechanism (%s)", first.Mechanism)
		if last.Mechanism != first.Mechanism {
			said = strings.TrimSuffix(said, ")") + " and " + last.Mechanism + ")"
		}
	}
	slices.Sort(alike)
	if alike = slices.Compact(alike); len(alike) > 0 {
		said += "; these runs do not show that it is cheaper than " + strings.Join(alike, " or ")
	}
	return said + "."
}

// percentOrMore returns a share of the value in percent. The share is infinite if the value is 0.
func percentOrMore(share float64) string {
	if math.IsInf(share, 0) {
		return "of 0"
	}
	return decimals(100*share) + " %"
}

// decimals returns a number with two decimals, or a question mark for NaN and infinity.
func decimals(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "?"
	}
	return fmt.Sprintf("%.2f", x)
}
