package campaign

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"veilpath/internal/answer"
	"veilpath/internal/benchmark"
	"veilpath/internal/record"
	"veilpath/internal/table"
)

// RowsComparison is the comparison of the rows of two benchmarks.
type RowsComparison struct {
	Both         int // rows that both have, by mission, way and strength
	OnlyA, OnlyB int
	Different    int // rows of both that are not the same in every column
	Differences  []RowDifference
}

// RowDifference is a column in which a row is not the same in both files.
type RowDifference struct{ Row, Column, A, B string }

// mostOfRows bounds a file of rows, bytes.
const mostOfRows = 1 << 26

// CompareRows compares two files of rows in JSON, as a benchmark writes them.
func CompareRows(p *Program, a, b string) (*RowsComparison, error) {
	left, err := readRows(p, a)
	if err != nil {
		return nil, err
	}
	right, err := readRows(p, b)
	if err != nil {
		return nil, err
	}
	c := &RowsComparison{OnlyB: len(right)}
	for i := range left {
		one := &left[i]
		k := slices.IndexFunc(right, func(r benchmark.Row) bool { return r.Title() == one.Title() })
		if k < 0 {
			c.OnlyA++
			continue
		}
		c.Both, c.OnlyB = c.Both+1, c.OnlyB-1
		same := len(c.Differences)
		for _, column := range benchmark.Columns()[1:] { // the first is the place in the file
			x, y := fmt.Sprint(column.Cell(one)), fmt.Sprint(column.Cell(&right[k]))
			if x != y {
				c.Differences = append(c.Differences, RowDifference{one.Title(), column.Name, x, y})
			}
		}
		if len(c.Differences) > same {
			c.Different++
		}
	}
	return c, nil
}

// readRows reads a file of rows.
func readRows(p *Program, path string) ([]benchmark.Row, error) {
	text, err := record.ReadFile(filepath.Dir(path), filepath.Base(path), mostOfRows)
	if err != nil {
		return nil, RequestErrorf("%w", err)
	}
	rows, err := benchmark.ReadRows(text)
	if err != nil {
		return nil, RequestErrorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, RequestErrorf("%s: it has no rows of a benchmark; name the rows.json in its folder", path)
	}
	return rows, nil
}

// Same reports whether both files have the same rows.
func (c *RowsComparison) Same() bool { return c.Different+c.OnlyA+c.OnlyB == 0 }

// Words says in a sentence how many rows differ.
func (c *RowsComparison) Words() string {
	if c.Same() {
		return fmt.Sprintf("All %s are the same, to the bit.", table.Count(c.Both, "row"))
	}
	return fmt.Sprintf("Of %s that both have, %d differ; %d are only in the first file and %d only in the second.",
		table.Count(c.Both, "row"), c.Different, c.OnlyA, c.OnlyB)
}

// Answer returns the counts and the differences.
func (c *RowsComparison) Answer() *answer.Answer {
	rows := table.Table[RowDifference]{Columns: rowColumns(), Rows: c.Differences}
	a := &answer.Answer{Words: []string{c.Words()}, CSV: answer.File{Write: rows.WriteCSV},
		JSON: answer.File{Write: func(w io.Writer) error {
			return table.WriteJSON(w, map[string]any{"both": c.Both, "only_a": c.OnlyA, "only_b": c.OnlyB,
				"different": c.Different, "differences": rows})
		}}}
	if len(c.Differences) > 0 {
		a.Table = rows
	}
	return a
}

func rowColumns() []table.Column[RowDifference] {
	return []table.Column[RowDifference]{
		{Name: "row", Heading: "row", Lead: true, Text: func(d *RowDifference) string { return d.Row }},
		{Name: "column", Heading: "column", Lead: true, Text: func(d *RowDifference) string { return d.Column }},
		{Name: "a", Heading: "A", Text: func(d *RowDifference) string { return d.A }},
		{Name: "b", Heading: "B", Text: func(d *RowDifference) string { return d.B }},
	}
}
