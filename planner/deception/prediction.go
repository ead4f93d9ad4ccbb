package deception

import (
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// prediction is an observer of the goal who takes a vehicle for one of maximum entropy (Ziebart et al. 2008): a
// path to goal g is the likelier by a factor e the less it costs by a temperature. What a path has cost so far is
// the same for all goals, so that the posterior is that of the state it has come to: P(g | s) is proportional to
// exp((V_g(s) - V_g(start))/temperature), V_g the soft value of going on to g (Savas, Verginis and Topcu, AAAI
// 2022, arXiv 2109.06740), see mdp.Soft. All goals are as likely at the start. Moves that stay are not made.
type prediction struct {
	posteriors [][]float64 // by state: of the true goal, and of every bogus one
}

// newPrediction returns the observer of some bogus goals beside the true ones, which it takes for one. Paths are
// worth less the later a move comes, by the discount, as the vehicle's own do; the values are as near as the
// tolerance.
func newPrediction(g *planner.Grid, bogus []int, temperature, discount, tolerance float64) (*prediction, error) {
	var values [][]float64
	for i := range 1 + len(bogus) {
		to := *g
		if i > 0 {
			to.Goal, to.Others = bogus[i-1], nil
		}
		own, err := softPaths(&to, temperature, discount, tolerance)
		if err != nil {
			return nil, err
		}
		values = append(values, own)
	}
	p := &prediction{posteriors: make([][]float64, g.States())}
	for state := range p.posteriors {
		posterior := make([]float64, len(values))
		for i, v := range values {
			posterior[i] = (v[state] - v[g.Start]) / temperature
		}
		normalise(posterior)
		p.posteriors[state] = posterior
	}
	return p, nil
}

// normalise makes probabilities of their logarithms, which may lack a constant.
func normalise(logs []float64) {
	largest, sum := slices.Max(logs), 0.0
	for i, l := range logs {
		logs[i] = math.Exp(l - largest)
		sum += logs[i]
	}
	for i := range logs {
		logs[i] /= sum
	}
}

// softPaths returns the soft values of going to a goal of a grid, where paths end.
func softPaths(g *planner.Grid, temperature, discount, tolerance float64) ([]float64, error) {
	j, err := newJourney(g, nil)
	if err != nil {
		return nil, err
	}
	solution, err := mdp.Soft(j.law, j.rewards(func(pair int) float64 { return j.cost[pair] }), discount, temperature,
		tolerance, j.ends)
	return solution.Value, err
}
