package terminal

import (
	"fmt"
	"strings"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// GoalObservers returns the observers of the goal with their meanings, for the help.
func GoalObservers() string {
	var lines []string
	for _, m := range adversary.GoalModels() {
		lines = append(lines, listed(m.Name, m.Meaning))
	}
	return strings.Join(lines, "\n")
}

// Mechanisms returns the mechanisms of flights, beside Gaussian noise on the reward, with their meanings and what they
// guarantee, for the help.
func Mechanisms() string {
	var lines []string
	for _, m := range planner.FlightMechanisms() {
		p := planner.PromiseOf(m)
		lines = append(lines, listed(m.Name(), m.Meaning()+": "+p.Guarantee+" for "+p.Protects))
	}
	for _, m := range privacy.GoalMechanisms() {
		lines = append(lines, listed(m.Name(), m.Meaning()))
	}
	return strings.Join(lines, "\n")
}

// Ways returns the ways to hide without a guarantee with their meanings, for the help.
func Ways() string {
	var lines []string
	for _, w := range deception.Ways() {
		lines = append(lines, listed(w.Name, w.Meaning))
	}
	return strings.Join(lines, "\n")
}

func listed(name, meaning string) string { return fmt.Sprintf("  %-9s  %s", name, meaning) }
