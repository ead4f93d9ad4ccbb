package planner

import (
	"fmt"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Planner makes plans for one problem in buffers of its own: it allocates nothing per plan and serves one
// goroutine.
type Planner struct {
	problem *Solved
	linear  privacy.Linear
	solver  mdp.Solver
	private []float64

	likeliest []int32 // actions of the last stochastic plan
}

// NewPlanner returns a planner for a problem whose rewards a linear mechanism makes private. It is nil for a planner
// that is not asked to Privatize.
func NewPlanner(problem *Solved, linear privacy.Linear) (*Planner, error) {
	s, err := mdp.NewSolver(problem.Law, problem.Discount)
	if err != nil {
		return nil, err
	}
	return &Planner{problem: problem, linear: linear, solver: s,
		private: make([]float64, len(problem.Rewards.Joint))}, nil
}

// Problem returns the problem that is planned for, with its optimal plan.
func (p *Planner) Problem() *Solved { return p.problem }

// LimitCores sets how many cores a large problem is solved on; a new planner takes all. No plan depends on it.
func (p *Planner) LimitCores(n int) {
	if s, ok := p.solver.(interface{ LimitCores(int) }); ok {
		s.LimitCores(n)
	}
}

// Normals returns how many standard normals a private reward of the linear mechanism takes, 0 without one.
func (p *Planner) Normals() int {
	if p.linear == nil {
		return 0
	}
	return p.linear.Normals(p.problem.Rewards.Shape)
}

// Privatize returns the private joint reward that the linear mechanism makes with noise of standard deviation sigma
// from the standard normals z, Normals of them. The table is the planner's and holds until the next call.
func (p *Planner) Privatize(sigma float64, z []float64) []float64 {
	if len(z) != p.Normals() {
		panic(fmt.Sprintf("planner: %d noise entries, the mechanism takes %d", len(z), p.Normals()))
	}
	p.linear.Perturb(p.private, p.problem.Rewards, sigma, z)
	return p.private
}

// Plan returns the policy optimal for a joint reward, to the problem's tolerance or to what rounding allows
// where the rewards are so large that it allows less; Plan.Bound tells. The plan is the planner's and holds
// until the next call. The same rewards always give the same plan.
func (p *Planner) Plan(rewards []float64) Plan { return p.PlanFrom(rewards, p.problem.Optimal.Value) }

// PlanFrom is Plan that starts from a guess of the values, which affects speed alone.
func (p *Planner) PlanFrom(rewards, guess []float64) Plan {
	return planOf(rewards, p.solver.Solve(rewards, guess, p.problem.Tolerance))
}

// resolver is a solver that can start from its last policy without letting that decide the answer.
type resolver interface {
	Resolve(rewards, guess []float64, tolerance float64) mdp.Solution
}

// Replan returns what Plan does, faster when the rewards are akin to those of the last plan, as those of
// one run at the next epsilon are.
func (p *Planner) Replan(rewards []float64) Plan {
	if r, ok := p.solver.(resolver); ok {
		return planOf(rewards, r.Resolve(rewards, p.problem.Optimal.Value, p.problem.Tolerance))
	}
	return p.Plan(rewards)
}

func planOf(rewards []float64, s mdp.Solution) Plan {
	return Plan{Policy: s.Policy, Value: s.Value, Bound: s.Bound, Reward: rewards}
}
