package sim_test

import (
	"testing"

	"veilpath/sim"
)

func BenchmarkFly(b *testing.B) {
	s := paperScenario()
	for _, c := range []namedRoute{{"nominal", nil}, {"private", staircase()}} {
		b.Run(c.name, func(b *testing.B) {
			var history sim.History
			s.Fly(c.route, &history)
			b.ReportAllocs()
			for b.Loop() {
				s.Fly(c.route, &history)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(history.Samples)), "ns/step")
		})
	}
}

// BenchmarkFlyLanes flies the private course sixteen times.
func BenchmarkFlyLanes(b *testing.B) {
	s, route := paperScenario(), staircase()
	var histories [sim.Lanes]sim.History
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		launched := 0
		next := func(int) (*sim.Scenario, sim.Route) {
			if launched++; launched > 16 {
				return nil, nil
			}
			return s, route
		}
		sim.FlyLanes(next, &histories, func(_ int, h *sim.History, _ sim.Outcome) { steps += len(h.Samples) }, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}
