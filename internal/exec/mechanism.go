package exec

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Mechanism is a planner.Mechanism that is a command. It is safe for concurrent use, and equal to another of the same
// command.
type Mechanism struct{ *Command }

// Name implements planner.Mechanism: what the command calls itself.
func (m Mechanism) Name() string { return m.Hello.Name }

// Meaning implements planner.Mechanism.
func (m Mechanism) Meaning() string { return m.Hello.Meaning + "; guarantee: " + m.Hello.Promise() }

// Promise implements privacy.Promising, in the command's own words, which nothing proves.
func (m Mechanism) Promise() privacy.Promise {
	if m.Hello.Guarantee == "" {
		return privacy.None
	}
	return privacy.Promise{Protects: "what the command says", Neighbours: "those that the command says",
		Guarantee: m.Hello.Guarantee, Source: "exec:" + m.Line}
}

// missionMessage describes a problem to a mechanism. Either Next or Outcomes is set.
type missionMessage struct {
	States    int              `json:"states"`
	Actions   int              `json:"actions"`
	Start     int              `json:"start"`
	Discount  float64          `json:"discount"`
	Delta     float64          `json:"delta"`
	Adjacency float64          `json:"adjacency"`
	Grid      *gridMessage     `json:"grid,omitempty"`
	Next      [][]int          `json:"next,omitempty"`     // the state that follows, by state and action
	Outcomes  [][][][2]float64 `json:"outcomes,omitempty"` // the states that may follow, by state and action
	Rewards   table            `json:"rewards"`
}

// gridMessage describes the grid of a mission. Cells are [column, row].
type gridMessage struct {
	Columns   int      `json:"columns"`
	Rows      int      `json:"rows"`
	SpacingKm float64  `json:"spacing_km"`
	Start     [2]int   `json:"start"`
	Goals     [][2]int `json:"goals"`
	KeptOut   [][2]int `json:"kept_out"`
}

// newMission returns the message about a problem.
func newMission(p *planner.Problem, g privacy.Guarantee) missionMessage {
	m := missionMessage{States: p.Law.States(), Actions: p.Law.Actions(), Start: p.Start, Discount: p.Discount,
		Delta: g.Delta, Adjacency: g.Adjacency, Rewards: newTable(p.Rewards.Joint, p.Law.Actions())}
	if g := p.Grid; g != nil {
		cell := func(state int) [2]int { return [2]int{g.Cell(state).Column, g.Cell(state).Row} }
		m.Grid = &gridMessage{Columns: g.Columns, Rows: g.Rows, SpacingKm: g.SpacingKm, Start: cell(g.Start),
			KeptOut: [][2]int{}}
		for _, goal := range g.Goals() {
			m.Grid.Goals = append(m.Grid.Goals, cell(goal))
		}
		for state := range g.States() {
			if g.KeptOut(state) {
				m.Grid.KeptOut = append(m.Grid.KeptOut, cell(state))
			}
		}
	}
	var outcomes []mdp.Outcome
	for state := range m.States {
		m.Next = append(m.Next, make([]int, m.Actions))
		m.Outcomes = append(m.Outcomes, make([][][2]float64, m.Actions))
		for action := range m.Actions {
			outcomes = p.Law.AppendOutcomes(outcomes[:0], state, action)
			m.Next[state][action] = outcomes[0].State
			for _, o := range outcomes {
				pair := [2]float64{float64(o.State), o.Probability}
				m.Outcomes[state][action] = append(m.Outcomes[state][action], pair)
			}
		}
	}
	if mdp.Deterministic(p.Law) {
		m.Outcomes = nil
	} else {
		m.Next = nil
	}
	return m
}

// planRequest asks for a plan.
type planRequest struct {
	Run     uint64  `json:"run"`
	Seed    uint64  `json:"seed,string"`
	ID      int     `json:"id"`
	Epsilon float64 `json:"epsilon"`
}

// forms are the forms of a mechanism's answer: private rewards and a stochastic policy, which have a row of every state
// with a number for every action; the action of every state; the states that are visited, the start first; and the
// column and the row of a cell that is planned for in place of the goal.
var forms = []string{"rewards", "policy", "stochastic", "path", "goal"}

// Plan implements planner.Mechanism.
func (m Mechanism) Plan(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise) (plan planner.Plan, err error) {
	err = m.answer(p.Problem(), g, noise, func(a answer) (err error) {
		if plan, err = planOf(p, g, noise, a); err != nil {
			return err
		}
		return p.Check(plan)
	})
	return plan, err
}

// ErrNoRewards is the error of a command that is asked for private rewards and answers with something else.
var ErrNoRewards = errors.New("want rewards: a release is a table of private rewards")

// Release returns the private rewards that are answered for a problem with other rewards.
func (m Mechanism) Release(p *planner.Problem, rewards []float64, g privacy.Guarantee,
	noise *privacy.Noise) (released []float64, err error) {
	other := *p
	if other.Rewards, err = privacy.NewRewards(p.Rewards.Shape, [][]float64{rewards}, p.Rewards.Ended); err != nil {
		return nil, err
	}
	err = m.answer(&planner.Solved{Problem: &other}, g, noise, func(a answer) (err error) {
		if a.field != "rewards" {
			return ErrNoRewards
		}
		released, err = a.numbers(p.Law.States(), p.Law.Actions())
		return err
	})
	return released, err
}

// answer asks for a plan of a problem, and has the answer used.
func (m Mechanism) answer(problem *planner.Solved, g privacy.Guarantee, noise *privacy.Noise,
	use func(answer) error) error {
	run := noise.Address().Run
	seed := uint64(noise.Uniform()*(1<<32))<<32 | uint64(noise.Uniform()*(1<<32))
	mission := struct { // all that the message depends on
		problem          *planner.Solved
		delta, adjacency float64
	}{problem, g.Delta, g.Adjacency}
	describe := func() any { return newMission(problem.Problem, g) }
	err := m.converse(mission, describe, func(p *process) error {
		request, most := planRequest{run, seed, p.answered, g.Epsilon}, len(problem.Rewards.Joint)
		line, err := m.request(p, request, most, forms, use)
		if err != nil || !m.verifies() {
			return err
		}
		again, err := p.ask(request, m.limit, digits*most)
		if err == nil && !bytes.Equal(line, again) {
			err = fmt.Errorf("it answered the same request twice, and differently: seed every generator from the seed of "+
				"the request, or say \"deterministic\": false in the hello; the lines were %s and %s", quoted(line),
				quoted(again))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("exec:%s: run %d with seed %d at epsilon %g: %w", m.Line, run, seed, g.Epsilon, err)
	}
	return nil
}

// planOf returns the plan of an answer. [planner.Planner.Check] checks all but the end of a path.
func planOf(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise, a answer) (plan planner.Plan, err error) {
	problem := p.Problem()
	states, actions, grid := problem.Law.States(), problem.Law.Actions(), problem.Grid
	var rewards []float64
	switch a.field {
	case "policy":
		err = a.decode(&plan.Policy)
	case "stochastic":
		plan.Stochastic, err = a.numbers(states, actions)
	case "path":
		err = a.decode(&plan.Path)
		if n := len(plan.Path); err == nil && n > 0 && grid != nil && !slices.Contains(grid.Goals(), int(plan.Path[n-1])) {
			err = fmt.Errorf("the path ends in state %d; want a goal of the mission, state %s", plan.Path[n-1],
				strings.Trim(fmt.Sprint(grid.Goals()), "[]"))
		}
	case "goal":
		var cell []int
		switch err = a.decode(&cell); {
		case err != nil:
		case grid == nil:
			err = errors.New("the problem has no grid, so no cell is a goal; want rewards or a policy")
		case len(cell) != 2:
			err = fmt.Errorf("the goal is %v; want [column, row]", cell)
		default:
			rewards, err = grid.RewardsToward(planner.Cell{Column: cell[0], Row: cell[1]})
		}
	case "rewards":
		rewards, err = a.numbers(states, actions)
	}
	if err != nil || rewards == nil {
		return plan, err
	}
	return planner.OnReward(given(rewards)).Plan(p, g, noise)
}

// given is a mechanism on rewards that has made its private rewards before.
type given []float64

// Name implements privacy.Mechanism.
func (given) Name() string { return "given" }

// Meaning implements privacy.Mechanism.
func (given) Meaning() string { return "rewards that were given" }

// Privatize implements privacy.Mechanism. The answer for an action that a state lacks is ignored.
func (values given) Privatize(dst []float64, r *privacy.Rewards, _ privacy.Guarantee, _ *privacy.Noise) error {
	copy(dst, values)
	for i, x := range r.Joint {
		if math.IsInf(x, -1) {
			dst[i] = x
		}
	}
	return nil
}
