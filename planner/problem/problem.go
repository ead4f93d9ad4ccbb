package problem

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/reward"
)

// Problem is the content of a problem file. It is immutable.
type Problem struct {
	Law      mdp.Law
	Rewards  [][]float64 // one table per agent, (joint) states x the agent's actions; -Inf if a state lacks the action
	Terminal []int32     // states that end an episode, ascending; for a team see Members
	Discount float64     // 0 if the file has none
	Start    int         // start state; the first if the file has none
	States   Names       // of the (joint) states
	Actions  Names       // of the (joint) actions
	Added    int         // states at the end that the file does not list: where episodes end
	Remarks  []string    // what the file holds and the problem does not
	Members  []Member    // of a team, one per agent; nil for a single agent
}

// Planned returns the problem for the planner. A discount other than 0 and a start of at least 0 replace the
// file's.
func (p *Problem) Planned(discount float64, start int) (*planner.Problem, error) {
	if discount == 0 {
		discount = p.Discount
	}
	if start < 0 {
		start = p.Start
	}
	planned, err := planner.NewProblem(p.Law, p.Rewards, discount, start, p.terminalOf()...)
	var large *planner.LargeRewardError
	if errors.As(err, &large) && p.Members == nil && !(p.States.fromZero() && p.Actions.fromZero()) {
		return nil, fmt.Errorf("state %s, action %s: %w", p.States.Of(large.State), p.Actions.Of(large.Action), err)
	}
	return planned, err
}

// terminalOf returns each agent's terminal states, by local state; nil if a team's are unknown.
func (p *Problem) terminalOf() (lists [][]int32) {
	if _, team := p.Law.(*mdp.Joint); !team {
		return [][]int32{p.Terminal}
	}
	for _, m := range p.Members {
		lists = append(lists, m.Terminal)
	}
	return lists
}

// listed returns the number of states that the file lists.
func (p *Problem) listed() int { return p.Law.States() - p.Added }

// model returns the law of a single agent; most formats hold only one.
func (p *Problem) model(format string) (*mdp.Model, error) {
	if m, ok := p.Law.(*mdp.Model); ok {
		return m, nil
	}
	joint, team := p.Law.(*mdp.Joint)
	if team && joint.Agents() > 1 {
		return nil,
			fmt.Errorf("%s holds one agent and this is a team of %d; write every agent's problem, or the team as "+
				"YAML", format,
				joint.Agents())
	}
	if team {
		return joint.Agent(0), nil
	}
	return mdp.Expand(p.Law)
}

// has reports whether a state has an action.
func (p *Problem) has(state, action int) bool {
	return !math.IsInf(p.Rewards[0][state*p.Law.Actions()+action], -1)
}

// terminals returns, by state, whether it is terminal.
func (p *Problem) terminals() []bool {
	is := make([]bool, p.Law.States())
	for _, s := range p.Terminal {
		is[s] = true
	}
	return is
}

// Names are the names of states or actions: names from the file, or numbers.
type Names struct {
	list    []string // nil if the names are numbers
	numbers []int32  // nil if the names are 0, 1, 2, ...
	count   int
}

// Numbered returns the numbers from 0 to count-1 as names.
func Numbered(count int) Names { return Names{count: count} }

// Named returns a list of names.
func Named(list []string) Names { return Names{list: list, count: len(list)} }

// Count returns the number of names.
func (n Names) Count() int { return n.count }

// Numeric reports whether the names are numbers.
func (n Names) Numeric() bool { return n.list == nil }

// Number returns the number that is the i-th name; see Numeric.
func (n Names) Number(i int) int {
	if n.numbers != nil {
		return int(n.numbers[i])
	}
	return i
}

// Append appends the i-th name to text.
func (n Names) Append(text []byte, i int) []byte {
	if n.list != nil {
		return append(text, n.list[i]...)
	}
	return strconv.AppendInt(text, int64(n.Number(i)), 10)
}

// Quoted returns the names as cells of CSV: those with any of some characters are quoted.
func (n Names) Quoted(special string) Names {
	n.list = slices.Clone(n.list)
	for i, name := range n.list {
		if strings.ContainsAny(name, special) {
			n.list[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return n
}

// Of returns the i-th name.
func (n Names) Of(i int) string { return string(n.Append(nil, i)) }

// Value returns the i-th name as in JSON: a number if names are numbers.
func (n Names) Value(i int) any {
	if n.Numeric() {
		return n.Number(i)
	}
	return n.Of(i)
}

// find returns the index of a name.
func (n Names) find(name string) (int, error) {
	for i := range n.list {
		if n.list[i] == name {
			return i, nil
		}
	}
	number, err := strconv.Atoi(name)
	switch {
	case err != nil && n.list != nil:
		return 0, fmt.Errorf("there is no %q; the first is %q", name, n.list[0])
	case n.list != nil || err != nil:
	case n.numbers == nil && number >= 0 && number < n.count:
		return number, nil
	case n.numbers != nil:
		for i, m := range n.numbers {
			if int(m) == number {
				return i, nil
			}
		}
	}
	return 0, n.none(name)
}

// none is the error for an unknown name.
func (n Names) none(name string) error {
	return fmt.Errorf("there is no %s; want one from %s to %s", name, n.Of(0), n.Of(n.count-1))
}

// Sorted returns the indices in the order of the names, comparing runs of digits as numbers. This order reveals
// nothing about the file's order.
func (n Names) Sorted() []int {
	order := make([]int, n.count)
	for i := range order {
		order[i] = i
	}
	if n.list != nil {
		slices.SortStableFunc(order, func(a, b int) int { return reward.CompareNames(n.list[a], n.list[b]) })
	}
	return order
}

// fromZero reports whether the names are the numbers 0, 1, 2, ...
func (n Names) fromZero() bool { return n.list == nil && n.numbers == nil }

// joined returns the names of tuples of agents' names; the first agent is the most significant. They are
// numbers if all agents' names count from 0.
func joined(agents []Names) Names {
	count, numbers := 1, true
	for _, a := range agents {
		count *= a.count
		numbers = numbers && a.fromZero()
	}
	if numbers || count > 1<<20 {
		return Numbered(count)
	}
	list := []string{""}
	for i, a := range agents {
		var longer []string
		for _, prefix := range list {
			for k := range a.count {
				name := a.Of(k)
				if i > 0 {
					name = prefix + "|" + name
				}
				longer = append(longer, name)
			}
		}
		list = longer
	}
	return Named(list)
}
