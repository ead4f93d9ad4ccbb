package reward

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Map is the rewards of the cells of a grid: one per cell, or one per cell and action.
type Map struct {
	Actions int       // 1 for one reward per cell
	Values  []float64 // row by row from the south-west: entry (row*columns+column)*Actions+action
}

// ErrSize is the error for a map of another grid.
var ErrSize = errors.New("the size of the grid")

// ReadMap reads a grid's map from CSV in one of two layouts. The first has only numbers, one line per row of
// cells, the northernmost row first. The second has the header column, row and reward, with action if every
// action has its own reward, and one line for every cell or action whose reward is not 0; rows count from 0 in
// the south. Spaces in action names may be written as underscores. Errors name the line and the column, but not
// their content.
func ReadMap(text []byte, columns, rows int, actions []string) (Map, error) {
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	in.FieldsPerRecord, in.ReuseRecord, in.TrimLeadingSpace = -1, true, true
	first, err := in.Read()
	if err == io.EOF {
		return Map{}, errors.New("no rows; want rewards as CSV")
	}
	if err != nil {
		return Map{}, withoutContent(err)
	}
	m := mapReader{in: in, columns: columns, rows: rows, actions: make([]string, len(actions))}
	for i, name := range actions {
		m.actions[i] = strings.ReplaceAll(name, " ", "_")
	}
	if _, err := strconv.ParseFloat(strings.TrimSpace(first[0]), 64); err == nil {
		return m.matrix(first)
	}
	return m.list(first)
}

// withoutContent removes the content from an error of the CSV reader and keeps its line.
func withoutContent(err error) error {
	var wrong *csv.ParseError
	if errors.As(err, &wrong) {
		return fmt.Errorf("line %d: a quote in the wrong place", wrong.Line)
	}
	return err
}

type mapReader struct {
	in            *csv.Reader
	columns, rows int
	actions       []string
}

// matrix reads one line per row of cells.
func (m *mapReader) matrix(line []string) (Map, error) {
	values := make([]float64, m.columns*m.rows)
	for row := m.rows - 1; ; row-- {
		number, _ := m.in.FieldPos(0)
		if row < 0 || len(line) != m.columns {
			return Map{}, fmt.Errorf("line %d: want %d lines of %d numbers, %w", number, m.rows, m.columns, ErrSize)
		}
		for column, cell := range line {
			value, err := finite(cell)
			if err != nil {
				return Map{}, fmt.Errorf("line %d, column %d: %w", number, column+1, err)
			}
			values[row*m.columns+column] = value
		}
		var err error
		if line, err = m.in.Read(); err == io.EOF {
			if row > 0 {
				return Map{}, fmt.Errorf("%d lines, want %d, %w", m.rows-row, m.rows, ErrSize)
			}
			return Map{Actions: 1, Values: values}, nil
		} else if err != nil {
			return Map{}, withoutContent(err)
		}
	}
}

// listColumns are the columns of a list; action is negative if there is none.
type listColumns struct{ column, row, action, reward, count int }

func newListColumns(header []string) (listColumns, error) {
	headings := make([]string, len(header))
	for i, h := range header {
		headings[i] = strings.ToLower(strings.TrimSpace(h))
	}
	at := func(name string) int { return slices.Index(headings, name) }
	p := listColumns{at("column"), at("row"), at("action"), at("reward"), 3}
	if p.action >= 0 {
		p.count = 4
	}
	if p.column < 0 || p.row < 0 || p.reward < 0 || len(headings) != p.count {
		return p, errors.New("line 1: want numbers, or the headings column,row,reward or column,row,action,reward")
	}
	return p, nil
}

// list reads one line for every cell or action with a reward.
func (m *mapReader) list(header []string) (Map, error) {
	at, err := newListColumns(header)
	if err != nil {
		return Map{}, err
	}
	read := Map{Actions: 1}
	if at.action >= 0 {
		read.Actions = len(m.actions)
	}
	read.Values = make([]float64, m.columns*m.rows*read.Actions)
	given := make([]bool, len(read.Values))
	for {
		line, err := m.in.Read()
		if err == io.EOF {
			return read, nil
		} else if err != nil {
			return Map{}, withoutContent(err)
		}
		number, _ := m.in.FieldPos(0)
		entry, value, err := m.entry(line, at)
		if err == nil && given[entry] {
			err = errors.New("the cell occurs twice")
		}
		if err != nil {
			return Map{}, fmt.Errorf("line %d: %w", number, err)
		}
		given[entry], read.Values[entry] = true, value
	}
}

// entry reads a line of a list: the index in the map, and the reward.
func (m *mapReader) entry(line []string, at listColumns) (entry int, value float64, err error) {
	if len(line) != at.count {
		return 0, 0, fmt.Errorf("%d columns, want %d", len(line), at.count)
	}
	c, err1 := strconv.Atoi(strings.TrimSpace(line[at.column]))
	r, err2 := strconv.Atoi(strings.TrimSpace(line[at.row]))
	if err1 != nil || err2 != nil || c < 0 || c >= m.columns || r < 0 || r >= m.rows {
		return 0, 0, fmt.Errorf("no such cell among columns 0 to %d and rows 0 to %d", m.columns-1, m.rows-1)
	}
	entry = r*m.columns + c
	if at.action >= 0 {
		a := slices.Index(m.actions, strings.ReplaceAll(strings.TrimSpace(line[at.action]), " ", "_"))
		if a < 0 {
			return 0, 0, fmt.Errorf("no such action; want one of %s", strings.Join(m.actions, ", "))
		}
		entry = entry*len(m.actions) + a
	}
	value, err = finite(line[at.reward])
	return entry, value, err
}

// finite reads a finite number; -0 becomes 0.
func finite(text string) (float64, error) {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsInf(value, 0) || math.IsNaN(value) {
		return 0, errors.New("not a finite number")
	}
	return value + 0, nil // -0 becomes 0
}
