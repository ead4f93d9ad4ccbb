package campaign

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/phrase"
	"veilpath/internal/record"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/sim/cost"
)

// Table returns a table with a row per mechanism and epsilon.
func (s *Costs) Table() table.Table[cost.Summary] { return cost.Table(s.Summaries()) }

// answer returns the results. It suggests the search for the epsilon of a cost.
func (s *Costs) answer() *answer.Answer {
	a := &answer.Answer{Words: []string{s.words()}, Table: s.screenTable(), Notes: []string{s.note()},
		CSV: answer.File{Name: costsName, Write: s.Table().WriteCSV}, JSON: s.json(),
		Files: map[string]func(io.Writer) error{
			costRequestName: func(w io.Writer) error { return table.WriteJSON(w, s.asked) },
			costRunsName: func(w io.Writer) error {
				return parquet.Write(w, cost.RowColumns(s.asked.Mechanisms), s.asked.Version, s.rows)
			}},
		Figures: map[string]*figure.Figure{"figure": figure.CostFigure(s.title(), filepath.Base(s.asked.Problem),
			s.Summaries(), s.curves())},
		Facts: record.Facts{Runs: s.Runs()}, Effort: table.Count(s.Runs(), "run"), Unmet: s.unmet(),
		Next: answer.Next{Command: []string{"tune", s.asked.Problem, "{max-cost}", "10%"}}}
	if len(s.pieces) > 0 {
		a.Files[record.AxisName] = func(w io.Writer) error {
			return parquet.Write(w, cost.PieceColumns(s.asked.Mechanisms), s.asked.Version, s.pieces)
		}
	}
	return a
}

// json returns the facts and the summaries.
func (s *Costs) json() answer.File {
	facts := &s.asked.Facts
	out := struct {
		Problem string                    `json:"problem"`
		States  int                       `json:"states"`
		Start   any                       `json:"start"`
		Value   float64                   `json:"value"`
		Ceiling table.Maybe               `json:"ceiling"`
		Costs   table.Table[cost.Summary] `json:"costs"`
	}{s.asked.Problem, facts.States, s.asked.Start, facts.Value, table.Maybe(facts.Ceiling()), s.Table()}
	return answer.File{Name: AnswerName, Write: func(w io.Writer) error { return table.WriteJSON(w, out) }}
}

// words returns the answer: what the cheapest mechanism costs at the first and at the last epsilon.
func (s *Costs) words() string {
	return s.headline("epsilon ", true) + fmt.Sprintf("; without privacy %s is worth %.6g from state %v.", s.asked.Problem,
		s.asked.Value, s.asked.Start)
}

// title returns the title of the figure: the answer without intervals.
func (s *Costs) title() string { return s.headline("ε = ", false) }

// headline says what the cheapest mechanism costs at the first and at the last epsilon, with its interval if asked for.
func (s *Costs) headline(at string, intervals bool) string {
	summaries, epsilons := s.Summaries(), s.asked.Epsilons
	var said []string
	for _, epsilon := range slices.Compact([]float64{epsilons[0], epsilons[len(epsilons)-1]}) {
		var least *cost.Summary
		for i := range summaries {
			if c := &summaries[i]; c.Epsilon == epsilon && (least == nil || c.Mean < least.Mean) {
				least = c
			}
		}
		text := costText(least, intervals) + " at " + at + configs.EpsilonText(epsilon)
		if len(s.asked.Mechanisms) > 1 {
			text += " (" + least.Mechanism + ")"
		}
		said = append(said, text)
	}
	return "The value lost to privacy is " + strings.Join(said, " and ")
}

// costText writes a mean in percent with the digits that its interval supports, and the interval if asked for and
// known.
func costText(c *cost.Summary, interval bool) string {
	text := phrase.Number(100*c.Mean, 100*c.Low, 100*c.High) + " %"
	if ends := phrase.Interval(100*c.Low, 100*c.High); interval && ends != "-" {
		text += " (" + ends + ")"
	}
	return text
}

// note returns the size of the study and the guarantee.
func (s *Costs) note() string {
	plural := ""
	if len(s.asked.Mechanisms) > 1 {
		plural = "s"
	}
	return fmt.Sprintf("%s per epsilon, delta %g, adjacency %g, mechanism%s %s.", table.Count(s.Runs(), "run"),
		s.asked.Delta, s.asked.Adjacency, plural, phrase.List(s.asked.Mechanisms))
}

// screenTable returns a row per epsilon: of one mechanism the mean, its interval, the largest cost of a run and the
// share of runs whose policy is optimal; of several the mean and its interval for each.
func (s *Costs) screenTable() table.Plain {
	out := table.Plain{Lead: 1, Headings: []string{"epsilon", "value lost", "95 % interval", "worst run", "still optimal"}}
	several := len(s.asked.Mechanisms) > 1
	if several {
		out.Headings = out.Headings[:1]
		for _, mechanism := range s.asked.Mechanisms {
			out.Headings = append(out.Headings, "value lost, "+mechanism)
		}
	}
	summaries := s.Summaries()
	for e, epsilon := range s.asked.Epsilons {
		row := []string{configs.EpsilonText(epsilon)}
		for at := e; at < len(summaries); at += len(s.asked.Epsilons) {
			c := &summaries[at]
			if row = append(row, costText(c, several)); !several {
				row = append(row, phrase.Interval(100*c.Low, 100*c.High), phrase.Percent(c.Largest), phrase.Percent(c.Free))
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}
