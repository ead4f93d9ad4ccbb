package problem

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"veilpath/planner"
	"veilpath/planner/mdp"
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
	Remarks  []string    // a sentence on what was read, with options in braces, as in package option
	Members  []Member    // of a team, one per agent; nil for a single agent

	startFrom   string   // where the start comes from; empty if the file has none
	rewardsFrom string   // where the rewards come from
	omitted     []string // what the file holds and the problem does not
	normalised  int      // rows of probabilities that were divided by their sums
	maxSumError float64  // largest difference between 1 and such a sum
}

// sentence says what was read from a file. A start that is given replaces that of the file.
func (p *Problem) sentence(path, given string) string {
	start, from := p.States.Of(p.Start), cmp.Or(p.startFrom, "the first, because the file names none ({start})")
	if given != "" {
		start, from = given, "as given"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", path, counted(p.listed(), "state"))
	if n := len(p.Terminal) - p.Added; n > 0 {
		fmt.Fprintf(&b, " (%d terminal: %s)", n, p.terminal(n))
	}
	if p.Added > 0 {
		b.WriteString(" and one added in which episodes end")
	}
	fmt.Fprintf(&b, ", %s; start %s, %s; rewards of %s", counted(p.Law.Actions(), "action"), start, from,
		p.rewardsFrom)
	if p.normalised > 0 {
		fmt.Fprintf(&b, "; %s of probabilities divided by the sum, which missed 1 by up to %.2g",
			counted(p.normalised, "row"), p.maxSumError)
	}
	if len(p.omitted) > 0 {
		fmt.Fprintf(&b, "; left out: %s", strings.Join(p.omitted, ", "))
	}
	return b.String()
}

// terminal returns the names of the first n terminal states, or of a few of them: a misspelt name may be among them.
func (p *Problem) terminal(n int) string {
	const most = 5
	var names []string
	for _, state := range p.Terminal[:min(n, most)] {
		names = append(names, p.States.Of(int(state)))
	}
	if n > most {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}

// counted returns a number of things in words.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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

// has reports whether a state has an action.
func (p *Problem) has(state, action int) bool {
	return !math.IsInf(p.Rewards[0][state*p.Law.Actions()+action], -1)
}

// terminals returns, by state, whether it is terminal.
func (p *Problem) terminals() []bool {
	terminal := make([]bool, p.Law.States())
	for _, s := range p.Terminal {
		terminal[s] = true
	}
	return terminal
}
