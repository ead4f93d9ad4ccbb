package planner

import (
	"fmt"
	"math"

	"veilpath/planner/mdp"
)

// Planner makes plans for one mission in buffers of its own: it allocates nothing per plan and serves
// one goroutine.
type Planner struct {
	mission *Mission
	solver  mdp.Solver
	private []float64
}

// NewPlanner returns a planner for the mission.
func NewPlanner(m *Mission) (*Planner, error) {
	s, err := mdp.NewSolver(m.Law, m.Discount)
	if err != nil {
		return nil, err
	}
	return &Planner{mission: m, solver: s, private: make([]float64, len(m.Rewards))}, nil
}

// LimitCores sets how many cores a large problem is solved on; a new planner takes all. No plan depends on it.
func (p *Planner) LimitCores(n int) {
	if s, ok := p.solver.(interface{ LimitCores(int) }); ok {
		s.LimitCores(n)
	}
}

// Privatize returns the private reward R + sigma z, the Gaussian mechanism on the vectorised reward
// (paper, Algorithm 1 with one agent). The noise z must hold as many standard normals as the reward has
// entries. The table is the planner's and holds until the next call.
func (p *Planner) Privatize(sigma float64, z []float64) []float64 {
	if len(z) != len(p.private) {
		panic(fmt.Sprintf("planner: %d noise entries for %d rewards", len(z), len(p.private)))
	}
	for i, r := range p.mission.Rewards {
		p.private[i] = r + sigma*z[i]
	}
	return p.private
}

// Plan returns the policy optimal for the rewards, to the mission's tolerance or to what rounding allows
// where the rewards are so large that it allows less; Plan.Bound tells. The plan is the
// planner's and holds until the next call. The same rewards always give the same plan.
func (p *Planner) Plan(rewards []float64) Plan {
	return planOf(p.solver.Solve(rewards, p.mission.Optimal.Value, p.mission.Tolerance))
}

// resolver is a solver that can start from its last policy without letting that decide the answer.
type resolver interface {
	Resolve(rewards, guess []float64, tolerance float64) mdp.Solution
}

// Replan returns what Plan does, faster when the rewards are akin to those of the last plan, as those of
// one run at the next epsilon are.
func (p *Planner) Replan(rewards []float64) Plan {
	if r, ok := p.solver.(resolver); ok {
		return planOf(r.Resolve(rewards, p.mission.Optimal.Value, p.mission.Tolerance))
	}
	return p.Plan(rewards)
}

func planOf(s mdp.Solution) Plan { return Plan{Policy: s.Policy, Value: s.Value, Bound: s.Bound} }

// CostOfPrivacy returns how much of the value at the start a policy loses, judged on the true reward:
// |v_policy - v_optimal| / |v_optimal| (paper, Section 8). Where the optimal value is zero it is 0 for a
// policy that attains it and +Inf for one that does not.
func (p *Planner) CostOfPrivacy(policy []int32) float64 {
	start := p.mission.Grid.Start
	optimal := p.mission.Optimal.Value[start]
	loss := math.Abs(p.solver.ValueFrom(start, policy, p.mission.Rewards) - optimal)
	if loss == 0 {
		return 0
	}
	return loss / math.Abs(optimal)
}
