package cost

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// randomTeam is two or three agents with random moves and random rewards of the joint state and their own action.
func randomTeam(t *testing.T, rng *rand.Rand) *planner.Problem {
	t.Helper()
	var agents []*mdp.Model
	for range 2 + rng.IntN(2) {
		states := 2 + rng.IntN(2)
		m, err := mdp.NewModel(states, 2, func(int, int) []mdp.Outcome {
			p := rng.Float64()
			return []mdp.Outcome{{State: rng.IntN(states), Probability: p}, {State: rng.IntN(states), Probability: 1 - p}}
		})
		if err != nil {
			t.Fatal(err)
		}
		agents = append(agents, m)
	}
	joint, err := mdp.NewJoint(agents, 0)
	if err != nil {
		t.Fatal(err)
	}
	tables := make([][]float64, len(agents))
	for i := range tables {
		for range joint.States() * 2 {
			tables[i] = append(tables[i], rng.NormFloat64())
		}
	}
	p, err := planner.NewProblem(joint, tables, 0.9, rng.IntN(joint.States()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Both mechanisms cost random teams what an independent evaluation finds: dense matrices of products of the agents'
// rows, plain value iteration on the private reward written out entry by entry, and the value of its policy.
func TestCostsOfRandomTeams(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for team := range 20 {
		p := randomTeam(t, rng)
		solved, err := p.Solve(1e-11, 0)
		if err != nil {
			t.Fatal(err)
		}
		if solved, err = exact(solved); err != nil {
			t.Fatal(err)
		}
		s := Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{}),
			planner.OnReward(privacy.OutputPerturbation{Norm: privacy.ExactL2})},
			Guarantee: privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Classical}, Epsilons: []float64{1, 5},
			Seed: uint64(team), Workers: 1}
		sigmas, err := s.Sigmas()
		if err != nil {
			t.Fatal(err)
		}
		dense := newDense(p)
		optimal := dense.value(dense.plan(p.Rewards.Joint), p.Rewards.Joint)[p.Start]
		for rows, err := range s.Rows(context.Background(), 3, 4) {
			if err != nil {
				t.Fatal(err)
			}
			for e, row := range rows {
				for i, m := range s.Mechanisms {
					var noise privacy.Noise
					noise.Seek(privacy.Address{Seed: s.Seed, Run: 3, Purpose: purpose})
					z := make([]float64, planner.LinearOf(m).Normals(p.Rewards.Shape))
					noise.Normals(z)
					private := dense.private(p, i == 1, sigmas[i][e], z)
					value := dense.value(dense.plan(private), p.Rewards.Joint)[p.Start]
					want := math.Abs(value-optimal) / math.Abs(optimal)
					if math.Abs(row.Values[i]-value) > 1e-9 || math.Abs(row.Costs[i]-want) > 1e-9*max(1, 1/math.Abs(optimal)) {
						t.Errorf("team %d, %s, epsilon %g: value %v costs %v, want %v and %v", team, m.Name(), row.Epsilon, row.Values[i],
							row.Costs[i], value, want)
					}
				}
			}
		}
	}
}

// dense is a problem as one matrix an action.
type dense struct {
	states, actions int
	discount        float64
	p               [][]float64 // by state*actions + action
}

func newDense(p *planner.Problem) *dense {
	joint := teamOf(p)
	d := &dense{joint.States(), joint.Actions(), p.Discount, nil}
	n := joint.Agents()
	from, to, act := make([]int, n), make([]int, n), make([]int, n)
	for s := range d.states {
		for a := range d.actions {
			joint.LocalStates(s, from)
			joint.LocalActions(a, act)
			row := make([]float64, d.states)
			for y := range row {
				joint.LocalStates(y, to)
				row[y] = 1
				for i := range n {
					chance := 0.0
					for _, o := range joint.Agent(i).AppendOutcomes(nil, from[i], act[i]) {
						if o.State == to[i] {
							chance += o.Probability
						}
					}
					row[y] *= chance
				}
			}
			d.p = append(d.p, row)
		}
	}
	return d
}

// teamOf returns the team of a problem, of one where it is an agent's.
func teamOf(p *planner.Problem) *mdp.Joint {
	if alone, is := p.Law.(*mdp.Model); is {
		joint, err := mdp.NewJoint([]*mdp.Model{alone}, 0)
		if err != nil {
			panic(err)
		}
		return joint
	}
	return p.Law.(*mdp.Joint)
}

// private writes the definition of either mechanism out: noise on every agent's own table before the mean, or on the
// mean.
func (d *dense) private(p *planner.Problem, output bool, sigma float64, z []float64) []float64 {
	joint := teamOf(p)
	n := joint.Agents()
	act := make([]int, n)
	var table []float64
	for s := range d.states {
		for a := range d.actions {
			joint.LocalActions(a, act)
			sum, first := 0.0, 0
			for i := range n {
				own := s*joint.Agent(i).Actions() + act[i]
				sum += p.Rewards.Tables[i][own]
				if !output {
					sum += sigma * z[first+own]
				}
				first += d.states * joint.Agent(i).Actions()
			}
			r := sum / float64(n)
			if output {
				r += sigma * z[s*d.actions+a]
			}
			table = append(table, r)
		}
	}
	return table
}

func (d *dense) plan(rewards []float64) []int {
	v, policy := make([]float64, d.states), make([]int, d.states)
	for range 600 {
		next := make([]float64, d.states)
		for s := range next {
			next[s] = math.Inf(-1)
			for a := range d.actions {
				q := rewards[s*d.actions+a]
				for y, chance := range d.p[s*d.actions+a] {
					q += d.discount * chance * v[y]
				}
				if q > next[s] {
					next[s], policy[s] = q, a
				}
			}
		}
		v = next
	}
	return policy
}

func (d *dense) value(policy []int, rewards []float64) []float64 {
	v := make([]float64, d.states)
	for range 600 {
		next := make([]float64, d.states)
		for s := range next {
			row := s*d.actions + policy[s]
			next[s] = rewards[row]
			for y, chance := range d.p[row] {
				next[s] += d.discount * chance * v[y]
			}
		}
		v = next
	}
	return v
}

// even takes every action as often.
type even struct{}

func (even) Name() string    { return "even" }
func (even) Meaning() string { return "takes every action as often" }

func (even) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	law := p.Problem().Law
	policy := make([]float64, law.States()*law.Actions())
	for i := range policy {
		policy[i] = 1 / float64(law.Actions())
	}
	return planner.Plan{Stochastic: policy}, nil
}

// What a stochastic policy loses is what value iteration finds, which takes the mean over the actions in place of the
// best: in every state, and at the start in the rows of a study.
func TestCostsOfStochasticPolicies(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	for range 5 {
		p := randomTeam(t, rng)
		solved, err := p.Solve(1e-11, 0)
		if err != nil {
			t.Fatal(err)
		}
		value := evenValue(p)
		guarantee := privacy.Guarantee{Delta: 0.1, Adjacency: 1, Calibration: privacy.Classical}
		plans, err := Plans(solved, even{}, guarantee, []float64{1}, privacy.Address{}, 1e-11)
		if err != nil {
			t.Fatal(err)
		}
		for state, regret := range plans[0].Regret {
			if want := solved.Optimal.Value[state] - value[state]; math.Abs(regret-want) > 1e-9 {
				t.Errorf("state %d loses %g, want %g", state, regret, want)
			}
		}
		s := Study{Problem: solved, Mechanisms: []planner.Mechanism{even{}}, Guarantee: guarantee, Epsilons: []float64{1, 5},
			Workers: 1}
		for rows, err := range s.Rows(context.Background(), 0, 2) {
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				if math.Abs(row.Values[0]-value[p.Start]) > 1e-9 {
					t.Errorf("run %d at epsilon %g is worth %g, want %g", row.Run, row.Epsilon, row.Values[0], value[p.Start])
				}
			}
		}
	}
}

// refusing cannot give the guarantee at epsilon 5.
type refusing struct{ even }

func (m refusing) Plan(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise) (planner.Plan, error) {
	plan, err := m.even.Plan(p, g, noise)
	if g.Epsilon == 5 {
		err = errors.New("no plan")
	}
	return plan, err
}

// A mechanism that cannot give its guarantee ends the study.
func TestMechanismsMayRefuse(t *testing.T) {
	solved, err := randomTeam(t, rand.New(rand.NewPCG(15, 0))).Solve(1e-11, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := Study{Problem: solved, Mechanisms: []planner.Mechanism{refusing{}}, Guarantee: privacy.Guarantee{Delta: 0.1,
		Adjacency: 1, Calibration: privacy.Classical}, Epsilons: []float64{1, 5}, Workers: 1}
	for _, err = range s.Rows(context.Background(), 7, 8) {
	}
	if err == nil || err.Error() != "cost: run 7: planner: mechanism even at epsilon 5: no plan" {
		t.Errorf("%v", err)
	}
}

// evenValue returns the value of taking every action as often, by sweeps.
func evenValue(p *planner.Problem) []float64 {
	actions := p.Law.Actions()
	value := make([]float64, p.Law.States())
	for range 500 { // 0.9^500 of the size of values is nothing
		next := make([]float64, len(value))
		for pair, r := range p.Rewards.Joint {
			worth := r
			for _, o := range p.Law.AppendOutcomes(nil, pair/actions, pair%actions) {
				worth += p.Discount * o.Probability * value[o.State]
			}
			next[pair/actions] += worth / float64(actions)
		}
		value = next
	}
	return value
}
