package privacy

import "math"

// Promise is what a mechanism guarantees, in words.
type Promise struct {
	Protects   string // what is private
	Neighbours string // which two of those are hard to distinguish
	Guarantee  string // how hard, such as "(epsilon, delta)"
	Pure       bool   // with a delta of 0, whatever the guarantee's
	Aggregator bool   // somebody who is trusted sees the rewards of all agents; with one agent it makes no difference
	Source     string // literature
}

// Delta returns the delta of the promise, which is that of a guarantee unless the promise is pure.
func (p Promise) Delta(guaranteed float64) float64 {
	if p.Pure {
		return 0
	}
	return guaranteed
}

// Promising is a mechanism that says what it promises. One that does not promises nothing.
type Promising interface{ Promise() Promise }

// None is the promise of a mechanism without a guarantee.
var None = Promise{Protects: "nothing", Neighbours: "none", Guarantee: "none"}

// Distributed is a mechanism on rewards that gives every entry noise of its own, and says how what it makes of
// one is distributed. An audit holds it to that.
type Distributed interface {
	Mechanism
	// Law returns the distribution function of a private entry, given the true one, for rewards of one agent. The
	// error is that of Privatize.
	Law(s Shape, g Guarantee) (func(reward, private float64) float64, error)
}

// Confined is a mechanism on rewards that takes and makes those of the guarantee's Range alone, neighbours included.
type Confined interface {
	Mechanism
	Confined()
}

// rewardNeighbours are the neighbours of mechanisms on rewards.
const rewardNeighbours = "rewards that differ in one entry of one agent by at most privacy.adjacency"

func (InputPerturbation) Promise() Promise { return gaussianPromise }

func (OutputPerturbation) Promise() Promise {
	p := gaussianPromise
	p.Aggregator = true
	return p
}

var gaussianPromise = Promise{Protects: "one entry of one agent's reward", Neighbours: rewardNeighbours,
	Guarantee: "(epsilon, delta)", Source: "Dwork and Roth 2014; Balle and Wang 2018"}

// eachEntry writes a joint reward to dst in which every entry of every agent's reward, or of the joint reward, is
// what private makes of it. Where an agent has ended, or all have, the entry stays 0, and an action that a state
// lacks stays lacking.
func (r *Rewards) eachEntry(dst []float64, joint bool, private func(reward float64) float64) {
	if joint || r.Agents() == 1 {
		r.privateEntries(dst, r.Joint, func(state int) bool { return countActive(r.Ended, r.Agents(), state) == 0 }, private)
		return
	}
	tables := make([][]float64, r.Agents())
	for i, table := range r.Tables {
		tables[i] = make([]float64, len(table))
		r.privateEntries(tables[i], table, func(state int) bool { return r.HasEnded(i, state) }, private)
	}
	(&Rewards{Shape: r.Shape, Tables: tables}).join(dst, 0, nil)
}

// privateEntries makes the entries of a table private, except for those that are public.
func (r *Rewards) privateEntries(dst, table []float64, ended func(state int) bool, private func(float64) float64) {
	actions := len(table) / r.states
	for state := range r.states {
		for i := state * actions; i < (state+1)*actions; i++ {
			switch reward := table[i]; {
			case math.IsInf(reward, -1) || ended(state):
				dst[i] = reward
			default:
				dst[i] = private(reward)
			}
		}
	}
}
