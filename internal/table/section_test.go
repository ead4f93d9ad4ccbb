package table

import (
	"slices"
	"strings"
	"testing"
)

// Columns that come first bring those beside them along, after those that identify a row. What has no heading is for
// files alone.
func TestColumnsComeFirstWithThoseBesideThem(t *testing.T) {
	columns := []Column[int]{{Heading: "a"}, {Heading: "+-", Beside: true}, {Heading: "row", Lead: true}, {Name: "file"},
		{Heading: "b"}, {Heading: "c"}, {Heading: "of c", Beside: true}}
	for first, want := range map[string]string{"": "row,a,+-,b,c,of c", "c": "row,c,of c,a,+-,b",
		"c,a": "row,c,of c,a,+-,b", "b,none,a": "row,b,a,+-,c,of c"} {
		var got []string
		for _, c := range (Table[int]{Columns: columns}).First(strings.Split(first, ",")...).Columns {
			got = append(got, c.Heading)
		}
		if !slices.Equal(got, strings.Split(want, ",")) {
			t.Errorf("first %q: %q, want %s", first, got, want)
		}
	}
}

// Who asks for everything reads all rows. Others read those that matter most, spread evenly if they are many, and
// what is left out is counted.
func TestShownRowsAreSpread(t *testing.T) {
	own := func(x *int) float64 { return float64(*x) }
	long := Table[int]{Columns: []Column[int]{{Heading: "x", Value: own, Whole: true}, {Name: "file", Value: own}}}
	for i := range 11 {
		long.Rows = append(long.Rows, i)
	}
	short := long
	short.Main = []int{3, 8}
	for _, c := range []struct {
		table Table[int]
		most  int
		want  string
		left  int
	}{{long, 0, "0 1 2 3 4 5 6 7 8 9 10", 0}, {long, 3, "0 5 10", 8}, {long, 20, "0 1 2 3 4 5 6 7 8 9 10", 0},
		{short, 0, "0 1 2 3 4 5 6 7 8 9 10", 0}, {short, 3, "3 8", 9}} {
		columns, left := c.table.Shown(c.most)
		if len(columns) != 1 || strings.Join(columns[0].Cells, " ") != c.want || left != c.left {
			t.Errorf("at most %d rows: %+v, %d left, want %s and %d", c.most, columns, left, c.want, c.left)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs"} {
		if got := Count(n, "run"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		n, k int
		want []int
	}{{0, 3, []int{}}, {2, 3, []int{0, 1}}, {3, 3, []int{0, 1, 2}}, {20, 3, []int{0, 9, 19}}, {5, 2, []int{0, 4}}} {
		if got := Spread(c.n, c.k); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, want %v", c.k, c.n, got, c.want)
		}
	}
}

// A plain table has at most eight rows on a screen, with the first and the last, and counts the others.
func TestPlainTablesFitAScreen(t *testing.T) {
	p := Plain{Headings: []string{"point", "km"}, Lead: 1}
	for i := range 15 {
		p.Rows = append(p.Rows, []string{string(rune('a' + i)), "1"})
	}
	for most, want := range map[int]string{0: "abcdefghijklmno", 5: "adhko", 8: "acegikmo"} {
		columns, left := p.Shown(most)
		if got := strings.Join(columns[0].Cells, ""); got != want || left != 15-len(want) || !columns[0].Lead ||
			columns[1].Lead {
			t.Errorf("at most %d rows: %q, %d left, want %q", most, got, left, want)
		}
	}
}
