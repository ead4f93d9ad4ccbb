package study_test

import (
	"context"
	"math"
	"sync"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/study"
)

// paperStudy is the paper's Example 3: 20 epsilons x 200 runs. Tests share its experiment, which remembers flights;
// benchmarks have one of their own.
func paperStudy(tb testing.TB) study.Study {
	tb.Helper()
	experiment := paperExperiment
	if _, measured := tb.(*testing.B); measured {
		experiment = freshExperiment
	}
	e, err := experiment()
	if err != nil {
		tb.Fatal(err)
	}
	s := setup.Study(configs.Default(), e)
	s.Axis = study.Range{}
	return s
}

func freshExperiment() (*study.Experiment, error) { return setup.Experiment(configs.Default()) }

var paperExperiment = sync.OnceValues(freshExperiment)

// forgetful is the paper's study with an experiment that remembers nothing yet.
func forgetful(t *testing.T, s study.Study) study.Study {
	t.Helper()
	var err error
	if s.Experiment, err = freshExperiment(); err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkPart times the parts of a closed-loop run; solve, flight and observation are averaged over
// the paper's epsilons as a study meets them.
func BenchmarkPart(b *testing.B) {
	s := paperStudy(b)
	e := s.Experiment
	sigmas, err := s.Sigmas()
	if err != nil {
		b.Fatal(err)
	}
	flyer, err := e.NewFlyer()
	if err != nil {
		b.Fatal(err)
	}
	noise := make([]float64, len(e.Mission.Rewards.Joint))
	var generator privacy.Noise
	b.Run("noise", func(b *testing.B) {
		for i := range b.N {
			generator.Seek(privacy.Address{Seed: s.Seed, Run: uint64(i)})
			generator.Normals(noise)
		}
	})
	b.Run("solve", func(b *testing.B) {
		p, err := planner.NewPlanner(e.Mission.Solved, privacy.InputPerturbation{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range b.N {
			if i%len(sigmas) == 0 {
				generator.Seek(privacy.Address{Seed: s.Seed, Run: uint64(i / len(sigmas))})
				generator.Normals(noise)
			}
			p.Replan(p.Privatize(sigmas[i%len(sigmas)], noise))
		}
	})
	b.Run("flight", func(b *testing.B) {
		routes := make([]planner.Route, 64)
		for i := range routes {
			flyer.Fly(study.Draw{Seed: s.Seed, Run: i}, sigmas[i%len(sigmas)])
			routes[i] = planner.Route{Grid: e.Mission.Grid, Policy: append([]int32(nil), flyer.Detail().Plan.Policy...)}
		}
		var h sim.History
		steps := 0
		for i := range b.N {
			e.Scenario.Fly(&routes[i%len(routes)], &h)
			steps += len(h.Samples)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	})
	b.Run("lanes", func(b *testing.B) {
		routes := make([]sim.Route, 64)
		for i := range routes {
			flyer.Fly(study.Draw{Seed: s.Seed, Run: i}, sigmas[i%len(sigmas)])
			routes[i] = &planner.Route{Grid: e.Mission.Grid, Policy: append([]int32(nil), flyer.Detail().Plan.Policy...)}
		}
		var h [sim.Lanes]sim.History
		steps := 0
		i := -1
		next := func(int) (*sim.Scenario, sim.Route) {
			if i++; i >= b.N {
				return nil, nil
			}
			return &e.Scenario, routes[i%len(routes)]
		}
		sim.FlyLanes(next, &h, func(_ int, h *sim.History, _ sim.Outcome) { steps += len(h.Samples) }, nil)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(steps), "ns/step")
	})
	b.Run("observe", func(b *testing.B) {
		flyer.Fly(study.Draw{Seed: s.Seed}, sigmas[0])
		observer := adversary.NewBallisticObserver(e.Adversary.LambdaPerS)
		f := flyer.Detail()
		for range b.N {
			f.Errors.Fill(observer, f.History, e.Scenario.Target)
			f.Curve.Fill(f.Errors, e.Adversary.Rule, f.Outcome.HandoverSample)
		}
	})
	b.Run("run", func(b *testing.B) {
		b.ReportAllocs()
		draws := make([]study.Draw, len(sigmas))
		for i := 0; i < b.N; i += len(sigmas) {
			for k, epsilon := range s.Epsilons {
				draws[k] = study.Draw{Seed: s.Seed, Run: i / len(sigmas), Epsilon: epsilon}
			}
			flyer.FlyEach(draws, sigmas, study.FlightOptions{RadiusKm: math.Inf(1)}, func(study.Flight) bool { return true })
		}
	})
}

// BenchmarkStudy times the paper's whole figure, 4,000 flights.
func BenchmarkStudy(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "workers=1", 2: "workers=2"}[workers], func(b *testing.B) {
			s := paperStudy(b)
			s.Workers = workers
			for range b.N {
				if err := s.Do(context.Background(), func([]study.Run) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
			flights := float64(b.N * s.Runs * len(s.Epsilons))
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1000*float64(workers)/flights, "us/run/core")
		})
	}
}
