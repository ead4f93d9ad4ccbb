package irl

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// EPIC returns the EPIC distance between two rewards, states x actions (Gleave, Dennis, Legg, Russell & Leike 2021,
// definition 4.6), and the Pearson correlation from which it follows: the distance is sqrt((1 - correlation)/2). It is
// 0 for rewards that differ by a positive scale and by shaping with a potential of the state and of the next one,
// 0.707 for unrelated and 1 for opposite ones. As in the definition, the next state is one of all states alike: what a
// table has of a potential of the states that its actions lead to counts as a difference in part. All actions of
// states that have not ended count alike, with the states that follow them. Both numbers are NaN if a reward is
// constant up to shaping.
func (p *Problem) EPIC(one, other []float64) (distance, correlation float64) {
	a, weights := p.canonical(one)
	b, _ := p.canonical(other)
	correlation = stat.Correlation(a, b, weights)
	return math.Sqrt(max(0, 1-correlation) / 2), correlation
}

// canonical returns the reward of every transition without the part that shaping can change, up to a constant:
// r(s, a) + discount mean r(s', .) - mean r(s, .), the means over all actions. weights are the probabilities of the
// transitions.
func (p *Problem) canonical(rewards []float64) (values, weights []float64) {
	actions, ended := p.Law.Actions(), p.ended()
	means := make([]float64, p.Law.States())
	for state := range means {
		if !ended[state] {
			means[state] = stat.Mean(rewards[state*actions:(state+1)*actions], nil)
		}
	}
	for state, mean := range means {
		if ended[state] {
			continue
		}
		for action := range actions {
			next, probability := p.Law.Transition(state, action)
			for i, successor := range next {
				values = append(values, rewards[state*actions+action]+p.Discount*means[successor]-mean)
				weights = append(weights, probability[i])
			}
		}
	}
	return values, weights
}
