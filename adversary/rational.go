package adversary

import (
	"errors"
	"math"
	"slices"
)

// rational models the vehicle as an agent of bounded rationality, which takes action a in state s with a
// probability proportional to e^(beta Q_g(s, a)) (Baker, Saxe and Tenenbaum 2009, "Action understanding as
// inverse planning"). It does not know beta and averages over Knowledge.Rationalities: the most likely beta
// would grow without bound on some routes and vanish on others. Such an agent decides again on every visit, so
// repeated visits count.
type rational struct {
	evidence  // goals x rationalities
	knowledge *Knowledge
	makes     []bool // by action: whether it makes the current move
}

func newRational(k *Knowledge) (GoalObserver, error) {
	if k.Values == nil || len(k.Rationalities) == 0 {
		return nil, errors.New("adversary: the observer rational needs the values of actions and at least one rationality")
	}
	if err := checkRationalities(k); err != nil {
		return nil, err
	}
	o := &rational{knowledge: k, makes: make([]bool, k.Actions)}
	o.evidence = newEvidence(len(k.Candidates)*len(k.Rationalities), o.logProbabilities)
	return o, nil
}

func (o *rational) See(state, next int, _ bool) { o.add(state, next) }

// logProbabilities computes the logarithm of a move's probability, by goal and rationality.
func (o *rational) logProbabilities(state, next int, to []float64) {
	k := o.knowledge
	n := len(k.Rationalities)
	for goal := range k.Candidates {
		values := k.Values(goal, state)
		best, bestMade := slices.Max(values), math.Inf(-1)
		for action, value := range values {
			if o.makes[action] = k.Next(goal, state, action) == next; o.makes[action] {
				bestMade = max(bestMade, value)
			}
		}
		for i, beta := range k.Rationalities {
			all, made := 0.0, 0.0
			for action, value := range values {
				weight := math.Exp(beta * (value - best))
				all += weight
				switch {
				case !o.makes[action]:
				case bestMade == best:
					made += weight
				default: // relative to the best of these, so that none underflows
					made += math.Exp(beta * (value - bestMade))
				}
			}
			to[goal*n+i] = beta*(bestMade-best) + math.Log(made/all)
		}
	}
}

func (o *rational) LogLikelihoods(to []float64) {
	n := len(o.knowledge.Rationalities)
	for goal := range to {
		to[goal] = logMean(o.logs[goal*n : goal*n+n])
	}
}

// logMean returns the logarithm of the mean of numbers given by their logarithms.
func logMean(logs []float64) float64 {
	largest := slices.Max(logs)
	if math.IsInf(largest, -1) {
		return largest
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - largest)
	}
	return largest + math.Log(sum/float64(len(logs)))
}
