package reproduce

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"veilpath/internal/pool"
	"veilpath/internal/report"
)

// Item is a table or figure of the paper, or the numbers in its text.
type Item struct {
	Name  string // on the command line: "thm6a"
	Title string
	Where string // in the paper

	weight  func(s *Settings) int // units of progress
	seconds float64               // time of a unit on one core of a server of 2023; 0 if negligible
	compute computation
}

// computation computes an item.
type computation = func(ctx context.Context, b *bench) (*Result, error)

// Result is the result of an item.
type Result struct {
	Item       *Item
	Judgements []*Judgement
	Figures    []Figure
	Findings   []Finding
	Statements []Statement // of other papers
	Summary    []string    // paragraphs of plain text
}

// Figure is a figure with the name of its files.
type Figure struct {
	Name string
	Draw *report.Figure
}

// Finding is the text of a table of results that the paper does not have, with their figure.
type Finding struct {
	report.Table
	Figure *Figure // nil for none
}

// AllFigures returns the figures of a result. The figures of findings come last.
func (r *Result) AllFigures() []Figure {
	all := slices.Clone(r.Figures)
	for _, f := range r.Findings {
		if f.Figure != nil {
			all = append(all, *f.Figure)
		}
	}
	return all
}

// Files returns the writers of the result files by name: the comparison and the report. made names the program and
// settings in the report.
func Files(results []*Result, made string) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		ComparisonName: func(w io.Writer) error { return WriteComparison(w, results) },
		ReportName:     func(w io.Writer) error { return WriteReport(w, results, made) },
	}
}

// Drawings returns the figures of results by their file names without extension.
func Drawings(results []*Result) map[string]*report.Figure {
	drawings := map[string]*report.Figure{}
	for _, r := range results {
		for _, f := range r.AllFigures() {
			drawings["figure-"+f.Name] = f.Draw
		}
	}
	return drawings
}

// Items lists all items in the order of the paper.
func Items() []*Item {
	return []*Item{
		{Name: "table1a", Title: "Table 1a: noise over the number of agents", Where: "Section 3, Table 1 (a)",
			compute: computeTable("table1a", "Number of agents N")},
		{Name: "table1b", Title: "Table 1b: noise over epsilon", Where: "Section 3, Table 1 (b)",
			compute: computeTable("table1b", "Privacy parameter ε")},
		{Name: "thm3", Title: "Theorem 3: the largest error", Where: "Section 4, Figure of Theorem 3",
			compute: computeTheorem3},
		{Name: "cor1", Title: "Corollary 1: the smallest epsilon for an error", Where: "Section 4, Figure of Corollary 1",
			compute: computeCorollary1},
		{Name: "thm5", Title: "Theorem 5: the goal survives", Where: "Section 6, Figure of Theorem 5",
			compute: computeTheorem5},
		{Name: "thm6a", Title: "Theorem 6: extra iterations, largest reward 1", Where: "Section 7, Figure of Theorem 6 (a)",
			seconds: 0.8, compute: computeTheorem6("a", 1)},
		{Name: "thm6b", Title: "Theorem 6: extra iterations, largest reward 10", Where: "Section 7, Figure of Theorem 6 (b)",
			seconds: 0.8, compute: computeTheorem6("b", 10)},
		{Name: "example1", Title: "Example 1: the cost of privacy over the number of agents",
			Where: "Section 8.1, Figure of Example 1", seconds: 0.00025, compute: computeExample1,
			weight: func(s *Settings) int { return len(teamReadings(s)) * len(s.Example1.Agents) * s.Example1.Samples }},
		{Name: "example2", Title: "Example 2: the cost of privacy over epsilon", Where: "Section 8.2, Figure of Example 2",
			seconds: 0.016, compute: computeExample2,
			weight: worldUnits},
		{Name: "example3", Title: "Example 3: the distance at detection over epsilon",
			Where: "Section 8.3, Figure of Example 3", seconds: 0.00015, compute: computeExample3,
			weight: func(s *Settings) int { return len(s.Example3.Epsilons) * s.Example3.Runs }},
		{Name: "scalars", Title: "The numbers of the text", Where: "Abstract, Sections 7 and 8", seconds: 0.0019,
			compute: computeScalars,
			weight:  func(s *Settings) int { return 2 * s.Example2.Samples }},
		{Name: "beyond", Title: "Beyond the paper", Where: "not in the paper", seconds: 0.0015, compute: computeBeyond,
			weight: func(s *Settings) int {
				return len(s.Example1.Agents)*s.Example1.Samples + len(artefactWorlds(s))*len(artefactEpsilons)*artefactSamples(s)
			}},
		{Name: "others", Title: "Other papers", Where: "Gohari, Hale and Topcu 2020; Masters and Sardina 2017",
			seconds: 0.001, compute: computeOthers, weight: func(s *Settings) int { return 2 * lawSamples(s) }},
	}
}

// Select returns the items with these names, in the order of the paper. No name or "all" selects all items.
func Select(names []string) ([]*Item, error) {
	items := Items()
	known := make([]string, len(items))
	for i, item := range items {
		known[i] = item.Name
	}
	for _, name := range names {
		if name != "all" && !slices.Contains(known, name) {
			return nil, fmt.Errorf("no item is called %s; they are %s, or all", name, strings.Join(known, ", "))
		}
	}
	if len(names) == 0 || slices.Contains(names, "all") {
		return items, nil
	}
	return slices.DeleteFunc(items, func(item *Item) bool { return !slices.Contains(names, item.Name) }), nil
}

// Work returns the number of units of progress of items.
func Work(items []*Item, s *Settings) int {
	total := 0
	for _, item := range items {
		total += 1 + item.work(s)
	}
	return total
}

// Seconds returns a rough estimate of how long items take on a number of cores.
func Seconds(items []*Item, s *Settings, cores int) float64 {
	seconds := 0.0
	for _, item := range items {
		seconds += item.seconds * float64(1+item.work(s))
	}
	return seconds / float64(cores)
}

func (item *Item) work(s *Settings) int {
	if item.weight == nil {
		return 0
	}
	return item.weight(s)
}

// Run computes the items. advance, unless it is nil, is called with units of work done, one call at a time. With
// an error, Run returns the results of the items before it. The keeper, unless it is nil, stores samples so that
// interrupted work can resume after them; the flights of Example 3, which take a second, are flown again. With a
// pool.Sharer the error is pool.ErrPart.
func Run(ctx context.Context, items []*Item, s *Settings, keeper pool.Keeper,
	advance func(units int)) ([]*Result, error) {
	if least := min(s.Example1.Samples, s.Example2.Samples, s.Example3.Runs); least < 2 {
		return nil, settingError("study.runs = %d: a standard error needs at least 2 samples", least)
	}
	b := &bench{Settings: s, advance: advance, keeper: keeper}
	var results []*Result
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		result, err := item.compute(ctx, b)
		if err != nil {
			return results, fmt.Errorf("item %s: %w", item.Name, err)
		}
		result.Item = item
		results = append(results, result)
		b.done(1)
	}
	if b.part {
		return nil, pool.ErrPart
	}
	return results, nil
}
