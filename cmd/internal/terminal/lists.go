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
	var all list
	for _, m := range adversary.GoalModels() {
		all.add(m.Name, m.Meaning)
	}
	return all.String()
}

// Mechanisms returns the mechanisms of flights, beside Gaussian noise on the reward, with their meanings and what they
// guarantee, for the help.
func Mechanisms() string {
	var all list
	for _, m := range planner.FlightMechanisms() {
		p := planner.PromiseOf(m)
		all.add(m.Name(), m.Meaning()+": "+p.Guarantee+" for "+p.Protects)
	}
	for _, m := range privacy.GoalMechanisms() {
		all.add(m.Name(), m.Meaning())
	}
	return all.String()
}

// Ways returns the ways to hide without a guarantee with their meanings, for the help.
func Ways() string {
	var all list
	for _, w := range deception.Ways() {
		all.add(w.Name, w.Meaning)
	}
	return all.String()
}

// list is names with their meanings.
type list [][2]string

func (l *list) add(name, meaning string) { *l = append(*l, [2]string{name, meaning}) }

// String returns a line for every name. The meanings begin in one column.
func (l *list) String() string {
	wide := 0
	for _, item := range *l {
		wide = max(wide, len(item[0]))
	}
	var lines []string
	for _, item := range *l {
		lines = append(lines, fmt.Sprintf("  %-*s  %s", wide, item[0], item[1]))
	}
	return strings.Join(lines, "\n")
}
