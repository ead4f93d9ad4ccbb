package planner

import (
	"fmt"
	"math"

	"veilpath/planner/privacy"
)

// Mechanism makes private plans: it is what studies take. It is safe for concurrent use. One that draws a goal plans
// with the moves of the problem: where one of those leads to the true goal, as with PaperMoves, the plan depends on
// that too.
type Mechanism interface {
	// Name is what tables call the mechanism.
	Name() string
	// Meaning says in a sentence what it makes private, and how.
	Meaning() string
	// Plan returns a private plan with a guarantee for the planner's problem. All that is random comes from noise, which
	// stands at the beginning of the run's own stream: the same arguments always give the same plan, whatever was planned
	// before. A policy has an action that the state has for every state, a stochastic one probabilities of such actions; a
	// path takes certain moves. Value and Reward may be nil where there are none. The plan holds until the planner's next.
	// It is an error if the mechanism cannot give the guarantee.
	Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error)
}

// OnReward returns the mechanism that plans for the private reward of a mechanism on rewards. Where all agents have
// ended, the private reward is 0, as the true one is in public.
func OnReward(m privacy.Mechanism) Mechanism { return onReward{m} }

// Standard returns the mechanism of studies that name no other: every agent perturbs its own reward.
func Standard() Mechanism { return OnReward(privacy.InputPerturbation{}) }

// LinearOf returns the linear mechanism on rewards that a mechanism is, nil for one that is none.
func LinearOf(m Mechanism) privacy.Linear {
	if on, ok := m.(onReward); ok {
		linear, _ := on.Mechanism.(privacy.Linear)
		return linear
	}
	return nil
}

// onReward plans for private rewards.
type onReward struct{ privacy.Mechanism }

// Plan implements Mechanism.
func (m onReward) Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error) {
	rewards := p.problem.Rewards
	if err := m.Privatize(p.private, rewards, g, noise); err != nil {
		return Plan{}, err
	}
	actions := p.problem.Law.Actions()
	for _, state := range rewards.Over() {
		clear(p.private[state*actions : (state+1)*actions])
	}
	for i, r := range p.private {
		lacks := math.IsInf(rewards.Joint[i], -1)
		if lacks && !math.IsInf(r, -1) || !lacks && !(math.Abs(r) <= LargestValue*(1-p.problem.Discount)) {
			return Plan{}, fmt.Errorf("the private reward of state %d, action %d is %v; want -Inf where the state lacks the "+
				"action, and otherwise at most %g in size", i/actions, i%actions, r, LargestValue*(1-p.problem.Discount))
		}
	}
	return p.Plan(p.private), nil
}

// PlanBy returns the private plan of a mechanism, which it checks. The plan holds until the next one.
func (p *Planner) PlanBy(m Mechanism, g privacy.Guarantee, noise *privacy.Noise) (Plan, error) {
	plan, err := m.Plan(p, g, noise)
	if err == nil {
		err = p.complete(&plan)
	}
	if err != nil {
		return Plan{}, fmt.Errorf("planner: mechanism %s at epsilon %g: %w", m.Name(), g.Epsilon, err)
	}
	return plan, nil
}
