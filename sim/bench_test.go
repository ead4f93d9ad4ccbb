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

// BenchmarkFlyLanes flies the private course sim.Lanes times at once; its time is that of them all.
func BenchmarkFlyLanes(b *testing.B) {
	s := paperScenario()
	histories, outcomes := make([]sim.History, sim.Lanes), make([]sim.Outcome, sim.Lanes)
	routes := make([]sim.Route, sim.Lanes)
	for i := range routes {
		routes[i] = staircase()
	}
	s.FlyLanes(routes, histories, outcomes)
	b.ReportAllocs()
	for b.Loop() {
		s.FlyLanes(routes, histories, outcomes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sim.Lanes*len(histories[0].Samples)), "ns/step")
}
