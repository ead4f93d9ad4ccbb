package problem

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The columns of the table, in any order in a file.
const (
	stateColumn = iota
	actionColumn
	nextColumn
	probabilityColumn
	rewardColumn
	columns
)

var headings = [columns]string{"state", "action", "next", "probability", "reward"}

// wantHeadings describes the header.
var wantHeadings = strings.Join(headings[:], ",")

// readCSV reads one row per outcome.
func readCSV(open Open, path string, _ Options) (*Problem, error) {
	t, err := openText(open, path)
	if err != nil {
		return nil, err
	}
	defer t.close()
	r := csvReader{text: t, rows: rows{path: path, tolerance: textTolerance}, states: newLabels(), actions: newLabels()}
	if err := r.header(); err != nil {
		return nil, err
	}
	if err := r.each(r.row); err != nil {
		return nil, err
	}
	states, newStates := r.states.ordered()
	actions, newActions := r.actions.ordered()
	r.rows.renumber(newStates, newActions)
	p, err := r.rows.problem(states, actions)
	if err != nil {
		return nil, err
	}
	isTerminal := p.terminals()
	for o := range r.terminal.all {
		state := o.state
		if newStates != nil {
			state = newStates[state]
		}
		if !isTerminal[state] {
			return nil, fmt.Errorf("%s:%d: state %s is terminal here, but has outcomes in other rows", path, o.line,
				states.Of(int(state)))
		}
	}
	p.rewardsFrom = "column reward"
	p.omitted = r.omitted
	return p, nil
}

// csvReader reads the lines of a table.
type csvReader struct {
	*text
	rows            rows
	terminal        rows // a row per terminal state, of which only state and line matter
	states, actions *labels
	separator       byte
	position        [columns]int // of each column
	width           int          // cells of a row
	cells           [][]byte
	omitted         []string
}

func (r *csvReader) header() error {
	line, err := r.next()
	if err == io.EOF {
		return fmt.Errorf("%s: empty; want the header %s and one row per outcome", r.path, wantHeadings)
	}
	if err != nil {
		return err
	}
	r.separator = ','
	if bytes.IndexByte(line, ',') < 0 && bytes.IndexByte(line, ';') >= 0 {
		r.separator = ';'
	}
	if err := r.split(line); err != nil {
		return err
	}
	r.position, r.width = [columns]int{-1, -1, -1, -1, -1}, len(r.cells)
	for i, cell := range r.cells {
		column := slices.Index(headings[:], strings.ToLower(string(cell)))
		switch {
		case i == 0 && (len(cell) == 0 || string(cell) == "Unnamed: 0"):
			r.omitted = append(r.omitted, "the first column, which is the index of pandas")
		case column < 0:
			return r.fail("column %d is %q; want the columns %s and no others", i+1, cell, wantHeadings)
		case r.position[column] >= 0:
			return r.fail("column %s twice", headings[column])
		default:
			r.position[column] = i
		}
	}
	for column, at := range r.position {
		if at < 0 {
			return r.fail("no column %s; want %s", headings[column], wantHeadings)
		}
	}
	return nil
}

// row adds the outcome of a line. A terminal state has a row with nothing else.
func (r *csvReader) row(line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if err := r.split(line); err != nil {
		return err
	}
	if len(r.cells) != r.width {
		return r.fail("%d cells; want %d, as in the header", len(r.cells), r.width)
	}
	var cells [columns][]byte
	given := 0
	for column, at := range r.position {
		if cells[column] = r.cells[at]; len(cells[column]) > 0 {
			given++
		}
	}
	if len(cells[stateColumn]) == 0 {
		return r.fail("no state")
	}
	state, err := r.states.id(cells[stateColumn])
	if err != nil {
		return r.fail("%v", err)
	}
	r.states.list(state)
	if given == 1 {
		r.terminal.add(outcome{state: int32(state), line: r.line})
		return nil
	}
	if len(cells[actionColumn]) == 0 || len(cells[nextColumn]) == 0 {
		return r.fail("state %s: want an action and a next state, or neither where the state is terminal",
			cells[stateColumn])
	}
	next, err := r.states.id(cells[nextColumn])
	if err != nil {
		return r.fail("%v", err)
	}
	action, err := r.actions.id(cells[actionColumn])
	if err != nil {
		return r.fail("%v", err)
	}
	probability, ok := parseFloat(cells[probabilityColumn])
	if !ok || probability < 0 {
		return r.fail("state %s, action %s: probability is %q; want a number from 0 to 1", cells[stateColumn],
			cells[actionColumn], cells[probabilityColumn])
	}
	reward, ok := parseFloat(cells[rewardColumn])
	if !ok {
		return r.fail("state %s, action %s: reward is %q; want a finite number", cells[stateColumn], cells[actionColumn],
			cells[rewardColumn])
	}
	r.rows.add(outcome{int32(state), int32(action), int32(next), r.line, probability, reward})
	return nil
}

// split cuts a line into cells.
func (r *csvReader) split(line []byte) error {
	r.cells = r.cells[:0]
	if bytes.IndexByte(line, '"') < 0 {
		for more := true; more; {
			var cell []byte
			cell, line, more = bytes.Cut(line, []byte{r.separator})
			r.cells = append(r.cells, bytes.TrimSpace(cell))
		}
		return nil
	}
	quoted := csv.NewReader(bytes.NewReader(line))
	quoted.Comma = rune(r.separator)
	quoted.TrimLeadingSpace = true
	cells, err := quoted.Read()
	if err != nil {
		return r.fail("%v; a quoted name must be in one line, with quotes inside it doubled", err)
	}
	for _, c := range cells {
		r.cells = append(r.cells, bytes.TrimSpace([]byte(c)))
	}
	return nil
}
