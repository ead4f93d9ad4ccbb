package problem

import (
	"strconv"

	"veilpath/planner"
)

// Instance is a problem for the planner together with the names of its file.
type Instance struct {
	*planner.Problem
	States  Names // of the (joint) states
	Actions Names // of the (joint) actions
	Listed  int   // states that the file lists; the states after them are where episodes end
	Members []Member
}

// Member is an agent of a team, with the names of its file.
type Member struct {
	Name     string
	Actions  Names
	Terminal []int32 // its local states
}

// Instance returns the problem for the planner, see Planned, with its names.
func (p *Problem) Instance(discount float64, start int) (*Instance, error) {
	planned, err := p.Planned(discount, start)
	if err != nil {
		return nil, err
	}
	return &Instance{Problem: planned, States: p.States, Actions: p.Actions, Listed: p.listed(), Members: p.Members}, nil
}

// Member returns the names of an agent and of its actions: numbers if the file has no names.
func (n *Instance) Member(i int) Member {
	switch {
	case n.Members != nil:
		return n.Members[i]
	case n.Rewards.Agents() == 1:
		return Member{Actions: n.Actions}
	}
	return Member{Name: strconv.Itoa(i), Actions: Numbered(n.Rewards.Actions(i))}
}

// StartIn returns the problem with another start state.
func (n *Instance) StartIn(state string) (*Instance, error) {
	s, err := n.States.find(state)
	if err != nil {
		return nil, err
	}
	if s >= n.Listed {
		return nil, n.States.unknown(state)
	}
	planned, other := *n.Problem, *n
	planned.Start, other.Problem = s, &planned
	return &other, nil
}

// File returns the problem in the form of a file.
func (n *Instance) File() *Problem {
	p := &Problem{Law: n.Law, Rewards: n.Rewards.Tables, Discount: n.Discount, Start: n.Start, States: n.States,
		Actions: n.Actions,
		Added:   n.Law.States() - n.Listed, Members: n.Members}
	if n.Rewards.Agents() == 1 && len(n.Problem.Terminal) > 0 {
		p.Terminal = n.Problem.Terminal[0]
	}
	return p
}
