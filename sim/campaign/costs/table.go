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
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
)

// Table returns a table with a row per mechanism and epsilon.
func (s *Costs) Table() table.Table[cost.Summary] { return cost.Table(s.Summaries()) }

// figures returns the figure.
func (s *Costs) figures() map[string]*report.Figure {
	summaries := s.Summaries()
	return map[string]*report.Figure{"figure": report.CostFigure(costTitle(summaries), filepath.Base(s.asked.Problem),
		summaries, s.curves(), s.asked.Ceiling())}
}

// costTitle returns the title of the figure, which has the costs that the answer begins with.
func costTitle(summaries []cost.Summary) string {
	var said []string
	for _, s := range leastAtEnds(summaries) {
		said = append(said, fmt.Sprintf("%.3g %% of the value at ε = %g (%s)", 100*s.Mean, s.Epsilon, s.Mechanism))
	}
	return "Privacy costs " + strings.Join(said, " and ")
}

// Effort implements campaign.Resumable.
func (s *Costs) Effort() string { return s.Timed(table.Count(s.Runs(), "run")) }

// Next implements campaign.Resumable. It suggests the search for the epsilon of a cost.
func (s *Costs) Next(string) campaign.Next {
	return campaign.Next{Command: []string{"tune", s.asked.Problem, "{max-cost}", "10%"}}
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
		"policy can cost more than %s.\n%s, delta %g, adjacency %g, 95 %% intervals.",
		cheapest(s.Summaries()), s.asked.Problem, table.Count(facts.States, "state"), facts.Value, s.asked.Start,
		decimals(100*facts.Ceiling())+" %", table.Count(s.Runs(), "run"), s.asked.Delta, s.asked.Adjacency)
}

// leastAtEnds returns the summaries with the smallest mean cost at the first and at the last epsilon, or one of a
// single epsilon.
func leastAtEnds(summaries []cost.Summary) []*cost.Summary {
	least := func(epsilon float64) (least *cost.Summary) {
		for i := range summaries {
			if s := &summaries[i]; s.Epsilon == epsilon && (least == nil || s.Mean < least.Mean) {
				least = s
			}
		}
		return least
	}
	return slices.Compact([]*cost.Summary{least(summaries[0].Epsilon), least(summaries[len(summaries)-1].Epsilon)})
}

// cheapest returns a sentence with the smallest mean cost of the mechanisms at the strongest and at the weakest
// privacy.
func cheapest(summaries []cost.Summary) string {
	var said []string
	for _, s := range leastAtEnds(summaries) {
		said = append(said, fmt.Sprintf("%s (%s .. %s) of the value at epsilon %g with %s", decimals(100*s.Mean)+" %",
			decimals(100*s.Low), decimals(100*s.High), s.Epsilon, s.Mechanism))
	}
	return "Privacy costs " + strings.Join(said, " and ") + "."
}

// decimals returns a number with two decimals, or a question mark for NaN and infinity.
func decimals(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "?"
	}
	return fmt.Sprintf("%.2f", x)
}
