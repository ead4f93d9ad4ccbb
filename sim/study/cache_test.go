package study

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// paper is the paper's study, 20 epsilons of 200 runs.
func paper(t *testing.T) *Study {
	t.Helper()
	s := newStudy(t, planner.Spec{Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: planner.Cell{Row: 7}})
	s.Runs = 200
	for k := range 20 {
		s.Epsilons = append(s.Epsilons, 0.2*float64(k+1))
	}
	return s
}

// slipping is a few runs on a range of epsilon, on a small grid with slip.
func slipping(t *testing.T) *Study {
	t.Helper()
	s := newStudy(t, planner.Spec{Columns: 10, Rows: 10, SpacingKm: 25, StartCell: planner.Cell{Row: 3}, Slip: 0.1})
	s.Runs, s.Epsilons, s.Axis = 6, []float64{0.5, 1}, Range{Low: 0.4, High: 2}
	return s
}

func newStudy(t *testing.T, spec planner.Spec) *Study {
	t.Helper()
	spec.RewardWeight, spec.Discount, spec.Tolerance = 2, 0.95, 1e-10
	scenario := sim.Scenario{
		SpeedKmS: 1.7, AccelLimitKmS2: 0.2, Start: r3.Vec{X: -200, Y: -50, Z: 10}, HeadingRad: math.NaN(),
		HandoverKm: 80, WaypointGain: 3, WaypointMinTgoS: 2, GenexMinTgoS: 0.3, SteepeningRad: 1.38 * math.Pi / 180,
		MaxTransitions: 100, StepS: 0.1, CaptureKm: 5, MaxTimeS: 36000,
	}
	mission, err := planner.NewMission(spec, scenario.Start, scenario.Target)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(scenario, mission, Options{
		Guarantee: privacy.Guarantee{Calibration: privacy.Classical, Delta: 0.01, Adjacency: 1},
		Adversary: Adversary{Observer: adversary.Models()[0], LambdaPerS: 0.1, RadiusKm: 0.7, Rule: adversary.InARow(3)}})
	if err != nil {
		t.Fatal(err)
	}
	return &Study{Experiment: e, Seed: 1, Noise: Common, Workers: 2}
}

// What is remembered shows in no record, and never takes more than its limit. Most flights of the paper's study
// are remembered ones.
func TestRememberedFlightsShowInNoRecord(t *testing.T) {
	for name, c := range map[string]struct {
		study *Study
		least int // of the records
		share int // of them at least are of remembered flights, one in so many is not
		small int // limit in bytes
	}{"paper": {paper(t), 4000, 10, 1 << 15}, "slip": {slipping(t), 20, 3, 1 << 10}} {
		s := c.study
		fly := func(limit, workers int) []Run {
			m := &flightCache{limit: limit}
			s.Experiment.cache, s.Workers = m, workers
			var all []Run
			err := s.Do(context.Background(), func(records []Run) error {
				all = append(all, records...)
				m.mu.RLock()
				defer m.mu.RUnlock()
				if m.bytes > max(limit, 1<<14) { // one flight is always kept
					t.Fatalf("%s: %d bytes for a limit of %d", name, m.bytes, limit)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		want := fly(0, 1)
		for _, limit := range []int{c.small, cacheBytes} {
			for _, workers := range []int{1, 3} {
				if got := fly(limit, workers); !slices.Equal(got, want) {
					t.Errorf("%s: %d workers that remember %d bytes have other records than one who remembers nothing", name, workers,
						limit)
				}
			}
		}
		n := len(s.Experiment.cache.flights)
		if t.Logf("%s: %d of %d flights are different; %d bytes", name, n, len(want),
			s.Experiment.cache.bytes); len(want) < c.least || n > len(want)/c.share {
			t.Errorf("%s: %d flights of %d were different, want at most one in %d", name, n, len(want), c.share)
		}
	}
}

// A remembered flight is that of every route which begins with its waypoints, and of no other.
func TestMemoryKnowsRoutesByTheirBeginning(t *testing.T) {
	grid := paper(t).Experiment.Mission.Grid
	route := func(actions ...planner.Action) *planner.Route {
		r := &planner.Route{Grid: grid, Policy: make([]int32, grid.States())}
		state := grid.Start
		for _, a := range actions {
			r.Policy[state] = int32(a)
			state = grid.Next(state, a)
		}
		return r
	}
	visits := func(r *planner.Route, n int) (v []sim.Visit) {
		state := r.First()
		for range n {
			next := r.Next(len(v), state)
			v = append(v, sim.Visit{State: state, Commanded: next})
			state = next
		}
		return v
	}
	const east, north = planner.East, planner.North
	a, b := &cachedFlight{}, &cachedFlight{run: Run{Transitions: 1}}
	m := &flightCache{limit: cacheBytes}
	if m.get(route(east), 0) != nil {
		t.Error("an empty memory knows a route")
	}
	m.put(visits(route(east, east, north), 3), a)
	m.put(visits(route(east, north), 2), b)
	for _, c := range []struct {
		route *planner.Route
		want  *cachedFlight
	}{
		{route(east, east, north), a}, {route(east, east, north, east, north), a}, {route(east, north, north, north), b},
		{route(east, east, east), nil}, {route(north, east), nil},
	} {
		if got := m.get(c.route, 0); got != c.want {
			t.Errorf("route %v: recalled %p, want %p", c.route.Policy[:3], got, c.want)
		}
	}
	if m.get(route(east, north), 0.7) != nil {
		t.Error("a flight without its curve was recalled for one")
	}
	m.put(visits(route(east, north), 2), &cachedFlight{radiusKm: 0.7})
	m.put(visits(route(east, north), 2), &cachedFlight{radiusKm: 0.5})
	if f := m.get(route(east, north), 0.7); f == nil || f.radiusKm != 0.7 {
		t.Error("a flight with its curve did not take the place of the one without")
	}
	m.clear()
	if m.get(route(east, north), 0) != nil || m.bytes != 0 {
		t.Error("a route was not forgotten")
	}
}

// What a flyer keeps of a flight is that of every flight on its route, also of one that was remembered before without.
func TestKeptWithTheFlight(t *testing.T) {
	s := paper(t)
	flyer, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	sigmas, err := s.Sigmas()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 20
	var draws []Draw
	var levels []float64
	for run := range runs {
		draws, levels = append(draws, Draw{Seed: 1, Run: run, Noise: Common, Epsilon: s.Epsilons[9]}),
			append(levels, sigmas[9])
	}
	if err := flyer.FlyEach(draws, levels, FlightOptions{}, func(Flight) bool { return true }); err != nil {
		t.Fatal(err)
	}
	without, kept := s.Experiment.cache.bytes, 0
	o := FlightOptions{Keep: func(h *sim.History, _ []float64, _ r3.Vec) (any, int) {
		kept++
		return len(h.Samples),
			1000
	}}
	for range 2 {
		err := flyer.FlyEach(draws, levels, o, func(f Flight) bool {
			const rounding = 1e-9 // steps
			if want := f.FlightTimeS/s.Experiment.Scenario.StepS + rounding; f.Kept.(int) < int(want) ||
				f.Kept.(int) > int(want)+2 {
				t.Errorf("run %d of %v s keeps %v samples", f.Run.Run, f.FlightTimeS, f.Kept)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if different := len(s.Experiment.cache.flights); kept < different || kept >= different+sim.Lanes ||
		s.Experiment.cache.bytes < without+1000*different {
		t.Errorf("%d flights were looked at to keep %d; %d bytes after %d", kept, different, s.Experiment.cache.bytes,
			without)
	}
}
