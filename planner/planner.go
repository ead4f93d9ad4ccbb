package planner

import (
	"fmt"
	"math"

	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Planner makes plans for one problem in its own buffers: it allocates nothing per plan and serves one
// goroutine.
type Planner struct {
	problem *Solved
	linear  privacy.Linear
	solver  mdp.Solver
	private []float64
	cores   int // of solvers, 0 for all
	rows    privacy.RowCalibration

	likeliest []int32 // actions of the last stochastic plan
}

// NewPlanner returns a planner for a problem whose rewards a linear mechanism makes private. linear may be nil
// if Privatize is never called.
func NewPlanner(problem *Solved, linear privacy.Linear) (*Planner, error) {
	s, err := mdp.NewSolver(problem.Law, problem.Discount)
	if err != nil {
		return nil, err
	}
	return &Planner{problem: problem, linear: linear, solver: s,
		private: make([]float64, len(problem.Rewards.Joint))}, nil
}

// Problem returns the problem of the planner, with its optimal plan.
func (p *Planner) Problem() *Solved { return p.problem }

// LimitCores sets the number of cores that solve a large problem; the default is all. Plans do not depend on
// it.
func (p *Planner) LimitCores(n int) {
	p.cores = n
	if s, ok := p.solver.(interface{ LimitCores(int) }); ok {
		s.LimitCores(n)
	}
}

// Normals returns how many standard normals a private reward of the linear mechanism takes; 0 without a
// mechanism.
func (p *Planner) Normals() int {
	if p.linear == nil {
		return 0
	}
	return p.linear.Normals(p.problem.Rewards.Shape)
}

// Privatize returns the private joint reward that the linear mechanism makes with noise of standard deviation
// sigma from the standard normals z, of length Normals. The planner reuses the table at the next call.
func (p *Planner) Privatize(sigma float64, z []float64) []float64 {
	if len(z) != p.Normals() {
		panic(fmt.Sprintf("planner: %d normals; the mechanism takes %d", len(z), p.Normals()))
	}
	p.linear.Perturb(p.private, p.problem.Rewards, sigma, z)
	return p.private
}

// Plan returns the optimal policy for a joint reward, to the problem's tolerance or, for very large rewards, to
// what rounding allows; Plan.Bound holds the certified error. The plan holds until the next call. The same
// rewards always give the same plan.
func (p *Planner) Plan(rewards []float64) Plan {
	return planOf(rewards, p.solver.Solve(rewards, p.problem.Optimal.Value, p.problem.Tolerance))
}

// resolver is a solver that can start from its last policy and returns the same answer as without it.
type resolver interface {
	Resolve(rewards, guess []float64, tolerance float64) mdp.Solution
}

// Replan returns the same plan as Plan, faster when the rewards are similar to those of the last plan, such as
// those of one run at the next epsilon.
func (p *Planner) Replan(rewards []float64) Plan {
	if r, ok := p.solver.(resolver); ok {
		return planOf(rewards, r.Resolve(rewards, p.problem.Optimal.Value, p.problem.Tolerance))
	}
	return p.Plan(rewards)
}

func planOf(rewards []float64, s mdp.Solution) Plan {
	return Plan{Policy: s.Policy, Value: s.Value, Bound: s.Bound, Reward: rewards}
}

// Cost is the cost of privacy: the values at the start of the optimal policy and of a policy made for a private
// reward, both under the true reward (arXiv 2309.12476, Section 6).
type Cost struct {
	Optimal, Private   float64
	Absolute, Relative float64 // |Private - Optimal|, and that over |Optimal|
	Bound              float64 // certified error of Absolute
}

// cost compares a private value with the optimal one, each known to within its bound. If the optimal value is
// 0, the relative cost is 0 for a policy that attains it and +Inf for any other.
func cost(optimal, optimalBound, private, privateBound float64) Cost {
	c := Cost{Optimal: optimal, Private: private, Absolute: math.Abs(private - optimal),
		Bound: optimalBound + privateBound}
	if c.Absolute != 0 {
		c.Relative = c.Absolute / math.Abs(optimal)
	}
	return c
}

// Cost returns the cost of following a policy, under the true reward.
func (p *Planner) Cost(policy []int32) Cost {
	value, bound := p.solver.ValueFrom(p.problem.Start, policy, p.problem.Rewards.Joint, p.problem.Accuracy)
	return cost(p.problem.Optimal.Value[p.problem.Start], p.problem.Optimal.Bound, value, bound)
}

// CostOfPrivacy returns the relative Cost of a policy: |v_policy - v_optimal| / |v_optimal| (paper, Section 8).
func (p *Planner) CostOfPrivacy(policy []int32) float64 { return p.Cost(policy).Relative }

// ActionValues returns Q(s, a), states x actions: the value of taking an action in a state and following the
// optimal plan afterwards, on the true joint reward.
func (s *Solved) ActionValues() []float64 {
	actions := s.Law.Actions()
	values := append([]float64(nil), s.Rewards.Joint...)
	var outcomes []mdp.Outcome
	for i := range values {
		outcomes = s.Law.AppendOutcomes(outcomes[:0], i/actions, i%actions)
		for _, o := range outcomes {
			values[i] += s.Discount * o.Probability * s.Optimal.Value[o.State]
		}
	}
	return values
}
