package terminal

import (
	"fmt"
	"strings"

	"veilpath/adversary"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// GoalObservers lists the observers of the goal with their meanings, for help.
func GoalObservers() string {
	var lines []string
	for _, m := range adversary.GoalModels() {
		lines = append(lines, listed(m.Name, m.Meaning))
	}
	return strings.Join(lines, "\n")
}

// GoalMechanisms lists the mechanisms that draw the goal with their meanings, for help.
func GoalMechanisms() string {
	var lines []string
	for _, m := range privacy.GoalMechanisms() {
		lines = append(lines, listed(m.Name(), m.Meaning()))
	}
	return strings.Join(lines, "\n")
}

// Ways lists the ways to hide that give no guarantee, with their meanings, for help.
func Ways() string {
	var lines []string
	for _, w := range deception.Ways() {
		lines = append(lines, listed(w.Name, w.Meaning))
	}
	return strings.Join(lines, "\n")
}

func listed(name, meaning string) string { return fmt.Sprintf("  %-9s  %s", name, meaning) }
