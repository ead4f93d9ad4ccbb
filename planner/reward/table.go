package reward

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is the rewards of one agent or of several.
type Table struct {
	Agents []string    // names, one per agent; a single empty one where the file has none
	States []string    // names, in the order of the rewards
	Names  [][]string  // names of each agent's actions
	Values [][]float64 // each agent's rewards, state-major: entry state*actions+action

	header []string // nil where the file has none
	rows   [][]string
	cells  []cell // where each reward stands, row by row
}

// cell is the place of a reward in the file and among the values.
type cell struct{ row, column, agent, entry int }

// Actions returns how many actions each agent has.
func (t *Table) Actions() []int {
	actions := make([]int, len(t.Names))
	for i, names := range t.Names {
		actions[i] = len(names)
	}
	return actions
}

// Read reads a table in either layout. Errors name the line of the file, and what is wrong there.
func Read(r io.Reader) (*Table, error) {
	reader := csv.NewReader(r)
	reader.TrimLeadingSpace = true
	records, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reward table: %w", err)
	}
	if len(records) == 0 {
		return nil, errors.New("reward table: no rows; want rewards as CSV")
	}
	t := &Table{rows: records}
	if !slices.ContainsFunc(records[0], isNumber) {
		t.header, t.rows = records[0], records[1:]
	}
	if len(t.rows) == 0 {
		return nil, errors.New("reward table: a header and no rows; want rewards below it")
	}
	if slices.Contains(t.header, "reward") {
		err = t.readLong()
	} else {
		err = t.readWide()
	}
	if err != nil {
		return nil, fmt.Errorf("reward table: %w", err)
	}
	return t, nil
}

// isNumber reports whether text reads as a number, finite or not.
func isNumber(text string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// line names a row of rewards for a person: the header, if there is one, is row 1.
func (t *Table) line(row int) int {
	if t.header != nil {
		row++
	}
	return row + 1
}

// parse reads the reward of a cell.
func (t *Table) parse(row, column int) (float64, error) {
	text := strings.TrimSpace(t.rows[row][column])
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return 0, fmt.Errorf("row %d, column %d: %q is not a number; want a finite one", t.line(row), column+1, text)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("row %d, column %d: the reward is %s; want a finite number", t.line(row), column+1, text)
	}
	return v, nil
}

func (t *Table) readWide() error {
	first := 0
	if t.header != nil && t.header[0] == "state" {
		first = 1
	}
	actions := len(t.rows[0]) - first
	if actions < 1 {
		return errors.New("no column of rewards; want one per action")
	}
	t.Agents, t.Names = []string{""}, [][]string{make([]string, actions)}
	for a := range actions {
		t.Names[0][a] = strconv.Itoa(a)
		if t.header != nil {
			t.Names[0][a] = t.header[first+a]
		}
	}
	values := make([]float64, 0, len(t.rows)*actions)
	for row := range t.rows {
		name := strconv.Itoa(row)
		if first == 1 {
			name = t.rows[row][0]
		}
		t.States = append(t.States, name)
		for a := range actions {
			v, err := t.parse(row, first+a)
			if err != nil {
				return err
			}
			t.cells = append(t.cells, cell{row, first + a, 0, len(values)})
			values = append(values, v)
		}
	}
	t.Values = [][]float64{values}
	return nil
}

// Write writes the table with other values in place of its own, one slice per agent of the length of Values'.
func (t *Table) Write(w io.Writer, values [][]float64) error {
	out := csv.NewWriter(w)
	if t.header != nil {
		if err := out.Write(t.header); err != nil {
			return err
		}
	}
	next := 0
	for row, fields := range t.rows {
		fields = slices.Clone(fields)
		for ; next < len(t.cells) && t.cells[next].row == row; next++ {
			c := t.cells[next]
			fields[c.column] = strconv.FormatFloat(values[c.agent][c.entry], 'g', -1, 64)
		}
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
