package campaign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/option"
)

// SplitNames splits a list of names at its commas. A command, which begins with exec:, extends to the end of the list.
func SplitNames(list string) (names []string) {
	for more := true; more; {
		var name string
		if _, command := configs.CommandOf(strings.TrimSpace(list)); command {
			return append(names, strings.TrimSpace(list))
		}
		name, list, more = strings.Cut(list, ",")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// ParseObservers parses a list of observers.
func ParseObservers(list string) ([]string, error) {
	var names []string
	for _, name := range SplitNames(list) {
		if !slices.Contains(adversary.Names(), name) && !isCommand(name) {
			return nil, fmt.Errorf("no observer is called %q; %s", name, NearestOf(name, adversary.Names()))
		}
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("%s is listed twice; leave one out", name)
		}
		names = append(names, name)
	}
	return names, nil
}

// GoalModels parses a list of observers of the goal: built-in ones, the program's own, and a command at the end.
func (p *Program) GoalModels(list string, limit time.Duration) ([]adversary.GoalModel, error) {
	names := SplitNames(list)
	line, is := configs.CommandOf(names[len(names)-1])
	if !is {
		return ParseGoalObservers(names, p.GoalObservers)
	}
	o, err := p.ExternalCommands().Observer(line, limit)
	if err != nil {
		return nil, err
	}
	own := o.GoalModel(o.Hello.Name)
	names[len(names)-1] = own.Name
	return ParseGoalObservers(names, append(slices.Clone(p.GoalObservers), own))
}

// ParseGoalObservers returns the observers of the goal with some names: built-in ones, or those in own.
func ParseGoalObservers(names []string, own []adversary.GoalModel) ([]adversary.GoalModel, error) {
	var models []adversary.GoalModel
	for _, name := range names {
		m, err := adversary.FindGoalModel(name)
		if i := slices.IndexFunc(own, func(m adversary.GoalModel) bool { return m.Name == name }); i >= 0 {
			m, err = own[i], nil
		}
		if err != nil {
			if slices.Contains(adversary.Names(), name) {
				return nil, option.Errorf("%q is not an observer of the goal: it predicts where flights end; use it with "+
					"veilpath study {observer} %s; the observers of the goal are %s", name, name,
					strings.Join(adversary.GoalNames(), ", "))
			}
			return nil, fmt.Errorf("no observer of the goal is called %q; %s", name, NearestOf(name, adversary.GoalNames()))
		}
		if slices.ContainsFunc(models, func(other adversary.GoalModel) bool { return other.Name == name }) {
			return nil, fmt.Errorf("%s is listed twice; leave one out", name)
		}
		models = append(models, m)
	}
	return models, nil
}

// NearestOf suggests a similar name, or lists all names.
func NearestOf(name string, names []string) string {
	return configs.Suggest(configs.NearestOf(name, names), "there are "+strings.Join(names, ", "))
}
