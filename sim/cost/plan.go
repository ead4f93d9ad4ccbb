package cost

import (
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Plan is a plan for one private reward, and what it loses.
type Plan struct {
	Epsilon, Sigma float64
	Policy         []int32
	Reward         []float64    // private: joint states x joint actions
	Regret         []float64    // of every state: what the policy loses, on the true reward
	RegretBound    float64      // certified error of every regret
	Cost           planner.Cost // at the start
}

// Plans returns a plan for every epsilon, all on the noise of one address. The tolerance, above 0, is the largest error
// of the policies' values.
func Plans(solved *planner.Solved, m privacy.Mechanism, guarantee privacy.Guarantee, epsilons []float64,
	from privacy.Address, tolerance float64) ([]Plan, error) {
	p, err := planner.NewPlanner(solved, m)
	if err != nil {
		return nil, err
	}
	evaluator, err := mdp.NewEvaluator(solved.Law, solved.Discount)
	if err != nil {
		return nil, err
	}
	var noise privacy.Noise
	noise.Seek(from)
	z := make([]float64, p.Normals())
	noise.Normals(z)
	var plans []Plan
	for _, epsilon := range epsilons {
		sigma, err := guarantee.At(epsilon).SigmaOf(m, solved.Rewards.Shape)
		if err != nil {
			return nil, err
		}
		plan := Plan{Epsilon: epsilon, Sigma: sigma}
		private := p.Privatize(sigma, z)
		plan.Policy = append(plan.Policy, p.Plan(private).Policy...)
		plan.Reward = append(plan.Reward, private...)
		value := evaluator.Evaluate(plan.Policy, solved.Rewards.Joint, tolerance)
		plan.RegretBound = value.Bound + solved.Optimal.Bound
		for s, v := range solved.Optimal.Value {
			plan.Regret = append(plan.Regret, max(v-value.Value[s], 0))
		}
		plan.Cost = p.Cost(plan.Policy)
		plans = append(plans, plan)
	}
	return plans, nil
}
