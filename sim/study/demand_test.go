package study_test

import (
	"math"
	"testing"

	"veilpath/sim/study"
)

// A quantile is demanded by the share of the flights beyond the limit, of which one at the limit itself is none.
func TestDemands(t *testing.T) {
	e := paperStudy(t).Experiment
	run := &study.Run{DetectionKm: 40, CostOfPrivacy: 0.2}
	optimal := math.Abs(e.Mission.Optimal.Value[e.Mission.Grid.Start])
	for name, c := range map[string]struct {
		demand              study.Demand
		limit, bound, value float64
		falls               bool
	}{
		"mean":         {e.MeanDistance(56), 56, e.FarthestKm(), 40, false},
		"beyond":       {study.QuantileDistance(39.9, 0.75), 0.25, 1, 1, false},
		"at the limit": {study.QuantileDistance(40, 0.75), 0.25, 1, 0, false},
		"cost":         {e.MeanCost(0.05), 0.05, math.NaN(), 0.2, true},
	} {
		d := c.demand
		if d.Limit != c.limit || d.Of(run) != c.value || d.Falls != c.falls || d.Bound != c.bound && name != "cost" {
			t.Errorf("%s: limit %g, bound %g, value %g, falls %t", name, d.Limit, d.Bound, d.Of(run), d.Falls)
		}
	}
	// No policy costs more than the bound: not the one that earns the least reward at every step.
	least := math.Inf(1)
	for _, r := range e.Mission.Rewards.Joint {
		least = min(least, r)
	}
	worst := (e.Mission.Optimal.Value[e.Mission.Grid.Start] - least/(1-e.Mission.Discount)) / optimal
	if bound := e.MeanCost(0.05).Bound; math.Abs(bound/worst-1) > 1e-12 {
		t.Errorf("costs lie up to %g, want %g", bound, worst)
	}
}
