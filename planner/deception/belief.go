package deception

import (
	"errors"
	"math"
	"slices"

	"veilpath/planner"
	"veilpath/planner/mdp"
)

// The policies of Savas, Verginis and Topcu (Deceptive decision-making under uncertainty, AAAI 2022, arXiv
// 2109.06740). Of all policies that reach the goal at an expected path cost of at most 1 + deception.detour times the
// least, each minimises the expected sum, over moves, of the cost of the move times a score of the observer's
// prediction. The score of exaggeration is the lead of the true goal over the likeliest bogus one, plus 1; that of
// ambiguity is the sum of the differences of the probabilities of all pairs of goals. The program is linear in the
// visits of states and actions. The weighting by cost and the bound were written without the text of the paper at
// hand.
var (
	exaggeration = beliefWay("exaggeration", "goes where an observer who expects short ways believes in a bogus goal most",
		lead)
	ambiguity = beliefWay("ambiguity", "goes where an observer who expects short ways can tell the goals apart least",
		differences)
)

// lead returns the probability of the true goal, the first, minus that of the likeliest bogus one, plus 1.
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

// beliefWay returns a way that minimises the expected sum of a score of the posterior.
func beliefWay(name, meaning string, score func(posterior []float64) float64) Way {
	return Way{Name: name, Meaning: meaning, plan: func(s Settings, p *planner.Solved) (planner.Plan, error) {
		j, price, err := prices(s, p, score)
		if err != nil {
			return planner.Plan{}, err
		}
		policy, _, _ := j.bounded(price, s.Detour)
		return planner.Plan{Stochastic: policy}, nil
	}}
}

// prices returns the path problem of a mission and the price of every pair: its cost times the score of the posterior
// in its state.
func prices(s Settings, p *planner.Solved, score func(posterior []float64) float64) (*pathProblem, []float64, error) {
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
	j, err := newPathProblem(p.Grid, p.Law)
	if err != nil {
		return nil, nil, err
	}
	price := slices.Clone(j.cost)
	for pair := range price {
		price[pair] *= score(observer.posteriors[pair/p.Law.Actions()])
	}
	return j, price, nil
}

// errNoBogus reports a grid without a cell for a bogus goal.
var errNoBogus = errors.New("deception: the grid has no cell for a bogus goal beside the start and the goal")

// prediction is an observer of the goal who models the vehicle as an agent of maximum entropy (Ziebart et al. 2008):
// the likelihood of a path to a goal is proportional to exp(-cost/temperature). The cost of the path so far is the same
// for all goals, so that the posterior depends on the current state alone: P(g | s) is proportional to exp((V_g(s) -
// V_g(start))/temperature), where V_g is the soft value of paths to g (Savas, Verginis and Topcu, AAAI 2022, arXiv
// 2109.06740), see mdp.Soft. All goals have the same prior. Moves that stay are excluded.
type prediction struct {
	posteriors [][]float64 // by state: of the true goal, and of every bogus one
}

// newPrediction returns the observer of some bogus goals and the true ones, which count as one goal. Costs are
// discounted as the vehicle's are; values are accurate to the tolerance.
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

// normalise turns logarithms of probabilities, up to a common constant, into probabilities.
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

// softPaths returns the soft values of paths to the goals of a grid.
func softPaths(g *planner.Grid, temperature, discount, tolerance float64) ([]float64, error) {
	j, err := newPathProblem(g, nil)
	if err != nil {
		return nil, err
	}
	solution, err := mdp.Soft(j.law, j.rewards(func(pair int) float64 { return j.cost[pair] }), discount, temperature,
		tolerance, j.ends)
	return solution.Value, err
}
