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

// Table is the rewards of one agent or of several agents.
type Table struct {
	Agents []string    // names, one per agent, in order; a single empty name if the file has none
	States []string    // names, in order; numbers from 0 if the file has none
	Names  [][]string  // names of each agent's actions, in order
	Values [][]float64 // each agent's rewards, state-major: entry state*actions+action

	layout layout
}

// layout is the layout of a file.
type layout struct {
	long   bool // one row per entry
	header bool // always true if long
	agents bool // long, with a column of agents
	states bool // wide, with a column of states
}

// place is the position of a reward in a file, counted from 1.
type place struct{ row, column int32 }

// Actions returns the number of actions of each agent.
func (t *Table) Actions() []int {
	actions := make([]int, len(t.Names))
	for i, names := range t.Names {
		actions[i] = len(names)
	}
	return actions
}

// Entries returns the number of rewards of all agents together.
func (t *Table) Entries() int {
	sum := 0
	for _, values := range t.Values {
		sum += len(values)
	}
	return sum
}

// Write writes the table with other values, one slice per agent with the lengths of Values. The output does not
// depend on the order of the rows and of the named columns that were read.
func (t *Table) Write(w io.Writer, values [][]float64) error {
	out := csv.NewWriter(w)
	write := t.writeWide
	if t.layout.long {
		write = t.writeLong
	}
	if err := write(out, values); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// ReadBack reads the output of Write: a table of the same agents, states and actions. It returns one slice per
// agent.
func (t *Table) ReadBack(r io.Reader) ([][]float64, error) {
	header := KnownHeader
	if t.layout.header && !t.layout.long && !t.layout.states {
		header = FirstRowIsHeader
	}
	other, err := Read(r, header)
	if err != nil {
		return nil, err
	}
	same := slices.Equal(t.Agents, other.Agents) && slices.Equal(t.States, other.States) &&
		slices.EqualFunc(t.Names, other.Names, slices.Equal[[]string])
	if !same {
		return nil, errors.New("reward table: the agents, states or actions differ from those of the input table")
	}
	return other.Values, nil
}

func (t *Table) writeLong(out *csv.Writer, values [][]float64) error {
	row := []string{"agent", "state", "action", "reward"}
	from := 1
	if t.layout.agents {
		from = 0
	}
	if err := out.Write(row[from:]); err != nil {
		return err
	}
	for i, agent := range t.Agents {
		next := values[i]
		for _, state := range t.States {
			for a, action := range t.Names[i] {
				row[0], row[1], row[2], row[3] = agent, state, action, format(next[a])
				if err := out.Write(row[from:]); err != nil {
					return err
				}
			}
			next = next[len(t.Names[i]):]
		}
	}
	return nil
}

func (t *Table) writeWide(out *csv.Writer, values [][]float64) error {
	row := append([]string{"state"}, t.Names[0]...)
	from := 1
	if t.layout.states {
		from = 0
	}
	if t.layout.header {
		if err := out.Write(row[from:]); err != nil {
			return err
		}
	}
	next := values[0]
	for _, state := range t.States {
		row[0] = state
		for a := range t.Names[0] {
			row[1+a] = format(next[a])
		}
		if err := out.Write(row[from:]); err != nil {
			return err
		}
		next = next[len(t.Names[0]):]
	}
	return nil
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parse reads the reward of a cell; -0 becomes 0.
func parse(p place, cell string) (float64, error) {
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, cellError(p, "a number beyond the range of floating point; rescale the rewards")
	case err != nil:
		return 0, cellError(p, "not a number; want a number such as -1.5, with a point and no other characters "+
			"between or around the digits")
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, cellError(p, "not a finite number")
	}
	return v + 0, nil // -0 becomes 0
}

// cellError is an error about a cell. It must not reveal the cell's content.
func cellError(p place, problem string) error {
	return fmt.Errorf("row %d, column %d: %s", p.row, p.column, problem)
}

// isWord reports whether a heading is clearly a word, so that an error may quote it.
func isWord(heading string) bool {
	const lower = "abcdefghijklmnopqrstuvwxyz"
	return heading != "" && strings.Trim(strings.ToLower(heading[:1]), lower) == "" &&
		strings.Trim(heading[1:], lower+"_") == ""
}
