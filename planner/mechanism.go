package planner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"veilpath/planner/privacy"
)

// Mechanism makes private plans for studies. It must be safe for concurrent use. A mechanism that draws a goal
// plans with the moves of the problem: if a move leads to the true goal, as with PaperMoves, the plan depends
// on the true goal through that move too.
type Mechanism interface {
	// Name is the mechanism's name in tables.
	Name() string
	// Meaning says in one sentence what the mechanism makes private, and how.
	Meaning() string
	// Plan returns a private plan with a guarantee for the planner's problem. It draws all random numbers from noise,
	// which starts at the beginning of the run's stream: the same arguments always give the same plan, whatever was
	// planned before. For every state, a policy has an action available there, and a stochastic policy probabilities
	// of such actions; a path needs deterministic transitions. Value and Reward may be nil. The plan holds until the
	// planner's next plan. Plan returns an error if the mechanism cannot give the guarantee.
	Plan(p *Planner, g privacy.Guarantee, noise *privacy.Noise) (Plan, error)
}

// OnReward returns the mechanism that plans for the private reward of a mechanism on rewards. In states where
// all agents have ended it sets the private reward to 0: the true reward is publicly 0 there.
func OnReward(m privacy.Mechanism) Mechanism { return onReward{m} }

// Standard returns the default mechanism of studies: every agent perturbs its own reward.
func Standard() Mechanism { return OnReward(privacy.InputPerturbation{}) }

// LinearOf returns the linear mechanism on rewards inside m, or nil if there is none.
func LinearOf(m Mechanism) privacy.Linear {
	if on, ok := m.(onReward); ok {
		linear, _ := on.Mechanism.(privacy.Linear)
		return linear
	}
	return nil
}

// RewardMechanismOf returns the mechanism on rewards that a mechanism plans with, nil for one that has none.
func RewardMechanismOf(m Mechanism) privacy.Mechanism {
	if on, ok := m.(onReward); ok {
		return on.Mechanism
	}
	return nil
}

// onReward plans for private rewards.
type onReward struct{ privacy.Mechanism }

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
				"action, and otherwise at most %g in absolute value", i/actions, i%actions, r, LargestValue*(1-p.problem.Discount))
		}
	}
	return p.Plan(p.private), nil
}

// PlanBy returns the private plan of a mechanism and checks it. The plan holds until the next one.
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

// Mechanisms returns the mechanisms that settings can name, without those that draw a goal. Another one is a type in a
// file of this package and a line here, or a line of package privacy where it is on rewards.
func Mechanisms() (all []Mechanism) {
	for _, m := range privacy.Mechanisms() {
		all = append(all, OnReward(m))
	}
	return append(all, Transitions{}, StochasticPolicy{})
}

// FlightMechanisms returns the mechanisms that settings of flights name beside Gaussian noise on the reward. With one
// agent, those with an aggregator are the same as others, and are left out.
func FlightMechanisms() []Mechanism {
	return slices.DeleteFunc(Mechanisms(), func(m Mechanism) bool {
		return PromiseOf(m).Aggregator || LinearOf(m) != nil
	})
}

// MechanismNames returns the names that FindMechanism knows.
func MechanismNames() (names []string) {
	for _, m := range Mechanisms() {
		names = append(names, m.Name())
	}
	return names
}

// FindMechanism returns the mechanism of a name.
func FindMechanism(name string) (Mechanism, error) {
	all := Mechanisms()
	i := slices.IndexFunc(all, func(m Mechanism) bool { return m.Name() == name })
	if i < 0 {
		return nil, fmt.Errorf("mechanism is %q; it must be one of %s", name, strings.Join(MechanismNames(), ", "))
	}
	return all[i], nil
}

// PromiseOf returns what a mechanism promises: privacy.None for one that does not say.
func PromiseOf(m Mechanism) privacy.Promise {
	var says any = m
	if on := RewardMechanismOf(m); on != nil {
		says = on
	}
	if p, ok := says.(privacy.Promising); ok {
		return p.Promise()
	}
	return privacy.None
}
