package problem

import (
	"fmt"
	"iter"

	"veilpath/planner/mdp"
)

// choice is an action that a state has, with its outcomes.
type choice struct {
	state, number, action int // number counts the state's choices from 0
	next                  []int32
	chance                []float64
	reward                float64
}

// choices yields the choices of all states of a single agent, in order. A terminal state, whose actions all lead back
// to it, has one.
func (p *Problem) choices(model *mdp.Model) iter.Seq[choice] {
	terminal := p.terminals()
	return func(yield func(choice) bool) {
		for s := range model.States() {
			number := 0
			for a := range model.Actions() {
				if !p.has(s, a) || terminal[s] && a > 0 {
					continue
				}
				c := choice{state: s, number: number, action: a, reward: p.Rewards[0][s*model.Actions()+a]}
				c.next, c.chance = model.Transition(s, a)
				if !yield(c) {
					return
				}
				number++
			}
		}
	}
}

// What a format does not hold is reported in these words.
const (
	lostStates  = "the names of states, which become numbers from 0"
	lostActions = "the names of actions, which become numbers from 0"
)

// lostNames reports names that become numbers from 0.
func (p *Problem) lostNames() (lost []string) {
	if !p.States.fromZero() {
		lost = append(lost, lostStates)
	}
	if !p.Actions.fromZero() {
		lost = append(lost, lostActions)
	}
	return lost
}

// lostDiscount reports the discount, for formats that hold none.
func (p *Problem) lostDiscount() (lost []string) {
	if p.Discount != 0 {
		lost = append(lost, fmt.Sprintf("the discount, %v", p.Discount))
	}
	return lost
}

// lostContext reports the discount and the start, for formats that hold neither.
func (p *Problem) lostContext() []string {
	lost := p.lostDiscount()
	if p.Start != 0 {
		lost = append(lost, "the start, state "+p.States.Of(p.Start))
	}
	return lost
}
