package problem

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"
)

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// cassandraNames returns names that the grammar allows, and whether they are the problem's names.
func cassandraNames(names Names) (Names, bool) {
	if names.fromZero() {
		return names, true
	}
	for _, name := range names.list {
		switch name {
		case "discount", "values", "states", "actions", "observations", "start", "T", "O", "R", "uniform", "identity",
			"reset", "include", "exclude", "reward", "cost":
			return Numbered(names.count), false
		}
		if !identifier.MatchString(name) {
			return Numbered(names.count), false
		}
	}
	if names.list == nil {
		return Numbered(names.count), false
	}
	return names, true
}

func writeCassandra(p *Problem, create Create, path string) (lost []string, err error) {
	model, err := p.model("Cassandra's grammar")
	if err != nil {
		return nil, err
	}
	for s := range model.States() {
		for a := range model.Actions() {
			if !p.has(s, a) {
				return nil, fmt.Errorf("state %s lacks action %s, but in Cassandra's grammar every state has every "+
					"action; write .csv, .drn or .npz", p.States.Of(s), p.Actions.Of(a))
			}
		}
	}
	states, kept := cassandraNames(p.States)
	if !kept {
		lost = append(lost, lostStates)
	}
	actions, kept := cassandraNames(p.Actions)
	if !kept {
		lost = append(lost, lostActions)
	}
	if p.Discount == 0 {
		lost = append(lost, "that there is no discount: the format needs one, so the file says 0.95")
	}
	observed := !strings.EqualFold(path[len(path)-len(".mdp"):], ".mdp")
	return lost, create(path, buffered(func(w *bufio.Writer) {
		discount := p.Discount
		if discount == 0 {
			discount = 0.95
		}
		list := func(n Names) string {
			if n.fromZero() {
				return fmt.Sprint(n.count)
			}
			return strings.Join(n.list, " ")
		}
		fmt.Fprintf(w, "discount: %s\nvalues: reward\nstates: %s\nactions: %s\n", appendFloat(nil, discount), list(states),
			list(actions))
		for i, s := range p.Terminal {
			if i%1000 == 0 {
				fmt.Fprintf(w, "\n%s", terminalComment)
			}
			fmt.Fprintf(w, " %d", s)
		}
		w.WriteByte('\n')
		every := ""
		if observed {
			fmt.Fprintf(w, "observations: %d\n", model.States())
			every = " : *"
		}
		fmt.Fprintf(w, "start: %s\n", states.Of(p.Start))
		for a := range model.Actions() {
			for s := range model.States() {
				next, chance := model.Transition(s, a)
				for i, n := range next {
					fmt.Fprintf(w, "T: %s : %s : %s %s\n", actions.Of(a), states.Of(s), states.Of(int(n)), appendFloat(nil, chance[i]))
				}
				fmt.Fprintf(w, "R: %s : %s : *%s %s\n", actions.Of(a), states.Of(s), every,
					appendFloat(nil, p.Rewards[0][s*model.Actions()+a]))
			}
		}
		if observed {
			for s := range model.States() {
				fmt.Fprintf(w, "O: * : %s : %d 1\n", states.Of(s), s)
			}
		}
	}))
}
