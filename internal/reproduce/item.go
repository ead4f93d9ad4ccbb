package reproduce

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"veilpath/internal/pieces"
)

// Item is a table or figure of the paper, or the numbers in its text.
type Item struct {
	Name  string // on the command line: "thm6a"
	Title string
	Where string // in the paper

	along  string                // what its curves run along; empty for no figure
	weight func(s *Settings) int // units of progress; nil for none
}

// computation computes quantities that are no closed forms.
type computation = func(ctx context.Context, b *bench) ([]Quantity, error)

// Result is the result of an item.
type Result struct {
	Item       *Item
	Judgements []*Judgement
}

const overEpsilon = "Privacy parameter ε"

// Items lists all items in the order of the paper.
func Items() []*Item {
	return []*Item{
		{Name: "table1a", Title: "Table 1a: noise over the number of agents", Where: "Section 3, Table 1 (a)",
			along: "Number of agents N"},
		{Name: "table1b", Title: "Table 1b: noise over epsilon", Where: "Section 3, Table 1 (b)", along: overEpsilon},
		{Name: "thm3", Title: "Theorem 3: the largest error", Where: "Section 4, Figure of Theorem 3", along: overEpsilon},
		{Name: "cor1", Title: "Corollary 1: the smallest epsilon for an error", Where: "Section 4, Figure of Corollary 1",
			along: "Largest error allowed on average, A (reward units)"},
		{Name: "thm5", Title: "Theorem 5: the goal survives", Where: "Section 6, Figure of Theorem 5",
			along: "Gap between the largest reward and the others (reward units)"},
		{Name: "thm6a", Title: "Theorem 6: extra iterations, largest reward 1",
			Where: "Section 7, Figure of Theorem 6 (a)", along: overEpsilon},
		{Name: "thm6b", Title: "Theorem 6: extra iterations, largest reward 10",
			Where: "Section 7, Figure of Theorem 6 (b)", along: overEpsilon},
		{Name: "example1", Title: "Example 1: the cost of privacy over the number of agents",
			Where: "Section 8.1, Figure of Example 1", along: "Number of agents N",
			weight: func(s *Settings) int { return len(s.Example1.Agents) * s.Example1.Samples }},
		{Name: "example2", Title: "Example 2: the cost of privacy over epsilon",
			Where: "Section 8.2, Figure of Example 2", along: overEpsilon, weight: worldUnits},
		{Name: "example3", Title: "Example 3: the distance at detection over epsilon",
			Where: "Section 8.3, Figure of Example 3", along: overEpsilon,
			weight: func(s *Settings) int { return len(s.Example3.Epsilons) * s.Example3.Runs }},
		{Name: "scalars", Title: "The numbers of the text", Where: "Abstract, Sections 7 and 8",
			weight: func(s *Settings) int { return 2 * s.Example2.Samples }},
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
		if verb := replacedBy[name]; verb != "" {
			return nil, fmt.Errorf("the item %s is gone: %s computes this for any problem", name, verb)
		}
		if name != "all" && !slices.Contains(known, name) {
			return nil, fmt.Errorf("no item is called %s; they are %s, or all", name, strings.Join(known, ", "))
		}
	}
	if len(names) == 0 || slices.Contains(names, "all") {
		return items, nil
	}
	return slices.DeleteFunc(items, func(item *Item) bool { return !slices.Contains(names, item.Name) }), nil
}

// replacedBy has the verbs that compute what items of earlier versions did.
var replacedBy = map[string]string{"beyond": "veilpath design", "others": "veilpath leak"}

// Work returns the number of units of progress of items.
func Work(items []*Item, s *Settings) int {
	total := 0
	for _, item := range items {
		if total++; item.weight != nil {
			total += item.weight(s)
		}
	}
	return total
}

// Run computes the items. advance, unless it is nil, is called with units of work done, one call at a time. With
// an error, Run returns the results of the items before it. The pieces, unless they are nil, store samples so that
// interrupted work can resume after them; the flights of Example 3, which take a second, are flown again. With a
// part of the work the error is pieces.ErrPart.
func Run(ctx context.Context, items []*Item, s *Settings, kept *pieces.Work,
	advance func(units int)) ([]*Result, error) {
	if least := min(s.Example1.Samples, s.Example2.Samples, s.Example3.Runs); least < 2 {
		return nil, settingError("study.runs = %d: a standard error needs at least 2 samples", least)
	}
	if advance == nil {
		advance = func(int) {}
	}
	b := &bench{Settings: s, done: advance, kept: kept}
	table := b.rows()
	var results []*Result
	for _, item := range items {
		if err := ctx.Err(); err != nil {
			return results, err
		}
		result, err := b.judge(ctx, item, table)
		if err != nil {
			return results, fmt.Errorf("item %s: %w", item.Name, err)
		}
		results = append(results, result)
		b.done(1)
	}
	if b.part {
		return nil, pieces.ErrPart
	}
	return results, nil
}

// judge computes and judges the rows of an item.
func (b *bench) judge(ctx context.Context, item *Item, table []row) (*Result, error) {
	result := &Result{Item: item}
	for _, r := range table {
		if r.item != item.Name {
			continue
		}
		quantities, err := r.quantities(ctx, b)
		if err != nil {
			return nil, err
		}
		for _, q := range quantities {
			result.Judgements = append(result.Judgements, q.Judge())
		}
	}
	return result, nil
}
