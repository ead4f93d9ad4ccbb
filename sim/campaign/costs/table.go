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
	"veilpath/planner"
	"veilpath/sim/cost"
)

// Table returns a table with a row per mechanism and epsilon.
func (s *Costs) Table() table.Table[cost.Summary] { return cost.Table(s.Summaries()) }

// figures returns the figure. There is none if the optimal value is 0, because then no cost is a share of it.
func (s *Costs) figures() map[string]*report.Figure {
	summaries := s.Summaries()
	if slices.ContainsFunc(summaries, func(s cost.Summary) bool { return math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) }) {
		s.Program.Remarkf("no figure: the optimal value is 0, so no cost is a share of it")
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
func (s *Costs) Effort() string { return s.Timed(table.Count(s.Runs(), "run")) }

// Next implements campaign.Resumable. It suggests the search for the epsilon of a cost.
func (s *Costs) Next(string) string {
	return "; next: veilpath tune " + s.asked.Problem + " {max-cost} 10%"
}

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
		Ceiling table.Maybe               `json:"ceiling"`
		Costs   table.Table[cost.Summary] `json:"costs"`
	}{name, facts.States, start, facts.Value, table.Maybe(facts.Ceiling()), s.Table()}
	return table.WriteJSON(w, out)
}

// Words returns sentences on the cost of privacy, the value of the optimal policy and the guarantee.
func (s *Costs) Words() string {
	facts := s.Facts()
	return fmt.Sprintf("%s\nThe optimal policy of %s, with %s, has value %.6g at state %v without privacy; no "+
		"policy can cost more than %s.\n%s, %s, adjacency %g, 95 %% intervals.",
		cheapest(s.Summaries(), s.tally.Dearer), s.asked.Problem, table.Count(facts.States, "state"), facts.Value,
		s.asked.Start,
		percentOrMore(facts.Ceiling()), table.Count(s.Runs(), "run"), deltas(facts.Mechanisms, s.asked.Delta),
		s.asked.Adjacency)
}

// deltas says at which delta every epsilon of the mechanisms holds. The promise of a command is its own.
func deltas(mechanisms []string, delta float64) string {
	var pure []string // with a delta of 0
	for _, name := range mechanisms {
		if m, err := planner.FindMechanism(name); err == nil && planner.PromiseOf(m).Pure {
			pure = append(pure, name)
		}
	}
	switch {
	case len(pure) == len(mechanisms):
		return "delta 0"
	case len(pure) > 0:
		return fmt.Sprintf("delta %g (0 of %s)", delta, strings.Join(pure, " and "))
	}
	return fmt.Sprintf("delta %g", delta)
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

// cheapest returns sentences with the smallest mean cost of the mechanisms at the strongest and at the weakest
// privacy. dearer reports whether the runs show that the first mechanism costs more than the second.
func cheapest(summaries []cost.Summary, dearer func(first, second string, epsilon float64) bool) string {
	least := cheapestAt(summaries)
	first, last := least[0], least[len(least)-1]
	if math.IsInf(first.Mean, 0) {
		return "The optimal value is 0, so no cost is a share of it."
	}
	ends := slices.Compact([]*cost.Summary{first, last})
	costs := func(s *cost.Summary) string {
		return fmt.Sprintf("%s (%s .. %s) of the value", percentOrMore(s.Mean), decimals(100*s.Low),
			decimals(100*s.High))
	}
	others, unshown := compared(summaries, ends, dearer)
	differ := others && first.Mechanism != last.Mechanism
	var said []string
	for _, end := range ends {
		if differ {
			said = append(said, fmt.Sprintf("at epsilon %g with %s, %s", end.Epsilon, end.Mechanism, costs(end)))
		} else {
			said = append(said, fmt.Sprintf("%s at epsilon %g", costs(end), end.Epsilon))
		}
	}
	text := "Privacy costs "
	if len(unshown) > 0 {
		text = "In these runs privacy costs "
	}
	switch {
	case differ:
		text += "least "
	case others:
		text += "least with " + first.Mechanism + ": "
	}
	and := " and "
	if differ {
		and = ", and "
	}
	text += strings.Join(said, and) + "."
	if len(unshown) > 0 {
		text += " They do not show that " + strings.Join(unshown, ", or that ") + "."
	}
	return text
}

// compared compares the smallest costs with those of the other mechanisms at the same epsilon. others reports whether
// any has another cost, and unshown says which smallest costs are not shown to be smaller.
func compared(summaries []cost.Summary, smallest []*cost.Summary,
	dearer func(first, second string, epsilon float64) bool) (others bool, unshown []string) {
	for _, least := range smallest {
		var alike []string
		for i := range summaries {
			s := &summaries[i]
			if s.Epsilon != least.Epsilon || s.Mechanism == least.Mechanism || s.Mean == least.Mean {
				continue
			}
			others = true
			if !dearer(s.Mechanism, least.Mechanism, s.Epsilon) {
				alike = append(alike, s.Mechanism)
			}
		}
		if len(alike) > 0 {
			unshown = append(unshown, fmt.Sprintf("%s costs less than %s at epsilon %g", least.Mechanism,
				strings.Join(alike, " or "), least.Epsilon))
		}
	}
	return others, unshown
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
