package study

import (
	"math"
	"slices"
)

// BisectedTo is how far, relative to it, an epsilon at which a flight changes may be off where moves are uncertain.
// The value of a plan belongs to all states that it may come to then, and the pieces of a run's policy are some
// hundreds, most of which fly the same. So the axis is planned at epsilons no farther apart than plannedApart, and
// where the routes of neighbours differ it is halved, by ratio, until they are as near as that. A flight that comes and
// goes between two neighbours on the same route is not seen.
const (
	BisectedTo   = 0.005
	plannedApart = 1.2
)

// Resolution returns how far, relative to it, an epsilon at which the flight of a run changes may be off: 0 where moves
// are certain, and BisectedTo otherwise.
func (e *Experiment) Resolution() float64 {
	if e.certain {
		return 0
	}
	return BisectedTo
}

// Between returns the ends of a range, epsilons on it, and others where neighbours are farther apart than a ratio, all
// ascending.
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

// bisect finds the pieces of a run where moves are uncertain. Each begins at an epsilon that was planned at, and costs
// what that plan does. Every listed epsilon at which the plan costs something else begins one.
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

// between adds the pieces that begin after one epsilon that was planned at and up to another.
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

// planAt plans on the noise drawn last.
func (f *Flyer) planAt(epsilon float64) (piece, error) {
	sigma, err := f.experiment.Sigma(epsilon)
	if err != nil {
		return piece{}, err
	}
	f.rewards = f.planner.Privatize(sigma, f.noise)
	f.made = f.planner.Replan(f.rewards)
	return piece{epsilon, f.experiment.Mission.PairsOf(f.made.Policy), f.planner.CostOfPrivacy(f.made.Policy)}, nil
}
