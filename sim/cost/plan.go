package cost

import (
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// Plan is a plan for one private reward, with its loss.
type Plan struct {
	Epsilon, Sigma float64      // sigma is 0 for a mechanism that is not linear
	Policy         []int32      // as planner.Plan says if the plan is stochastic or a path
	Stochastic     []float64    // probabilities of joint states x joint actions; nil for other plans
	Path           []int32      // states; nil for other plans
	Reward         []float64    // private reward: joint states x joint actions; nil for a mechanism that makes none
	Regret         []float64    // by state: loss of the policy (at the start: of the path) on the true reward
	RegretBound    float64      // certified error of every regret
	Cost           planner.Cost // at the start
}

// Plans returns a plan for every epsilon, all with the noise of one address. tolerance, above 0, is the largest
// error of the policies' values.
func Plans(solved *planner.Solved, m planner.Mechanism, guarantee privacy.Guarantee, epsilons []float64,
	from privacy.Address, tolerance float64) ([]Plan, error) {
	p, err := planner.NewPlanner(solved, nil)
	if err != nil {
		return nil, err
	}
	evaluator, err := mdp.NewEvaluator(solved.Law, solved.Discount)
	if err != nil {
		return nil, err
	}
	var noise privacy.Noise
	var plans []Plan
	for _, epsilon := range epsilons {
		sigma, err := sigmaOf(m, guarantee.At(epsilon), solved)
		if err != nil {
			return nil, err
		}
		noise.Seek(from)
		private, err := p.PlanBy(m, guarantee.At(epsilon), &noise)
		if err != nil {
			return nil, err
		}
		plan := Plan{Epsilon: epsilon, Sigma: sigma}
		plan.Policy = append(plan.Policy, private.Policy...)
		plan.Reward = append(plan.Reward, private.Reward...)
		plan.Stochastic = append(plan.Stochastic, private.Stochastic...)
		plan.Path = append(plan.Path, private.Path...)
		value := evaluator.Evaluate(plan.Policy, solved.Rewards.Joint, tolerance)
		if private.Stochastic != nil {
			value, err = mdp.EvaluateStochastic(solved.Law, plan.Stochastic, solved.Rewards.Joint,
				solved.Discount, tolerance)
			if err != nil {
				return nil, err
			}
		}
		plan.RegretBound = value.Bound + solved.Optimal.Bound
		for s, v := range solved.Optimal.Value {
			plan.Regret = append(plan.Regret, max(v-value.Value[s], 0))
		}
		plan.Cost = p.CostOf(&private)
		if private.Path != nil {
			plan.Regret[solved.Start] = plan.Cost.Absolute
		}
		plans = append(plans, plan)
	}
	return plans, nil
}
