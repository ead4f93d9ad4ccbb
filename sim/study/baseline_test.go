package study_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// baselineStudy returns a study of settings with some runs at None() and other epsilons.
func baselineStudy(t *testing.T, change func(*configs.Config)) study.Study {
	t.Helper()
	c := configs.Default()
	c.Study.Axis, c.Study.Runs = configs.Axis{}, 40
	change(&c)
	e, err := setup.Experiment(c)
	if err != nil {
		t.Fatal(err)
	}
	s := setup.Study(c, e)
	s.Epsilons = []float64{0.4, study.None(), 4}
	return s
}

// recordsOf flies a study.
func recordsOf(t *testing.T, s study.Study) (records []study.Run) {
	t.Helper()
	err := s.Do(context.Background(), func(r []study.Run) error { records = s.Listed(r, records); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return records
}

// The baselines of the paper's mission. The distances come from flights of another program, which flew the plan
// without noise, and a straight level leg that ends at the hand-over.
func TestBaselinesOfThePaper(t *testing.T) {
	const toleranceKm = 0.1
	b := baselineStudy(t, func(*configs.Config) {}).Experiment.Baselines
	for name, c := range map[string]struct{ got, want float64 }{
		"direct":        {b.Direct.DetectionKm, 101.55},
		"hand-over":     {b.HandoverOnly.DetectionKm, 60.83},
		"planned":       {b.Planned.DetectionKm, 60.77},
		"hand-over at":  {b.HandoverOnly.HandoverKm, 79.9},
		"planned until": {b.Planned.HandoverKm, 79.9},
	} {
		if math.Abs(c.got-c.want) > toleranceKm {
			t.Errorf("%s: %.2f km, want %.2f", name, c.got, c.want)
		}
	}
	if b.DirectBlocked || b.HandoverOnlyBlocked || b.HandoverOnly.Transitions > 1 {
		t.Errorf("blocked %v and %v, %d transitions", b.DirectBlocked, b.HandoverOnlyBlocked, b.HandoverOnly.Transitions)
	}
}

// Flights at None() are the planned flight, on a list, on a range and where moves are uncertain.
func TestNoneIsThePlannedFlight(t *testing.T) {
	for name, change := range map[string]func(*configs.Config){
		"listed":      func(*configs.Config) {},
		"range":       func(c *configs.Config) { c.Study.Axis = configs.Axis{Low: 0.2, High: 4} },
		"independent": func(c *configs.Config) { c.Study.Noise = configs.Independent },
		"slip":        func(c *configs.Config) { c.Planner.Slip, c.Study.Runs = 0.1, 5 },
		"drawn goal":  func(c *configs.Config) { c.Privacy.Mechanism, c.Study.Runs = "parameter", 5 },
	} {
		t.Run(name, func(t *testing.T) {
			s := baselineStudy(t, change)
			planned := s.Experiment.Baselines.Planned
			tally, err := s.NewTally()
			if err != nil {
				t.Fatal(err)
			}
			records := recordsOf(t, s)
			tally.Add(records)
			for i, r := range records {
				if r.PlannedKm != planned.DetectionKm {
					t.Fatalf("run %d at epsilon %g: planned %g km, want %g", r.Run, r.Epsilon, r.PlannedKm, planned.DetectionKm)
				}
				if i%3 != 1 {
					continue
				}
				if r.Epsilon != study.None() || r.DetectionKm != planned.DetectionKm || r.CostOfPrivacy != 0 ||
					r.PathOverhead != 0 || r.FlightTimeS != planned.FlightTimeS {
					t.Fatalf("run %d without noise: %+v, want %+v", r.Run, r, planned)
				}
			}
			for i, m := range tally.Summaries() {
				none := i == 1
				if (m.NoiseKm == 0) != none || none && (m.NoiseLowKm != 0 || m.NoiseHighKm != 0 || m.CILowKm != m.MeanKm ||
					m.CIHighKm != m.MeanKm || m.Sigma != 0) {
					t.Errorf("epsilon %g: %+v", m.Epsilon, m)
				}
				if math.Abs(m.NoiseKm-(m.MeanKm-planned.DetectionKm)) > 1e-9 || m.Runs != s.Runs { // rounding of sums
					t.Errorf("epsilon %g: noise %g km in %d runs, the mean is %g", m.Epsilon, m.NoiseKm, m.Runs, m.MeanKm)
				}
			}
		})
	}
}

// With a wall in the way the direct flight is no baseline, and noise makes hiding worse.
func TestBaselinesRoundAWall(t *testing.T) {
	s := baselineStudy(t, func(c *configs.Config) { c.Planner.KeepOut = [][]int{{8, 0, 8, 15}} })
	b := s.Experiment.Baselines
	if !b.DirectBlocked || !b.HandoverOnlyBlocked || math.Abs(b.Planned.DetectionKm-18.94) > 0.1 {
		t.Errorf("blocked %v and %v, planned %.2f km, want true, true and 18.94", b.DirectBlocked, b.HandoverOnlyBlocked,
			b.Planned.DetectionKm)
	}
	tally, err := s.NewTally()
	if err != nil {
		t.Fatal(err)
	}
	records := recordsOf(t, s)
	tally.Add(records)
	for _, r := range records {
		if !math.IsNaN(r.DirectKm) || !math.IsNaN(r.HandoverOnlyKm) || !math.IsNaN(r.DirectOverhead) ||
			math.IsNaN(r.PathOverhead) {
			t.Fatalf("%+v", r)
		}
	}
	m := tally.Summaries()[0]
	if !math.IsNaN(m.DirectKm) || !math.IsNaN(m.HandoverOnlyKm) || !math.IsNaN(m.DirectOverhead) || !(m.NoiseLowKm > 0) {
		t.Errorf("epsilon %g: %+v", m.Epsilon, m)
	}
	// A wall beyond the goal is in nobody's way.
	beyond := baselineStudy(t, func(c *configs.Config) {
		c.Planner.KeepOut = [][]int{{19, 0, 19, 19}}
	}).Experiment.Baselines
	if beyond.DirectBlocked || beyond.HandoverOnlyBlocked {
		t.Errorf("a wall beyond the goal blocks: %v and %v", beyond.DirectBlocked, beyond.HandoverOnlyBlocked)
	}
	// One between hand-over and goal crosses the direct flight alone.
	near := baselineStudy(t, func(c *configs.Config) { c.Planner.KeepOut = [][]int{{13, 9, 13, 11}} }).Experiment.Baselines
	if !near.DirectBlocked || near.HandoverOnlyBlocked {
		t.Errorf("a wall behind the hand-over blocks: %v and %v, want true and false", near.DirectBlocked,
			near.HandoverOnlyBlocked)
	}
}

// anyHeading is a first heading that tells nothing.
var anyHeading = vary.Variation{Key: "vehicle.heading", Distribution: vary.Distribution{Name: "uniform",
	Numbers: []float64{-180, 180}}}

// Flights that draw their heading are paired with the planned flight of the same heading.
func TestNoiseIsPairedRunByRun(t *testing.T) {
	s := baselineStudy(t, func(c *configs.Config) { c.Vary = configs.Varied{anyHeading} })
	tally, err := s.NewTally()
	if err != nil {
		t.Fatal(err)
	}
	records := recordsOf(t, s)
	tally.Add(records)
	different := map[float64]bool{}
	var differences [2]float64
	for i := 0; i < len(records); i += 3 {
		noisy, none, weak := records[i], records[i+1], records[i+2]
		different[none.DetectionKm] = true
		if noisy.PlannedKm != none.DetectionKm || weak.PlannedKm != none.DetectionKm || none.PlannedKm != none.DetectionKm {
			t.Fatalf("run %d is recognised at %g km without noise, and records say %g, %g and %g", noisy.Run, none.DetectionKm,
				noisy.PlannedKm, none.PlannedKm, weak.PlannedKm)
		}
		differences[0] += (noisy.DetectionKm - none.DetectionKm) / float64(s.Runs)
		differences[1] += (weak.DetectionKm - none.DetectionKm) / float64(s.Runs)
	}
	if len(different) < 5 {
		t.Fatalf("%d different planned flights", len(different))
	}
	summaries := tally.Summaries()
	if none := summaries[1]; none.NoiseKm != 0 || none.NoiseLowKm != 0 || none.NoiseHighKm != 0 ||
		!(none.CILowKm < none.MeanKm &&
			none.MeanKm < none.CIHighKm) {
		t.Errorf("without noise: noise %g km, mean %g (%g to %g) km", none.NoiseKm, none.MeanKm,
			none.CILowKm, none.CIHighKm)
	}
	for k, m := range []study.Summary{summaries[0], summaries[2]} {
		if math.Abs(m.NoiseKm-differences[k]) > 1e-9 { // rounding of sums of some 40 distances
			t.Errorf("epsilon %g: noise %g km, want %g", m.Epsilon, m.NoiseKm, differences[k])
		}
		if !(m.NoiseLowKm < m.NoiseKm && m.NoiseKm < m.NoiseHighKm) || m.NoiseHighKm-m.NoiseLowKm == m.CIHighKm-m.CILowKm {
			t.Errorf("epsilon %g: noise %g (%g to %g) km; the mean's interval is %g to %g", m.Epsilon, m.NoiseKm, m.NoiseLowKm,
				m.NoiseHighKm, m.CILowKm, m.CIHighKm)
		}
	}
}

// Baselines as observers of another radius saw them are those of an experiment of that radius.
func TestBaselinesAtAnotherRadius(t *testing.T) {
	for name, random := range map[string]bool{"nothing drawn": false, "heading drawn": true} {
		t.Run(name, func(t *testing.T) {
			of := func(radiusKm float64) *study.Baselines {
				e := baselineStudy(t, func(c *configs.Config) {
					if c.Adversary.RadiusKm = radiusKm; random {
						c.Vary = configs.Varied{anyHeading}
					}
				}).Experiment
				flyer, err := e.NewFlyer()
				if err != nil {
					t.Fatal(err)
				}
				baselines, err := flyer.Baselines(study.Draw{Seed: 1, Run: 3})
				if err != nil {
					t.Fatal(err)
				}
				return baselines
			}
			const radiusKm = 4
			want, own := of(radiusKm), of(0.5)
			got := own.At(radiusKm)
			if got.Direct != want.Direct || got.HandoverOnly != want.HandoverOnly || got.Planned != want.Planned {
				t.Errorf("direct, hand-over only and planned are\n%+v\n%+v\n%+v, want\n%+v\n%+v\n%+v",
					got.Direct, got.HandoverOnly, got.Planned, want.Direct, want.HandoverOnly, want.Planned)
			}
			if own.Direct.DetectionKm == want.Direct.DetectionKm {
				t.Error("both radii recognise the direct flight at the same distance")
			}
		})
	}
}

// Overheads are against the baseline that they are named for, and NaN where the time limit ended either flight.
func TestOverheads(t *testing.T) {
	for name, c := range map[string]struct {
		change       func(*study.Run, *study.Baselines)
		path, direct float64
	}{
		"all arrive":         {func(*study.Run, *study.Baselines) {}, 0.5, 2},
		"run ended":          {func(r *study.Run, _ *study.Baselines) { r.TimedOut = true }, math.NaN(), math.NaN()},
		"planned one ended":  {func(_ *study.Run, b *study.Baselines) { b.Planned.TimedOut = true }, math.NaN(), 2},
		"direct one ended":   {func(_ *study.Run, b *study.Baselines) { b.Direct.TimedOut = true }, 0.5, math.NaN()},
		"direct one blocked": {func(_ *study.Run, b *study.Baselines) { b.DirectBlocked = true }, 0.5, math.NaN()},
	} {
		b := study.Baselines{Direct: study.Run{FlightTimeS: 100}, HandoverOnly: study.Run{FlightTimeS: 150},
			Planned: study.Run{FlightTimeS: 200}}
		r := study.Run{FlightTimeS: 300}
		c.change(&r, &b)
		r.Compare(&b)
		same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
		if !same(r.PathOverhead, c.path) || !same(r.DirectOverhead, c.direct) {
			t.Errorf("%s: %g and %g, want %g and %g", name, r.PathOverhead, r.DirectOverhead, c.path, c.direct)
		}
	}
}

// A flyer that has flown the baselines of one draw gives those of another draw as a fresh one does.
func TestBaselinesOfOtherDraws(t *testing.T) {
	e := baselineStudy(t, func(c *configs.Config) { c.Vary = configs.Varied{anyHeading} }).Experiment
	of := func(draws ...study.Draw) (last study.Baselines) {
		flyer, err := e.NewFlyer()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range draws {
			baselines, err := flyer.Baselines(d)
			if err != nil {
				t.Fatal(err)
			}
			last = *baselines
		}
		return last
	}
	first := study.Draw{Seed: 1, Run: 3}
	for _, next := range []study.Draw{{Seed: 2, Run: 3}, {Seed: 1, Run: 4}} {
		got, want := of(first, next), of(next)
		if got.Planned != want.Planned || got.Planned == of(first).Planned {
			t.Errorf("seed %d, run %d: planned %+v, want %+v", next.Seed, next.Run, got.Planned, want.Planned)
		}
	}
}

// A part of a sweep may have no flight of a point, with noise or without: then nothing is known of it.
func TestTallyWithoutFlights(t *testing.T) {
	s := baselineStudy(t, func(*configs.Config) {})
	tally, err := s.NewTally()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range tally.Summaries() {
		for _, km := range []float64{m.MeanKm, m.CILowKm, m.CIHighKm, m.StdKm, m.MedianKm, m.PlannedKm, m.NoiseKm} {
			if m.Runs != 0 || !math.IsNaN(km) {
				t.Errorf("epsilon %g: %d runs, %g among\n%+v", m.Epsilon, m.Runs, km, m)
			}
		}
	}
}

// An interval leaves room for a flight that is recognised at the hand-over distance, the farthest that is
// drawn: of n flights at x and a bound B it ends at B - (B-x) 0.025^(1/n).
func TestIntervalsLeaveRoomToThePlausibleDistance(t *testing.T) {
	const n, x, toleranceKm = 20, 50.0, 0.1 // the error probability is right to 3 % of itself
	for spreadKm, bound := range map[float64]float64{0: 80, 30: 110} {
		s := baselineStudy(t, func(c *configs.Config) {
			if spreadKm > 0 {
				c.Vary = configs.Varied{{Key: vary.HandoverKm, Distribution: vary.Distribution{Name: "uniform",
					Numbers: []float64{80 - spreadKm, 80 + spreadKm}}}}
			}
		})
		tally, err := s.NewTally()
		if err != nil {
			t.Fatal(err)
		}
		for run := range n {
			tally.Add([]study.Run{{Epsilon: 0.4, Run: run, DetectionKm: x}})
		}
		want := bound - (bound-x)*math.Pow(0.025, 1./n)
		if got := tally.Summaries()[0].CIHighKm; math.Abs(got-want) > toleranceKm {
			t.Errorf("bound %g km: up to %.3f km, want %.3f", bound, got, want)
		}
	}
}

// With several goals the flights that are straight end where the planned one does, and what differs between them is
// not the destination: also where the plan flies to the goal that is farther.
func TestStraightBaselinesEndWhereThePlannedFlightDoes(t *testing.T) {
	belt := "column,row,reward\n" // that costs dearly before the goal that is nearer
	for cell := range 27 {
		belt += fmt.Sprintf("%d,%d,-40\n", 9+cell/9, cell%9)
	}
	loaded, err := configs.Load(configs.Request{
		Sets: []string{"vehicle.start_km=[-120,0,8]", "target_km=[80,50,0]", "planner.rows=18", "planner.spacing_km=12",
			"planner.start_cell=[1,8]", "planner.moves=8", "planner.goals=[[17,3]]", "planner.rewards=belt.csv",
			"privacy.handover_km=40"},
		ReadFile: func(string) ([]byte, error) { return []byte(belt), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	flyer, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	goal := e.Baselines.Goal
	if goal == e.Scenario.TargetFrom(e.Scenario.Start) {
		t.Error("the planned flight ends at the goal that is nearest; the test is of nothing")
	}
	if flyer.FlyDirect(); flyer.Detail().Outcome.Target != goal {
		t.Errorf("the planned flight ends at %v, the direct one at %v", goal, flyer.Detail().Outcome.Target)
	}
}

// The mean of a baseline is that of all runs, or it is not given: the runs that lack it are other runs.
func TestBaselinesThatSomeRunsLack(t *testing.T) {
	tally := study.NewTally([]float64{1}, []float64{2})
	tally.Add([]study.Run{{Epsilon: 1, DirectKm: 100, HandoverOnlyKm: 60, PlannedKm: 50, DetectionKm: 40},
		{Epsilon: 1, Run: 1, DirectKm: math.NaN(), HandoverOnlyKm: 62, PlannedKm: 52, DetectionKm: 44}})
	if s := tally.Summaries()[0]; !math.IsNaN(s.DirectKm) || s.HandoverOnlyKm != 61 || s.PlannedKm != 51 ||
		s.NoiseKm != -9 {
		t.Errorf("direct %g, hand-over %g, planned %g, noise %g; want none, 61, 51 and -9", s.DirectKm, s.HandoverOnlyKm,
			s.PlannedKm, s.NoiseKm)
	}
}
