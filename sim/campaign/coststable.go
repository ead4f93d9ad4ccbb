package campaign

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
	"veilpath/sim/cost"
)

// Table has a row a mechanism and epsilon.
func (s *Costs) Table() table.Table[cost.Summary] { return cost.Table(s.Summaries()) }

// figures holds the figure, if there is one: not where the optimal value is 0, and no cost a share of it.
func (s *Costs) figures() map[string]*report.Figure {
	summaries := s.Summaries()
	if slices.ContainsFunc(summaries, func(s cost.Summary) bool { return math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) }) {
		s.program.remark("no figure: the optimal value is 0, and no cost a share of it")
		return nil
	}
	return map[string]*report.Figure{"figure": report.CostFigure(costTitle(summaries), filepath.Base(s.asked.Problem),
		summaries, s.curves(), s.asked.Ceiling())}
}

// costTitle says what came out.
func costTitle(summaries []cost.Summary) string {
	first, last := summaries[0], summaries[0]
	for _, s := range summaries {
		if s.Mechanism == first.Mechanism {
			last = s
		}
	}
	if first.Epsilon == last.Epsilon {
		return fmt.Sprintf("At ε = %g privacy costs %.3g %% of the value", first.Epsilon, 100*first.Mean)
	}
	return fmt.Sprintf("Privacy costs %.3g %% of the value at ε = %g and %.3g %% at ε = %g (%s)", 100*first.Mean,
		first.Epsilon, 100*last.Mean, last.Epsilon, first.Mechanism)
}

// WriteJSON writes the summaries for programs.
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
	return writeJSON(w, out)
}

// Words says what privacy costs, and what the optimal policy is worth.
func (s *Costs) Words() string {
	facts := s.Facts()
	return fmt.Sprintf("%s\nWithout privacy the optimal policy of %s, which has %s, is worth %.6g from state %v; no "+
		"policy can cost more than %s.", cheapest(s.Summaries()), s.asked.Problem, count(facts.States, "state"), facts.Value,
		s.asked.Start, percentOrMore(facts.Ceiling()))
}

// cheapest says which mechanism costs least on average at the strongest and at the weakest privacy.
func cheapest(summaries []cost.Summary) string {
	var least []*cost.Summary // of every epsilon, ascending
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
	text := func(s *cost.Summary) string {
		return fmt.Sprintf("%s (%s .. %s) of the value at epsilon %g", percentOrMore(s.Mean),
			decimals(100*s.Low), decimals(100*s.High), s.Epsilon)
	}
	first, last := least[0], least[len(least)-1]
	if math.IsInf(first.Mean, 0) {
		return "The optimal value is 0, and no cost is a share of it."
	}
	said := "Privacy costs " + text(first)
	if last != first {
		said += " and " + text(last)
	}
	if slices.ContainsFunc(summaries, func(s cost.Summary) bool {
		return s.Epsilon == first.Epsilon && s.Mean != first.Mean || s.Epsilon == last.Epsilon && s.Mean != last.Mean
	}) {
		said += fmt.Sprintf(", by the mechanism that costs least there (%s)", first.Mechanism)
		if last.Mechanism != first.Mechanism {
			said = strings.TrimSuffix(said, ")") + " and " + last.Mechanism + ")"
		}
	}
	return said + "."
}

// percentOrMore writes a share of the value, which is none where that is 0.
func percentOrMore(share float64) string {
	if math.IsInf(share, 0) {
		return "of 0"
	}
	return decimals(100*share) + " %"
}

// decimals writes a number with two decimals; a question mark where there is none.
func decimals(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "?"
	}
	return fmt.Sprintf("%.2f", x)
}
