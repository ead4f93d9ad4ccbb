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
		next := func(int) (sim.Route, bool) { launched++; return route, launched <= 16 }
		s.FlyLanes(next, &histories, func(_ int, h *sim.History, _ sim.Outcome) { steps += len(h.Samples) }, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
}

// BenchmarkStep is what a step takes while flights go side by side: on legs, which circle far from the target and have
// nothing in common, and under GENEX from the start.
func BenchmarkStep(b *testing.B) {
	s := paperScenario()
	s.MaxTransitions, s.MaxTimeS = 1e6, 300
	circling := func(flight int) sim.Route {
		c := triangle()
		c.at[1].Y += float64(flight % 17)
		return c
	}
	for _, c := range []struct {
		name  string
		route func(flight int) sim.Route
	}{{"level", circling}, {"terminal", func(int) sim.Route { return nil }}} {
		b.Run(c.name, func(b *testing.B) {
			var histories [sim.Lanes]sim.History
			steps := 0
			for b.Loop() {
				launched := 0
				next := func(int) (sim.Route, bool) { launched++; return c.route(launched), launched <= sim.Lanes }
				s.FlyLanes(next, &histories, func(_ int, h *sim.History, _ sim.Outcome) { steps += len(h.Samples) }, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
		})
	}
}
