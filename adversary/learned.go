package adversary

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"veilpath/sim"
)

// Learned knows neither the mechanism nor the rewards: it has watched flights of the mechanism whose goals it was told,
// and learned which goals a flight suits. The likelihood of goal g is e^(w . x) with the features x of the flight so
// far and g, and weights w that Learn has fitted: a multinomial logit (McFadden 1974). All goals share the weights, so
// some hundred flights teach them, and a flight to one goal teaches something of all.
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
