package external

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// matrix is a table of float64, row by row, that a command is told. In JSON it is a list of rows, in which null stands
// for -Inf.
type matrix struct {
	values  []float64
	columns int
}

// MarshalJSON implements json.Marshaler, in as few digits as bring every number back.
func (m matrix) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 2+20*len(m.values))
	text = append(text, '[')
	for i, x := range m.values {
		switch {
		case i == 0:
			text = append(text, '[')
		case i%m.columns == 0:
			text = append(text, "],["...)
		default:
			text = append(text, ',')
		}
		if math.IsInf(x, -1) {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendFloat(text, x, 'g', -1, 64)
		}
	}
	if len(m.values) > 0 {
		text = append(text, ']')
	}
	return append(text, ']'), nil
}

// table is a table of numbers that a command answers.
type table [][]value

// value is a number, or null for -Inf.
type value float64

// UnmarshalJSON implements json.Unmarshaler.
func (v *value) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*v = value(math.Inf(-1))
		return nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return fmt.Errorf("%s is not a number, or too large", text[:min(len(text), 24)])
	}
	*v = value(x)
	return nil
}

// flat returns the numbers row by row. It refuses a table that does not have so many rows and columns.
func (t table) flat(name string, rows, columns int) ([]float64, error) {
	if len(t) != rows {
		return nil, fmt.Errorf("%s has %d rows; want %d of %d numbers", name, len(t), rows, columns)
	}
	values := make([]float64, 0, rows*columns)
	for i, row := range t {
		if len(row) != columns {
			return nil, fmt.Errorf("row %d of %s has %d numbers; want %d", i, name, len(row), columns)
		}
		for _, x := range row {
			values = append(values, float64(x))
		}
	}
	return values, nil
}

// told is what determines the mission that a mechanism knows.
type told struct {
	problem          *planner.Solved
	delta, adjacency float64
}

// missionMessage tells a mechanism the problem that it plans for. Either Next or Outcomes is set.
type missionMessage struct {
	States    int          `json:"states"`
	Actions   int          `json:"actions"`
	Start     int          `json:"start"`
	Discount  float64      `json:"discount"`
	Delta     float64      `json:"delta"`
	Adjacency float64      `json:"adjacency"`
	Grid      *gridMessage `json:"grid,omitempty"`
	Next      [][]int      `json:"next,omitempty"`     // the state that follows, by state and action
	Outcomes  [][]outcomes `json:"outcomes,omitempty"` // by state and action
	Rewards   matrix       `json:"rewards"`
}

// outcomes are pairs of a state and its probability.
type outcomes [][2]float64

// gridMessage is the grid of a mission. Cells are [column, row].
type gridMessage struct {
	Columns   int      `json:"columns"`
	Rows      int      `json:"rows"`
	SpacingKm float64  `json:"spacing_km"`
	Start     [2]int   `json:"start"`
	Goals     [][2]int `json:"goals"`
	KeptOut   [][2]int `json:"kept_out"`
}

// newMission returns the message about a problem.
func newMission(p *planner.Solved, g privacy.Guarantee) missionMessage {
	m := missionMessage{States: p.Law.States(), Actions: p.Law.Actions(), Start: p.Start, Discount: p.Discount,
		Delta: g.Delta, Adjacency: g.Adjacency, Rewards: matrix{p.Rewards.Joint, p.Law.Actions()}}
	if p.Grid != nil {
		m.Grid = newGrid(p.Grid)
	}
	deterministic := mdp.Deterministic(p.Law)
	var room []mdp.Outcome
	for state := range m.States {
		next, all := make([]int, m.Actions), make([]outcomes, m.Actions)
		for action := range m.Actions {
			room = p.Law.AppendOutcomes(room[:0], state, action)
			next[action], all[action] = room[0].State, outcomes{}
			for _, o := range room {
				all[action] = append(all[action], [2]float64{float64(o.State), o.Probability})
			}
		}
		if deterministic {
			m.Next = append(m.Next, next)
		} else {
			m.Outcomes = append(m.Outcomes, all)
		}
	}
	return m
}

// newGrid returns the message about a grid.
func newGrid(g *planner.Grid) *gridMessage {
	cell := func(state int) [2]int {
		c := g.Cell(state)
		return [2]int{c.Column, c.Row}
	}
	m := &gridMessage{Columns: g.Columns, Rows: g.Rows, SpacingKm: g.SpacingKm, Start: cell(g.Start), KeptOut: [][2]int{}}
	for _, goal := range g.Goals() {
		m.Goals = append(m.Goals, cell(goal))
	}
	for state := range g.States() {
		if g.KeptOut(state) {
			m.KeptOut = append(m.KeptOut, cell(state))
		}
	}
	return m
}

// answer is the line with which a command answers a request. It has one field beside the ID.
type answer struct {
	Rewards    table   `json:"rewards"`    // of a mechanism: states x actions
	Policy     []int32 `json:"policy"`     // the action of every state
	Stochastic table   `json:"stochastic"` // the probability of every action: states x actions
	Path       []int32 `json:"path"`       // the states that are visited, the start first
	Goal       []int   `json:"goal"`       // column and row of a cell that is planned for in place of the goal

	Points    table `json:"points"`    // of an observer: a place for every sample asked, km
	Posterior table `json:"posterior"` // the probability of every goal for every sample asked

	Error string  `json:"error"` // why there is no answer
	ID    *uint64 `json:"id"`    // of the request, which the answer may repeat
}

// parseAnswer reads the answer to a request, which has one of the fields of a role.
func parseAnswer(line []byte, role Role, id int) (*answer, error) {
	a := new(answer)
	if err := decode(line, a); err != nil {
		return nil, wrong(line, err)
	}
	if a.ID != nil && *a.ID != uint64(id) {
		return nil, wrong(line, fmt.Errorf("it is the answer to request %d; want that to request %d", *a.ID, id))
	}
	if a.Error != "" {
		return nil, errors.New("it says: " + a.Error)
	}
	plans, beliefs := 0, 0
	for _, given := range []bool{a.Rewards != nil, a.Policy != nil, a.Stochastic != nil, a.Path != nil, a.Goal != nil} {
		if given {
			plans++
		}
	}
	for _, given := range []bool{a.Points != nil, a.Posterior != nil} {
		if given {
			beliefs++
		}
	}
	switch {
	case role == MechanismRole && (plans != 1 || beliefs != 0):
		return nil, wrong(line, errors.New(`want one of "rewards", "policy", "stochastic", "path" or "goal"`))
	case role == ObserverRole && (plans != 0 || beliefs != 1):
		return nil, wrong(line, errors.New(`want one of "points" or "posterior"`))
	}
	return a, nil
}

// wrong returns the error of a line, which it quotes.
func wrong(line []byte, err error) error { return fmt.Errorf("%w; the line was %s", err, quoted(line)) }

// quoted quotes the beginning of a line, in which control characters are escaped.
func quoted(line []byte) string {
	const shown = 120 // bytes
	line = bytes.TrimSpace(line)
	if len(line) > shown {
		return strconv.Quote(string(bytes.ToValidUTF8(line[:shown], nil)) + "...")
	}
	return strconv.Quote(string(line))
}
