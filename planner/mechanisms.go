package planner

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/planner/privacy"
)

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
