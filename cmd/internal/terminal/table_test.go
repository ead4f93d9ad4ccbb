package terminal

import (
	"bytes"
	"fmt"
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

// narrowed returns the lines of a table that is printed at most so wide, and what the printer says it left out.
func narrowed(t *testing.T, columns int, rows ...[]string) (lines []string, left string) {
	t.Helper()
	sheet := table.Table[[]string]{Rows: rows[1:]}
	for i, heading := range rows[0] {
		sheet.Columns = append(sheet.Columns, table.Column[[]string]{Heading: strings.TrimLeft(heading, "<|"),
			Lead: heading[0] == '<', Beside: heading[0] == '|', Text: func(row *[]string) string { return (*row)[i] }})
	}
	var text strings.Builder
	p := &Printer{To: &Output{Writer: &text, Columns: columns}}
	if err := p.Print(table.Section{Table: sheet}); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), p.Left()
}

// In a narrow table cells take several lines, broken between words, and numbers stay whole. Words begin at the left
// of their column, numbers end at its right.
func TestNarrowTablesKeepNumbersWhole(t *testing.T) {
	rows := [][]string{{"<mechanism", "<epsilon", "cost", "|95 % interval", "sigma"},
		{"input", "0.5", "238.81 %", "199.03 .. 279.18", "4.859"}, {"constant_velocity", "10", "1 %", "0 .. 2", "0.1"}}
	for columns, want := range map[int]string{
		70: "mechanism          epsilon      cost     95 % interval  sigma\n" +
			"input                  0.5  238.81 %  199.03 .. 279.18  4.859\n" +
			"constant_velocity       10       1 %            0 .. 2    0.1\n",
		40: "mechanism   epsilon      cost       95 %\n" +
			"                                interval\n" +
			"input           0.5  238.81 %  199.03 ..\n" +
			"                                  279.18\n" +
			"constant_v       10       1 %     0 .. 2\n" +
			"elocity\n1 more column",
		30: "mechanism    epsilon      cost\n" +
			"input            0.5  238.81 %\n" +
			"constant_ve       10       1 %\n" +
			"locity\n2 more columns",
	} {
		if lines, left := narrowed(t, columns, rows...); strings.Join(append(lines, left), "\n") != want {
			t.Errorf("%d columns:\n%s\n%s, want\n%s", columns, strings.Join(lines, "\n"), left, want)
		}
	}
}

// An answer leaves out rows for which its lines have no room, but keeps the first, the last and some between.
func TestRowsForWhichThereIsRoom(t *testing.T) {
	rows := make([]int, 20)
	for i := range rows {
		rows[i] = i
	}
	numbers := table.Table[int]{Rows: rows, Columns: []table.Column[int]{
		{Heading: "number", Value: func(i *int) float64 { return float64(*i) }}}}
	for _, c := range []struct{ sentences, rows int }{{2, 8}, {16, 7}, {60, fewestRows}} {
		var text bytes.Buffer
		p := Printer{To: &Output{Writer: &text, Columns: 40}}
		if err := p.Print(table.Section{Text: strings.Repeat("A sentence.\n", c.sentences), Table: numbers}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(text.String()), "\n")
		if got := len(lines) - c.sentences - 1; got != c.rows || strings.TrimSpace(lines[len(lines)-1]) != "19" {
			t.Errorf("below %d sentences: %d rows, want %d:\n%s", c.sentences, got, c.rows, text.String())
		}
		if want := fmt.Sprintf("%d more rows", 20-c.rows); c.rows < 20 && p.Left() != want {
			t.Errorf("below %d sentences %q is left, want %q", c.sentences, p.Left(), want)
		}
	}
}
