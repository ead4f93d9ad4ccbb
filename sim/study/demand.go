package study

import (
	"fmt"
	"math"
	"slices"
)

// Demand is a requirement on the flights of an epsilon: the mean of a quantity is at most a limit. A demand on
// a quantile limits the fraction of the flights beyond it.
type Demand struct {
	Name  string
	Limit float64
	Bound float64 // the quantity lies in [0, Bound]
	// Clips says that a larger quantity counts as Bound. The decisions are then on the mean of what counts, which is at
	// most the mean: that a demand is not met is shown of both.
	Clips bool
	// Falls says that in every run the quantity never grows with epsilon, so that the demand is met from one
	// epsilon on. Other means, such as the mean detection distance, may rise and fall along epsilon.
	Falls bool
	Of    func(*Run) float64
}

// value returns the quantity of a flight as it counts.
func (d *Demand) value(r *Run) float64 {
	if x := d.Of(r); !d.Clips || x < d.Bound {
		return x
	}
	return d.Bound
}

// MeanDistance demands a mean detection distance of at most limitKm. A flight that is recognised beyond FarthestKm
// counts as recognised there.
func (e *Experiment) MeanDistance(limitKm float64) Demand {
	return Demand{Name: "mean detection distance in km", Limit: limitKm, Bound: e.FarthestKm(), Clips: true,
		Of: func(r *Run) float64 { return r.DetectionKm }}
}

// QuantileDistance demands that at least the given fraction of the flights, in (0, 1), is detected at limitKm
// or less.
func QuantileDistance(limitKm, share float64) Demand {
	return Demand{Name: fmt.Sprintf("share of flights detected beyond %g km", limitKm), Limit: 1 - share, Bound: 1,
		Of: func(r *Run) float64 { return float64(count(r.DetectionKm > limitKm)) }}
}

// MeanCost demands a mean cost of privacy of at most limit. The cost falls with epsilon in every run: of two
// policies that are optimal for the rewards R + s z and R + t z with s < t, the first has at least the value of
// the second under R. Each has at least the value of the other under its own rewards; adding both inequalities
// shows that the second has at least the value of the first under z, and then the first inequality shows the
// claim. This holds only for linear mechanisms.
func (e *Experiment) MeanCost(limit float64) Demand {
	m := e.Mission
	optimal := m.Optimal.Value[m.Grid.Start]
	worst := slices.Min(m.Rewards.Joint) / (1 - m.Discount) // lower bound on the value of every policy
	return Demand{Name: "mean cost of privacy", Limit: limit, Bound: (optimal - worst) / math.Abs(optimal),
		Falls: e.linear() != nil, Of: func(r *Run) float64 { return r.CostOfPrivacy }}
}
