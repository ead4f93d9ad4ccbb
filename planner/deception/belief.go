package deception

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner"
)

// The policies of Savas, Verginis and Topcu (Deceptive decision-making under uncertainty, AAAI 2022, arXiv
// 2109.06740): of all with which the vehicle comes to its goal at an expected cost of paths of at most 1 +
// deception.detour times the least, the one under which a prediction of the observer, summed along the way by
// what the moves cost, is expected to be the least. Exaggeration sums by how much the true goal is ahead of the
// likeliest bogus one, plus 1; ambiguity sums the differences of the probabilities of all pairs of goals. The
// program is linear in how often moves are made. The sum by cost and the bound are ours: they were written
// without the text of the paper at hand.
var (
	exaggeration = beliefWay("exaggeration", "goes where an observer who expects short ways believes in a bogus goal most",
		lead)
	ambiguity = beliefWay("ambiguity", "goes where an observer who expects short ways can tell the goals apart least",
		differences)
)

// lead returns by how much the true goal, the first, is likelier than the likeliest bogus one, plus 1.
func lead(posterior []float64) float64 { return 1 + posterior[0] - slices.Max(posterior[1:]) }

// differences returns the sum of the differences of all pairs of goals.
func differences(posterior []float64) (sum float64) {
	for _, p := range posterior {
		for _, q := range posterior {
			sum += math.Abs(p - q)
		}
	}
	return sum
}

// beliefWay is a way that takes the policy with the least sum of something about the posterior.
func beliefWay(name, meaning string, of func(posterior []float64) float64) Way {
	return Way{Name: name, Meaning: meaning, plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		j, price, err := prices(s, p, of)
		if err != nil {
			return planner.Plan{}, err
		}
		policy, _, _ := j.bounded(price, s.Detour)
		return planner.Plan{Stochastic: policy}, nil
	}}
}

// prices returns the journey of a mission and the price of every pair: its cost times something about the
// posterior of the goals in its state.
func prices(s Settings, p *planner.Solved, of func(posterior []float64) float64) (*journey, []float64, error) {
	if p.Grid == nil {
		return nil, nil, errNoGrid
	}
	bogus, err := s.Bogus.States(p.Grid)
	if err != nil {
		return nil, nil, err
	}
	if len(bogus) == 0 {
		return nil, nil, errNoBogus
	}
	observer, err := newPrediction(p.Grid, bogus, s.ObserverTemperature, p.Discount, p.Tolerance)
	if err != nil {
		return nil, nil, err
	}
	j, err := newJourney(p.Grid, p.Law)
	if err != nil {
		return nil, nil, err
	}
	price := slices.Clone(j.cost)
	for pair := range price {
		price[pair] *= of(observer.posteriors[pair/p.Law.Actions()])
	}
	return j, price, nil
}

// errNoBogus is the error of a grid without a cell for a bogus goal.
var errNoBogus = errors.New("deception: the grid has no cell for a bogus goal beside the start and the goal")
