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

// BenchmarkFlyAbreast flies the private course sim.Abreast times at once; its time is that of them all.
func BenchmarkFlyAbreast(b *testing.B) {
	s := paperScenario()
	histories, outcomes := make([]sim.History, sim.Abreast), make([]sim.Outcome, sim.Abreast)
	routes := make([]sim.Route, sim.Abreast)
	for i := range routes {
		routes[i] = staircase()
	}
	s.FlyAbreast(routes, histories, outcomes)
	b.ReportAllocs()
	for b.Loop() {
		s.FlyAbreast(routes, histories, outcomes)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sim.Abreast*len(histories[0].Samples)), "ns/step")
}
