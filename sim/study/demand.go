package study

import (
	"fmt"
	"math"
	"slices"
)

// Demand is a requirement on the flights of an epsilon: the mean of a quantity is at most a limit. A quantile is
// demanded by the share of the flights beyond it.
type Demand struct {
	Name  string
	Limit float64
	Bound float64 // the quantity lies in [0, Bound]
	// Falls says that in every run the quantity does not grow with epsilon, so that the demand is met from one epsilon on.
	// Other means, as that of the detection distance, may rise and fall along epsilon.
	Falls bool
	Of    func(*Run) float64
}

// MeanDistance demands that the mean detection distance is at most a number of km.
func (e *Experiment) MeanDistance(limitKm float64) Demand {
	return Demand{Name: "mean detection distance in km", Limit: limitKm, Bound: e.FarthestKm(),
		Of: func(r *Run) float64 { return r.DetectionKm }}
}

// QuantileDistance demands that a share of the flights, in (0, 1), is detected at a number of km or less.
func QuantileDistance(limitKm, share float64) Demand {
	return Demand{Name: fmt.Sprintf("share of flights detected beyond %g km", limitKm), Limit: 1 - share, Bound: 1,
		Of: func(r *Run) float64 { return float64(count(r.DetectionKm > limitKm)) }}
}

// MeanCost demands that the mean cost of privacy is at most a share. The cost falls in every run: of two policies that
// are optimal for the rewards R + s z and R + t z with s < t, the first is worth at least as much under R. Each is
// worth at least as much as the other under its own rewards; adding both inequalities shows that the second is worth at
// least as much under z, and then the first inequality shows the claim. That is so for linear mechanisms alone.
func (e *Experiment) MeanCost(limit float64) Demand {
	m := e.Mission
	optimal := m.Optimal.Value[m.Grid.Start]
	worst := slices.Min(m.Rewards.Joint) / (1 - m.Discount) // no policy is worth less
	return Demand{Name: "mean cost of privacy", Limit: limit, Bound: (optimal - worst) / math.Abs(optimal),
		Falls: e.linear() != nil, Of: func(r *Run) float64 { return r.CostOfPrivacy }}
}
