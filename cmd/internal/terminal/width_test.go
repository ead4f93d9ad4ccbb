package terminal

import (
	"strings"
	"testing"

	"veilpath/internal/table"
)

// The width of lines is that of the last COLUMNS. Without COLUMNS and a terminal it is not limited.
func TestColumnsOfTheEnvironment(t *testing.T) {
	for environ, want := range map[string]int{"": 0, "COLUMNS=60": 60, "COLUMNS=60 COLUMNS=100": 100, "COLUMNS=3": 0,
		"COLUMNS=wide": 0, "MYCOLUMNS=60": 0} {
		if got := Columns(&strings.Builder{}, strings.Fields(environ)); got != want {
			t.Errorf("%q: %d columns, want %d", environ, got, want)
		}
	}
}

func TestBarsOfTheEnvironment(t *testing.T) {
	for environ, want := range map[string]bool{"": true, "TERM=xterm": true, "TERM=dumb": false, "NO_COLOR=1": false,
		"NO_COLOR=": true} {
		if got := replacesLines(strings.Fields(environ)); got != want {
			t.Errorf("%q: %t, want %t", environ, got, want)
		}
	}
}

// Lines that fit are unchanged. Others are broken between words, and continuations are aligned with the
// explanation.
func TestTextIsBrokenBetweenWords(t *testing.T) {
	for text, want := range map[string]string{
		"a  short  line":                 "a  short  line\n",
		"one two three four five six":    "one two three four\nfive six\n",
		"  name  explains it at length":  "  name  explains it\n        at length\n",
		"  indented without any meaning": "  indented without\n  any meaning\n",
		"":                               "",
	} {
		var narrow, wide strings.Builder
		WriteText(&Output{Writer: &narrow, Columns: 20}, text)
		WriteText(&wide, text)
		if narrow.String() != want || strings.TrimSuffix(wide.String(), "\n") != text {
			t.Errorf("%q:\n%s%s", text, narrow.String(), wide.String())
		}
	}
}

// The meanings of a list begin in one column, however long the names are.
func TestMeaningsOfAListAreAligned(t *testing.T) {
	for _, text := range []string{GoalObservers(), Mechanisms(), Ways()} {
		begins := 0
		for line := range strings.Lines(text) {
			at := len(entry.FindString(line))
			if begins == 0 {
				begins = at
			}
			if at != begins {
				t.Errorf("the meaning begins at %d, not at %d: %s", at, begins, line)
			}
		}
	}
}

// Of a long and wide table, the columns that fit, the second one without that beside it, and evenly spread rows are
// printed, and the rest is counted. With Full everything is printed.
func TestBriefTablesCountWhatTheyLeaveOut(t *testing.T) {
	cell := func(x *int) string { return strings.Repeat("x", 9) + string(rune('a'+*x%26)) }
	columns := []table.Column[int]{{Heading: "row", Lead: true, Whole: true,
		Value: func(x *int) float64 { return float64(*x) }},
		{Heading: "a", Text: cell}, {Heading: "b", Beside: true, Text: cell}, {Heading: "c", Text: cell}}
	rows := make([]int, 101)
	for i := range rows {
		rows[i] = i
	}
	long := table.Table[int]{Columns: columns, Rows: rows}
	var text strings.Builder
	p := &Printer{To: &Output{Writer: &text, Columns: 30}}
	err := p.Print(table.Section{Table: long.First("c")}, table.Section{Text: "more", Table: long, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	const want = "1 more table, 1 more column, 93 more rows"
	if got := p.Left(); got != want ||
		lines[0] != "row  c           a" ||
		!strings.HasPrefix(lines[1], "  0  ") || !strings.HasPrefix(lines[8], "100  ") {
		t.Errorf("left %q of\n%s", got, text.String())
	}
	text.Reset()
	full := &Printer{To: p.To, Full: true}
	if err := full.Print(table.Section{Table: long}); err != nil || full.Left() != "" || strings.Count(text.String(),
		"\n") != 2*102+1 {
		t.Errorf("%v, left %q of\n%s", err, full.Left(), text.String())
	}
}

// The lines of a paragraph and those of an explanation are joined, whatever their width in the source; a list of
// commands stays as it is.
func TestFlowingJoinsExplanations(t *testing.T) {
	const commands = "  other   a second one\n\n  command one\n  command two"
	text := "One sentence\nin two lines.\n  name    its meaning\n          goes on\n" + commands
	want := "One sentence in two lines.\n  name    its meaning goes on\n" + commands
	if got := flowing(text); got != want {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}
