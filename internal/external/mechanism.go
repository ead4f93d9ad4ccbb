package external

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/planner"
	"veilpath/planner/privacy"
)

// Mechanism is a planner.Mechanism that is a command. It is safe for concurrent use, and equal to another of the same
// command.
type Mechanism struct{ *Command }

// Name implements planner.Mechanism: what the command calls itself.
func (m Mechanism) Name() string { return m.Hello.Name }

// Meaning implements planner.Mechanism.
func (m Mechanism) Meaning() string {
	return cmp.Or(m.Hello.Meaning, "a command of the user's") + "; guarantee: " + m.Hello.Promise()
}

// Promise implements privacy.Promising, in the command's own words, which nothing proves.
func (m Mechanism) Promise() privacy.Promise {
	if m.Hello.Guarantee == "" {
		return privacy.None
	}
	return privacy.Promise{Protects: "what the command says", Neighbours: "those that the command says",
		Guarantee: m.Hello.Guarantee, Source: "exec:" + m.Line}
}

// Plan implements planner.Mechanism.
func (m Mechanism) Plan(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise) (plan planner.Plan, err error) {
	err = m.answer(p.Problem(), g, noise, func(a *answer) (err error) {
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
	err = m.answer(&planner.Solved{Problem: &other}, g, noise, func(a *answer) (err error) {
		if a.Rewards == nil {
			return ErrNoRewards
		}
		released, err = a.Rewards.flat("rewards", p.Law.States(), p.Law.Actions())
		return err
	})
	return released, err
}

// answer asks a process, which is told the problem first where it does not know that, and has its answer used.
func (m Mechanism) answer(problem *planner.Solved, g privacy.Guarantee, noise *privacy.Noise,
	use func(*answer) error) error {
	run, seed := noise.Address().Run, seedFrom(noise)
	failed := func(err error) error {
		return fmt.Errorf("exec:%s: run %d with seed %d at epsilon %g: %w", m.Line, run, seed, g.Epsilon, err)
	}
	mission := told{problem, g.Delta, g.Adjacency}
	process, err := m.take(mission)
	if err != nil {
		return failed(err)
	}
	a, line, err := m.ask(process, mission, g, run, seed)
	if err == nil {
		if err = use(a); err != nil {
			err = wrong(line, err)
		}
	}
	if err != nil {
		m.drop(process)
		return failed(err)
	}
	m.give(process)
	return nil
}

// seedFrom draws 64 bits.
func seedFrom(noise *privacy.Noise) uint64 {
	high, low := uint64(noise.Uniform()*(1<<32)), uint64(noise.Uniform()*(1<<32))
	return high<<32 | low
}

// planRequest asks for a plan.
type planRequest struct {
	Run     uint64  `json:"run"`
	Seed    uint64  `json:"seed,string"`
	ID      int     `json:"id"`
	Epsilon float64 `json:"epsilon"`
}

// ask asks a process for a plan.
func (m Mechanism) ask(p *process, mission told, g privacy.Guarantee, run, seed uint64) (a *answer, line []byte,
	err error) {
	if p.told != mission {
		err := p.tell(map[string]missionMessage{"mission": newMission(mission.problem, g)}, m.limit)
		if err != nil {
			return nil, nil, err
		}
		p.told = mission
	}
	request := planRequest{run, seed, p.asked, g.Epsilon}
	most := digits * len(mission.problem.Rewards.Joint)
	if line, err = p.ask(request, m.limit, most); err != nil {
		return nil, nil, err
	}
	if a, err = parseAnswer(line, MechanismRole, request.ID); err != nil || !m.verifies() {
		return a, line, err
	}
	again, err := p.ask(request, m.limit, most)
	if err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(line, again) {
		return nil, nil, wrong(again, fmt.Errorf("it answered the same request twice, and differently: seed every "+
			"generator from the seed of the request, or say \"deterministic\": false in the hello; the first line was %s",
			quoted(line)))
	}
	return a, line, nil
}

// planOf returns the plan that an answer is. What is not checked here, [planner.Planner.PlanBy] checks.
func planOf(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise, a *answer) (planner.Plan, error) {
	problem := p.Problem()
	states, actions := problem.Law.States(), problem.Law.Actions()
	switch {
	case a.Rewards != nil:
		values, err := a.Rewards.flat("rewards", states, actions)
		if err != nil {
			return planner.Plan{}, err
		}
		return planner.OnReward(given(values)).Plan(p, g, noise)
	case a.Stochastic != nil:
		values, err := a.Stochastic.flat("stochastic", states, actions)
		return planner.Plan{Stochastic: values}, err
	case a.Path != nil:
		return planner.Plan{Path: a.Path}, checkPath(a.Path, problem.Problem)
	case a.Goal != nil:
		return planFor(p, g, noise, a.Goal)
	}
	return planner.Plan{Policy: a.Policy}, nil
}

// checkPath refuses a path that does not begin at the start, that ends before a goal of the grid, or that has what are
// no states.
func checkPath(path []int32, problem *planner.Problem) error {
	states := problem.Law.States()
	if len(path) == 0 || int(path[0]) != problem.Start {
		return fmt.Errorf("the path begins with %v; want the start, state %d", path[:min(1, len(path))], problem.Start)
	}
	for i, state := range path {
		if state < 0 || int(state) >= states {
			return fmt.Errorf("place %d of the path is state %d; want 0 to %d", i, state, states-1)
		}
	}
	if last := int(path[len(path)-1]); problem.Grid != nil && !slices.Contains(problem.Grid.Goals(), last) {
		return fmt.Errorf("the path ends in state %d; want a goal of the mission, state %s", last,
			strings.Trim(fmt.Sprint(problem.Grid.Goals()), "[]"))
	}
	return nil
}

// planFor returns the plan of a mission with another goal, by the moves of its own.
func planFor(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise, cell []int) (planner.Plan, error) {
	grid := p.Problem().Grid
	if grid == nil {
		return planner.Plan{}, errors.New("the problem has no grid, so no cell is a goal; want rewards or a policy")
	}
	if len(cell) != 2 {
		return planner.Plan{}, fmt.Errorf("the goal is %v; want [column, row]", cell)
	}
	at := planner.Cell{Column: cell[0], Row: cell[1]}
	rewards, err := grid.RewardsToward(at)
	if err != nil {
		return planner.Plan{}, err
	}
	return planner.OnReward(given(rewards)).Plan(p, g, noise)
}

// given is a mechanism on rewards that has made its private rewards before.
type given []float64

// Name implements privacy.Mechanism.
func (given) Name() string { return "given" }

// Meaning implements privacy.Mechanism.
func (given) Meaning() string { return "rewards that were given" }

// Privatize implements privacy.Mechanism. planner.OnReward refuses what are no finite numbers.
func (values given) Privatize(dst []float64, r *privacy.Rewards, _ privacy.Guarantee, _ *privacy.Noise) error {
	for i, x := range values {
		if math.IsInf(r.Joint[i], -1) {
			x = r.Joint[i] // whatever is answered for an action that the state lacks
		} else if math.IsInf(x, -1) {
			actions := len(values) / r.Shape.States()
			return fmt.Errorf("the private reward of state %d, action %d is null or -Inf, and the state has that action; "+
				"want a number", i/actions, i%actions)
		}
		dst[i] = x
	}
	return nil
}
