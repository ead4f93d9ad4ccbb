package terminal

import (
	"slices"
	"strings"
	"testing"

	"veilpath/internal/table"
)

// No cell is broken or lost at any width.
func TestWideTablesFollowBelow(t *testing.T) {
	word := func(n int) func(*int) string { return func(x *int) string { return strings.Repeat("x", n+*x) } }
	columns := []table.Column[int]{{Heading: "lead", Lead: true, Text: word(1)}, {Heading: "a", Text: word(40)},
		{Heading: "b", Beside: true, Text: word(20)}, {Heading: "c", Text: word(30)}, {Heading: "d", Text: word(100)},
		{Heading: "e", Text: word(3)}}
	var text strings.Builder
	wide := table.Table[int]{Columns: columns, Rows: []int{0, 1}}
	p := &Printer{To: &Output{Writer: &text, Columns: 110}, Full: true}
	if err := p.Print(table.Section{Table: wide}); err != nil {
		t.Fatal(err)
	}
	var headings []string
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "lead") {
			headings = append(headings, strings.Join(strings.Fields(line), " "))
		}
	}
	if want := []string{"lead a b c", "lead d", "lead e"}; !slices.Equal(headings, want) {
		t.Errorf("blocks %q, want %q", headings, want)
	}
	for _, n := range []int{40, 41, 20, 21, 30, 31, 100, 101} {
		if !slices.Contains(strings.Fields(text.String()), strings.Repeat("x", n)) {
			t.Errorf("a cell of %d letters is missing or broken:\n%s", n, text.String())
		}
	}
}
