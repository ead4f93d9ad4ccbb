package campaign

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"veilpath/planner/quantity"
	"veilpath/sim/cost"
	"veilpath/sim/report"
)

// costHeadings are the columns of costs.csv.
var costHeadings = []string{"mechanism", "epsilon", "sigma", "runs", "cost_of_privacy", "ci_low", "ci_high", "standard_error", "largest", "free", "error_bound", "cost_bound", "extra_sweeps_bound"}

// WriteTable writes a row a mechanism and epsilon. What is not finite is empty.
func (s *Costs) WriteTable(w io.Writer) error {
	var rows [][]any
	for _, s := range s.Summaries() {
		rows = append(rows, []any{s.Mechanism, s.Epsilon, s.Sigma, float64(s.Runs), s.Mean, s.Low, s.High, s.StandardError, s.Largest, s.Free, s.ErrorBound, s.CostBound, s.ExtraSweepsBound})
	}
	return writeRows(w, costHeadings, rows)
}

// figures holds the figure, if there is one: not where the optimal value is 0, and no cost a share of it.
func (s *Costs) figures() map[string]*report.Figure {
	summaries := s.Summaries()
	if slices.ContainsFunc(summaries, func(s cost.Summary) bool { return math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) }) {
		s.program.remark("no figure: the optimal value is 0, and no cost a share of it")
		return nil
	}
	return map[string]*report.Figure{"figure": report.CostFigure(costTitle(summaries), filepath.Base(s.asked.Problem), summaries, s.curves(), s.asked.Ceiling())}
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
	return fmt.Sprintf("Privacy costs %.3g %% of the value at ε = %g and %.3g %% at ε = %g (%s)", 100*first.Mean, first.Epsilon, 100*last.Mean, last.Epsilon, first.Mechanism)
}

// costJSON is a summary for programs.
type costJSON struct {
	Mechanism        string         `json:"mechanism"`
	Epsilon          float64        `json:"epsilon"`
	Sigma            float64        `json:"sigma"`
	Runs             int            `json:"runs"`
	CostOfPrivacy    quantity.Maybe `json:"cost_of_privacy"`
	Low              quantity.Maybe `json:"ci_low"`
	High             quantity.Maybe `json:"ci_high"`
	StandardError    quantity.Maybe `json:"standard_error"`
	Largest          quantity.Maybe `json:"largest"`
	Free             float64        `json:"free"`
	ErrorBound       quantity.Maybe `json:"error_bound"`
	CostBound        quantity.Maybe `json:"cost_bound"`
	ExtraSweepsBound quantity.Maybe `json:"extra_sweeps_bound"`
}

// WriteJSON writes the summaries for programs.
func (s *Costs) WriteJSON(w io.Writer) error {
	facts := s.Facts()
	name, start := s.Problem()
	out := struct {
		Problem string         `json:"problem"`
		States  int            `json:"states"`
		Start   any            `json:"start"`
		Value   float64        `json:"value"`
		Ceiling quantity.Maybe `json:"ceiling"`
		Costs   []costJSON     `json:"costs"`
	}{name, facts.States, start, facts.Value, quantity.Maybe(facts.Ceiling()), nil}
	for _, c := range s.Summaries() {
		out.Costs = append(out.Costs, costJSON{c.Mechanism, c.Epsilon, c.Sigma, c.Runs, quantity.Maybe(c.Mean), quantity.Maybe(c.Low), quantity.Maybe(c.High),
			quantity.Maybe(c.StandardError), quantity.Maybe(c.Largest), c.Free, quantity.Maybe(c.ErrorBound), quantity.Maybe(c.CostBound), quantity.Maybe(c.ExtraSweepsBound)})
	}
	return writeJSON(w, out)
}
