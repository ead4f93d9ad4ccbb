package campaign

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

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
