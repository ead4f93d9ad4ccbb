package adversary

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"veilpath/sim"
)

// Learned knows neither the mechanism nor the rewards. It has observed flights of the mechanism with their goals, and
// has learned from them which goals fit a flight. The likelihood of goal g is e^(w . x), where x are the features of
// the flight so far and of g, and w the weights that Learn has fitted: a multinomial logit (McFadden 1974). All goals
// share the weights, so a few hundred flights are enough, but what a mechanism does for one goal only is missed.
//
// In the paper's mission with a random start heading, 2,000 flights and ridge 0.1 leave 5.48, 5.06 and 4.84 bits after
// 50 km at epsilon 0.2, 1 and 4, where Mechanism with 100 policies leaves 5.44, 4.95 and 4.69 (standard errors 0.15).
// Where flights start along the line of sight, it leaves 0.40 bits at epsilon 1, and the observer heading 0.38.
type Learned struct {
	*features
	weights []float64
}

func newLearned(k *Knowledge) (GoalObserver, error) {
	if len(k.Learned) != featureCount || k.Waypoint == nil {
		return nil, errors.New("adversary: the observer learned needs weights from flights of the mechanism, and waypoints")
	}
	for i, w := range k.Learned {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("adversary: the weight of feature %d is %v; want a finite number", i, w)
		}
	}
	return &Learned{features: newFeatures(k), weights: k.Learned}, nil
}

// LogLikelihoods implements GoalObserver.
func (o *Learned) LogLikelihoods(to []float64) {
	for goal := range to {
		to[goal] = floats.Dot(o.of(goal), o.weights)
	}
}

// pathWatcher is a GoalObserver that sees the flown path beside the moves.
type pathWatcher interface {
	GoalObserver
	// SeePath takes the flight up to the sample at which the next move is commanded, before See takes that move.
	SeePath(flown []sim.Sample)
}
