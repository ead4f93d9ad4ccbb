package external

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
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
	err = m.answer(&planner.Solved{Problem: &other}, g, noise, func(a *answer) error {
		if a.Rewards == nil {
			return ErrNoRewards
		}
		released = a.Rewards.values
		return a.Rewards.check("rewards", p.Law.States(), p.Law.Actions())
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
	request := planRequest(run, seed, g.Epsilon)
	if known, err := m.known(request); known != nil || err != nil {
		if err == nil {
			err = use(known)
		}
		if err != nil {
			return failed(err)
		}
		return nil
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
	m.kept.keep(request, a)
	return nil
}

// seedFrom draws 64 bits.
func seedFrom(noise *privacy.Noise) uint64 {
	high, low := uint64(noise.Uniform()*(1<<32)), uint64(noise.Uniform()*(1<<32))
	return high<<32 | low
}

// ask asks a process for a plan. The line that is the answer holds until the process is asked again.
func (m Mechanism) ask(p *process, mission told, g privacy.Guarantee, run, seed uint64) (a *answer, line []byte,
	err error) {
	if p.told != mission {
		p.request = appendMission(p.request[:0], mission.problem, g, m.Hello.Base64)
		if err := p.tell(p.request, m.limit); err != nil {
			return nil, nil, err
		}
		p.told = mission
	}
	p.request = strconv.AppendUint(append(p.request[:0], `{"run":`...), run, 10)
	p.request = strconv.AppendUint(append(p.request, `,"seed":"`...), seed, 10)
	p.request = append(p.request, '"')
	id := p.asked + 1
	p.request = strconv.AppendInt(append(p.request, `,"id":`...), int64(id), 10)
	p.request = append(appendField(p.request, "epsilon", g.Epsilon), "}\n"...)
	if line, err = p.ask(p.request, m.limit); err != nil {
		return nil, nil, err
	}
	m.requests.Add(1)
	a, err = parseAnswer(line, MechanismRole, id)
	repeats := m.repeats(p, run)
	if p.asked++; err != nil || !repeats {
		return a, line, err
	}
	first := bytes.Clone(line)
	if line, err = p.ask(p.request, m.limit); err != nil {
		return nil, nil, err
	}
	if !bytes.Equal(first, line) {
		return nil, nil, wrong(line, fmt.Errorf("it answered the same request twice, and differently: seed every "+
			"generator from the seed of the request, or say \"deterministic\": false in the hello; the first line was %s",
			quoted(first)))
	}
	m.twice.Add(1)
	return a, line, nil
}

// planOf returns the plan that an answer is. What is not checked here, [planner.Planner.PlanBy] checks.
func planOf(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise, a *answer) (planner.Plan, error) {
	problem := p.Problem()
	states, actions := problem.Law.States(), problem.Law.Actions()
	switch {
	case a.Rewards != nil:
		if err := a.Rewards.check("rewards", states, actions); err != nil {
			return planner.Plan{}, err
		}
		return planner.OnReward(given(a.Rewards.values)).Plan(p, g, noise)
	case a.Stochastic != nil:
		if err := a.Stochastic.check("stochastic", states, actions); err != nil {
			return planner.Plan{}, err
		}
		return planner.Plan{Stochastic: a.Stochastic.values}, nil
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
