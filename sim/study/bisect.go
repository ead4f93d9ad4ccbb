package study

import (
	"math"
	"slices"
)

// BisectedTo is the relative accuracy of an epsilon at which a flight changes, with random transitions. The
// value of a plan then depends on all states that it may reach, and a run's policy has some hundreds of pieces,
// most of which fly the same. So the axis is planned at epsilons with a ratio of at most plannedApart, and
// intervals between different routes are bisected, by ratio, to this accuracy. A flight that differs only
// between two neighbours on the same route is not found.
const (
	BisectedTo   = 0.005
	plannedApart = 1.2
)

// Resolution returns the relative accuracy of an epsilon at which a run's flight changes: 0 for deterministic
// transitions, and BisectedTo otherwise.
func (e *Experiment) Resolution() float64 {
	if e.deterministic {
		return 0
	}
	return BisectedTo
}

// Between returns the ends of a range, the given epsilons on it, and further ones so that neighbours have at
// most a ratio of apart, all ascending.
func (r Range) Between(epsilons []float64, apart float64) []float64 {
	known := slices.Concat([]float64{r.Low}, epsilons, []float64{r.High})
	slices.Sort(known)
	known = slices.Compact(known)
	all := known[:1:1]
	for i, next := range known[1:] {
		steps := math.Ceil(math.Log(next/known[i]) / math.Log(apart))
		for k := 1.0; k < steps; k++ {
			all = append(all, known[i]*math.Pow(next/known[i], k/steps))
		}
		all = append(all, next)
	}
	return all
}

// bisect finds the pieces of a run with random transitions. Each begins at a planned epsilon and has the cost
// of that plan. A listed epsilon at which the plan has another cost begins a new piece.
func (f *Flyer) bisect(s *span, draw Draw) error {
	f.pieces = f.pieces[:0]
	f.draw(draw)
	var before piece
	for i, epsilon := range s.planned {
		p, err := f.planAt(epsilon)
		if err != nil {
			return err
		}
		if i == 0 {
			f.pieces = append(f.pieces, p)
		} else if err := f.between(&before, &p); err != nil {
			return err
		}
		open := &f.pieces[len(f.pieces)-1]
		if _, listed := slices.BinarySearch(s.epsilons, epsilon); listed && open.cost != p.cost {
			f.pieces = append(f.pieces, p)
		}
		before = p
	}
	return nil
}

// between adds the pieces that begin after one planned epsilon, up to another planned epsilon.
func (f *Flyer) between(low, high *piece) error {
	if slices.Equal(low.route, high.route) {
		return nil
	}
	if high.low <= low.low*(1+BisectedTo) {
		f.pieces = append(f.pieces, *high)
		return nil
	}
	middle, err := f.planAt(math.Sqrt(low.low * high.low))
	if err != nil {
		return err
	}
	if err := f.between(low, &middle); err != nil {
		return err
	}
	return f.between(&middle, high)
}

// planAt plans with the noise drawn last.
func (f *Flyer) planAt(epsilon float64) (piece, error) {
	sigma, err := f.experiment.Sigma(epsilon)
	if err != nil {
		return piece{}, err
	}
	f.rewards = f.planner.Privatize(sigma, f.noise)
	f.made = f.planner.Replan(f.rewards)
	return piece{epsilon, f.experiment.Mission.PairsOf(f.made.Policy), f.planner.CostOfPrivacy(f.made.Policy)}, nil
}
