package irl

import "veilpath/planner/mdp"

// Problem is what an observer knows of the plans that it sees: all but the rewards.
type Problem struct {
	Law      *mdp.Model
	Discount float64   // of the rewards, below 1
	Start    []float64 // probability of every state at the start
	Ended    []int     // states in which all ends, whose rewards are 0
	// Features are what rewards are made of, each states x actions: the reward is the sum of all, weighted by numbers
	// that the observer does not know. nil: every reward outside Ended is a number of its own.
	Features [][]float64
}

// LeastWeight is the share of the visits that Visits leaves out, those of the farthest future.
const LeastWeight = 1e-9

// Visits returns how often a policy takes every action of states that have not ended, states x actions, the visit after
// t moves counting (1 - discount) discount^t, so that the visits of all states sum to 1. policy has the probability of
// every action, states x actions.
func (p *Problem) Visits(policy []float64) []float64 {
	actions, ended := p.Law.Actions(), p.ended()
	visited := make([]float64, p.Law.States()*actions)
	now, next := make([]float64, p.Law.States()), make([]float64, p.Law.States())
	for state, probability := range p.Start {
		now[state] = (1 - p.Discount) * probability
	}
	for left := 1.0; left > LeastWeight; left *= p.Discount {
		clear(next)
		for state, mass := range now {
			if mass == 0 || ended[state] {
				continue
			}
			for action := range actions {
				visits := mass * policy[state*actions+action]
				visited[state*actions+action] += visits
				successors, probability := p.Law.Transition(state, action)
				for i, successor := range successors {
					next[successor] += p.Discount * visits * probability[i]
				}
			}
		}
		now, next = next, now
	}
	return visited
}

// ended reports for every state whether all ends there.
func (p *Problem) ended() []bool {
	ended := make([]bool, p.Law.States())
	for _, state := range p.Ended {
		ended[state] = true
	}
	return ended
}
