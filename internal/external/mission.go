package external

import (
	"strconv"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// told is what determines the mission that a mechanism knows.
type told struct {
	problem          *planner.Solved
	delta, adjacency float64
}

// appendMission appends the line that tells a mechanism the problem that it plans for.
func appendMission(to []byte, p *planner.Solved, g privacy.Guarantee, as64 bool) []byte {
	states, actions := p.Law.States(), p.Law.Actions()
	to = append(to, `{"mission":{"states":`...)
	to = strconv.AppendInt(to, int64(states), 10)
	to = appendField(to, "actions", float64(actions))
	to = appendField(to, "start", float64(p.Start))
	to = appendField(to, "discount", p.Discount)
	to = appendField(to, "delta", g.Delta)
	to = appendField(to, "adjacency", g.Adjacency)
	if p.Grid != nil {
		to = appendGrid(to, p.Grid)
	}
	if mdp.Deterministic(p.Law) {
		to = appendNext(to, p.Law)
	} else {
		to = appendOutcomes(to, p.Law)
	}
	to = append(to, `,"rewards":`...)
	to = appendNumbers(to, p.Rewards.Joint, actions, as64)
	return append(to, "}}\n"...)
}

// appendField appends a number with its name.
func appendField(to []byte, name string, x float64) []byte {
	to = append(strconv.AppendQuote(append(to, ','), name), ':')
	return appendNumber(to, x)
}

// appendGrid appends the cells of which the states are.
func appendGrid(to []byte, g *planner.Grid) []byte {
	to = append(to, `,"grid":{"columns":`...)
	to = strconv.AppendInt(to, int64(g.Columns), 10)
	to = appendField(to, "rows", float64(g.Rows))
	to = appendField(to, "spacing_km", g.SpacingKm)
	to = appendCell(append(to, `,"start":`...), g.Cell(g.Start))
	to = append(to, `,"goals":[`...)
	for i, goal := range g.Goals() {
		if i > 0 {
			to = append(to, ',')
		}
		to = appendCell(to, g.Cell(goal))
	}
	to = append(to, `],"kept_out":[`...)
	first := true
	for state := range g.States() {
		if !g.KeptOut(state) {
			continue
		}
		if !first {
			to = append(to, ',')
		}
		to, first = appendCell(to, g.Cell(state)), false
	}
	return append(to, "]}"...)
}

// appendCell appends [column,row].
func appendCell(to []byte, c planner.Cell) []byte {
	to = strconv.AppendInt(append(to, '['), int64(c.Column), 10)
	to = strconv.AppendInt(append(to, ','), int64(c.Row), 10)
	return append(to, ']')
}

// appendNext appends the next state of every state and action.
func appendNext(to []byte, law mdp.Law) []byte {
	var room [1]mdp.Outcome
	return appendMoves(append(to, `,"next":`...), law, func(to []byte, state, action int) []byte {
		return strconv.AppendInt(to, int64(law.AppendOutcomes(room[:0], state, action)[0].State), 10)
	})
}

// appendOutcomes appends the states that every state and action may lead to, each with its probability.
func appendOutcomes(to []byte, law mdp.Law) []byte {
	var outcomes []mdp.Outcome
	return appendMoves(append(to, `,"outcomes":`...), law, func(to []byte, state, action int) []byte {
		to = append(to, '[')
		outcomes = law.AppendOutcomes(outcomes[:0], state, action)
		for i, o := range outcomes {
			if i > 0 {
				to = append(to, ',')
			}
			to = strconv.AppendInt(append(to, '['), int64(o.State), 10)
			to = append(appendNumber(append(to, ','), o.Probability), ']')
		}
		return append(to, ']')
	})
}

// appendMoves appends a list of rows, one a state, of what is appended for every action.
func appendMoves(to []byte, law mdp.Law, move func(to []byte, state, action int) []byte) []byte {
	to = append(to, '[')
	for state := range law.States() {
		if state > 0 {
			to = append(to, ',')
		}
		to = append(to, '[')
		for action := range law.Actions() {
			if action > 0 {
				to = append(to, ',')
			}
			to = move(to, state, action)
		}
		to = append(to, ']')
	}
	return append(to, ']')
}
