package problem

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The columns of the long table, in CSV and in Parquet.
const (
	stateColumn = iota
	actionColumn
	nextColumn
	probabilityColumn
	rewardColumn
	longColumns
)

var longHeadings = [longColumns]string{"state", "action", "next", "probability", "reward"}

// longTable gathers the rows of a long table.
type longTable struct {
	rows            *rows
	states, actions *labels
	alone           []int32 // states that are listed without an outcome
}

func newLongTable(path string, namedStates, namedActions bool) *longTable {
	return &longTable{rows: newRows(path), states: newLabels(namedStates), actions: newLabels(namedActions)}
}

// errNamedActions is errNamed for actions.
var errNamedActions = errors.New("names of actions, not numbers")

// add adds a row; action is empty for a terminal state.
func (l *longTable) add(state, action, next []byte, probability, reward float64, line int) error {
	s, err := l.states.number(state)
	if err != nil {
		return err
	}
	l.states.place(s)
	if len(action) == 0 {
		l.alone = append(l.alone, int32(s))
		return nil
	}
	n, err := l.states.number(next)
	if err != nil {
		return err
	}
	a, err := l.actions.number(action)
	if err != nil {
		return errNamedActions
	}
	l.rows.add(s, a, n, probability, reward, line)
	return nil
}

// addNumbers is add for a row of numbers, when neither states nor actions have names.
func (l *longTable) addNumbers(state, action, next int64, probability, reward float64, line int) error {
	s, err := l.states.whole(state)
	if err != nil {
		return err
	}
	n, err := l.states.whole(next)
	if err != nil {
		return err
	}
	a, err := l.actions.whole(action)
	if err != nil {
		return errNamedActions
	}
	l.rows.add(s, a, n, probability, reward, line)
	return nil
}

// problem returns the problem of the table.
func (l *longTable) problem() (*Problem, error) {
	states, becomes := l.states.finalize(func(see func(int32)) {
		for i := range l.rows.pieces {
			see(l.rows.pieces[i].state)
		}
		for _, n := range l.rows.next {
			see(n)
		}
		for _, s := range l.alone {
			see(s)
		}
	})
	actions, acts := l.actions.finalize(func(see func(int32)) {
		for i := range l.rows.pieces {
			see(l.rows.pieces[i].action)
		}
	})
	if becomes != nil || acts != nil {
		l.rows.renumber(becomes, acts)
	}
	return l.rows.problem(states, actions)
}

// longer reads a long table with numbers, and again with names if the file has names.
func longer(read func(namedStates, namedActions bool) (*longTable, error)) (*Problem, error) {
	states, actions := false, false
	for {
		table, err := read(states, actions)
		switch {
		case errors.Is(err, errNamed) && !states:
			states = true
		case errors.Is(err, errNamedActions) && !actions:
			actions = true
		case err != nil:
			return nil, err
		default:
			return table.problem()
		}
	}
}

func readCSV(open Open, path string) (*Problem, error) {
	return longer(func(namedStates, namedActions bool) (*longTable, error) {
		t, err := openText(open, path)
		if err != nil {
			return nil, err
		}
		defer t.close()
		r := csvReader{text: t, table: newLongTable(path, namedStates, namedActions)}
		return r.table, r.read()
	})
}

// csvReader reads the lines of a long CSV.
type csvReader struct {
	*text
	table     *longTable
	separator byte
	at        [longColumns]int // position of each column
	cells     [][]byte
}

func (r *csvReader) read() error {
	if err := r.header(); err != nil {
		return err
	}
	r.table.rows.times = r.times
	numbered := r.at == [longColumns]int{0, 1, 2, 3, 4} && !r.table.states.named && !r.table.actions.named
	return r.each(func(line []byte) error {
		if numbered {
			if done, err := r.numbers(line); done || err != nil {
				return err
			}
		}
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return r.row(line)
	})
}

// numbers adds a row that contains only numbers in the usual order; done is false for any other row.
func (r *csvReader) numbers(line []byte) (done bool, err error) {
	state, at := wholeBefore(line, 0, r.separator)
	action, at := wholeBefore(line, at, r.separator)
	next, at := wholeBefore(line, at, r.separator)
	probability, at := numberBefore(line, at, r.separator)
	reward, ok := lastNumber(line, at)
	if !ok || probability < 0 {
		return false, nil
	}
	return true, r.table.addNumbers(int64(state), int64(action), int64(next), probability, reward, r.line)
}

func (r *csvReader) header() error {
	line, err := r.next()
	if err == io.EOF {
		return fmt.Errorf("%s: empty; want the header %s and one row per outcome", r.path,
			strings.Join(longHeadings[:], ","))
	}
	if err != nil {
		return err
	}
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	r.separator = ','
	if bytes.IndexByte(line, ',') < 0 && bytes.IndexByte(line, ';') >= 0 {
		r.separator = ';'
	}
	if err := r.split(line); err != nil {
		return err
	}
	r.at = [longColumns]int{-1, -1, -1, -1, -1}
	for i, cell := range r.cells {
		column := slices.Index(longHeadings[:], strings.ToLower(string(cell)))
		if column < 0 {
			return r.fail("column %d is %q; want the columns %s and no others", i+1, cell, strings.Join(longHeadings[:], ","))
		}
		if r.at[column] >= 0 {
			return r.fail("column %s twice", longHeadings[column])
		}
		r.at[column] = i
	}
	for column, at := range r.at {
		if at < 0 {
			return r.fail("no column %s; want %s", longHeadings[column], strings.Join(longHeadings[:], ","))
		}
	}
	return nil
}

func (r *csvReader) row(line []byte) error {
	if err := r.split(line); err != nil {
		return err
	}
	if len(r.cells) != longColumns {
		return r.fail("%d cells; want %d: %s", len(r.cells), longColumns, strings.Join(longHeadings[:], ","))
	}
	cell := func(column int) []byte { return r.cells[r.at[column]] }
	state, action, next := cell(stateColumn), cell(actionColumn), cell(nextColumn)
	if len(state) == 0 {
		return r.fail("no state")
	}
	if len(action) == 0 && len(next) == 0 && len(cell(probabilityColumn)) == 0 && len(cell(rewardColumn)) == 0 {
		return r.table.add(state, nil, nil, 0, 0, r.line)
	}
	if len(action) == 0 || len(next) == 0 {
		return r.fail("state %s: want an action and a next state, or neither where the state is terminal", state)
	}
	probability, ok := parseFloat(cell(probabilityColumn))
	if !ok || probability < 0 {
		return r.fail("state %s, action %s: probability is %q; want a number from 0 to 1", state, action,
			cell(probabilityColumn))
	}
	reward, ok := parseFloat(cell(rewardColumn))
	if !ok {
		return r.fail("state %s, action %s: reward is %q; want a finite number", state, action, cell(rewardColumn))
	}
	return r.table.add(state, action, next, probability, reward, r.line)
}

// split cuts a line into cells.
func (r *csvReader) split(line []byte) error {
	r.cells = r.cells[:0]
	if bytes.IndexByte(line, '"') >= 0 {
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
	for {
		end := bytes.IndexByte(line, r.separator)
		if end < 0 {
			r.cells = append(r.cells, bytes.TrimSpace(line))
			return nil
		}
		r.cells = append(r.cells, bytes.TrimSpace(line[:end]))
		line = line[end+1:]
	}
}

func writeCSV(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("CSV")
	if err != nil {
		return nil, err
	}
	terminal := p.terminals()
	const special = ",;\" \n\r"
	states, actions := p.States.Quoted(special), p.Actions.Quoted(special)
	err = create(path, buffered(func(w *bufio.Writer) {
		w.WriteString(strings.Join(longHeadings[:], ",") + "\n")
		var line []byte
		for c := range p.choices(model) {
			if terminal[c.state] {
				w.Write(append(states.Append(line[:0], c.state), ",,,,\n"...))
				continue
			}
			for i, n := range c.next {
				line = append(states.Append(line[:0], c.state), ',')
				line = append(actions.Append(line, c.action), ',')
				line = append(states.Append(line, int(n)), ',')
				line = append(appendFloat(line, c.chance[i]), ',')
				w.Write(append(appendFloat(line, c.reward), '\n'))
			}
		}
	}))
	return p.lostContext(), err
}
