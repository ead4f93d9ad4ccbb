package study

import (
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/planner"
	"veilpath/sim"
)

// Routes wait in the order of their waypoints, each once, so that those which begin alike are next to each other.
func TestRoutesWaitInOrder(t *testing.T) {
	flyer, err := paper(t).Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	grid, rng := flyer.experiment.Mission.Grid, rand.New(rand.NewPCG(1, 2))
	policies := make([][]int32, 40)
	for i := range policies {
		for range grid.States() {
			policies[i] = append(policies[i], rng.Int32N(int32(flyer.experiment.Mission.Law.Actions())))
		}
	}
	numbers := map[int]int{}
	for range 4 * len(policies) {
		i := rng.IntN(len(policies))
		number := flyer.addRoute(flyer.settled, &planner.Route{Grid: grid, Policy: policies[i]})
		if flyer.compareRoutes(&flyer.queue.routes[number], &planner.Route{Grid: grid, Policy: policies[i]}) != 0 {
			t.Errorf("policy %d has the number of another route", i)
		}
		if known, ok := numbers[i]; ok && known != number {
			t.Errorf("policy %d waits as route %d and as route %d", i, known, number)
		}
		numbers[i] = number
	}
	order := flyer.queue.order[:flyer.queue.routeCount]
	for k := range order[1:] {
		if flyer.compareRoutes(&flyer.queue.routes[order[k]], &flyer.queue.routes[order[k+1]]) >= 0 {
			t.Errorf("route %d waits before route %d", order[k], order[k+1])
		}
	}
	if len(order) < len(policies)/2 {
		t.Errorf("%d routes wait of %d policies, want most", len(order), len(policies))
	}
}

// Every route is given to one lane, that in which it waits, neighbours after each other, as long as there are any.
func TestQueuesGiveNeighboursToALane(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		q := assignLanes(indices(n))
		last := [sim.Lanes]int{}
		given := make([]int, 0, n)
		for len(given) < n {
			lane := rng.IntN(sim.Lanes)
			waits := len(q[lane]) > 0
			i, ok := q.next(lane)
			if !ok {
				t.Fatalf("%d routes: none is given after %d", n, len(given))
			}
			if waits && last[lane] > 0 && i != last[lane]+1 {
				t.Errorf("%d routes: lane %d gets %d after %d", n, lane, i, last[lane])
			}
			last[lane] = i
			given = append(given, i)
		}
		if _, ok := q.next(0); ok {
			t.Errorf("%d routes: one more is given", n)
		}
		slices.Sort(given)
		if !slices.Equal(given, indices(n)) {
			t.Errorf("%d routes: %v were given", n, given)
		}
	}
}

// Flights that circle for long leave a flyer room for one such flight.
func TestFlyersKeepRoomForOneLongFlight(t *testing.T) {
	s := paper(t)
	const epsilon, usual = 0.06, 1 << 12 // at which half of the flights circle
	sigma, err := s.Experiment.Sigma(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	var draws []Draw
	var sigmas []float64
	for run := range 3 * sim.Lanes {
		draws, sigmas = append(draws, Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: epsilon}), append(sigmas, sigma)
	}
	f, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.FlyEach(draws, sigmas, FlightOptions{}, func(Flight) bool { return true }); err != nil {
		t.Fatal(err)
	}
	long := 0
	for i := range f.queue.histories {
		if cap(f.queue.histories[i].Samples) > usual {
			long++
		}
	}
	if long != 1 {
		t.Errorf("%d lanes have room for a long flight, want one", long)
	}
}

// Routes are the same flight where their waypoints are the same up to the last that a flight of the most transitions
// commands, the one which it does not follow any more among them, since its record shows that.
func TestRoutesDifferUpToTheLastWaypointCommanded(t *testing.T) {
	s := paper(t)
	e := s.Experiment
	grid := e.Mission.Grid
	actions := e.Mission.Law.Actions()
	rows := make([][]int32, 3) // of policies: east throughout, and turning away at a transition
	f, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	const transitions = 3
	f.experiment.Scenario.MaxTransitions = transitions
	east := int32(-1)
	start := (&planner.Route{Grid: grid}).First()
	for a := range actions {
		if grid.Next(start, planner.Action(a)) == start+1 {
			east = int32(a)
		}
	}
	if east < 0 {
		t.Fatal("no action leads east")
	}
	for i := range rows {
		rows[i] = slices.Repeat([]int32{east}, grid.States())
	}
	turned := (east + 1) % int32(actions)
	rows[1][start+transitions] = turned   // after the last transition: commanded, and given up
	rows[2][start+transitions+1] = turned // beyond
	route := func(i int) *planner.Route { return &planner.Route{Grid: grid, Policy: rows[i]} }
	if f.compareRoutes(route(0), route(1)) == 0 || f.compareRoutes(route(1), route(0)) == 0 {
		t.Error("routes that command other waypoints at last are taken for one")
	}
	if f.compareRoutes(route(0), route(1))*f.compareRoutes(route(1), route(0)) > 0 {
		t.Error("each of two routes comes before the other")
	}
	if f.compareRoutes(route(0), route(2)) != 0 || f.compareRoutes(route(0), route(0)) != 0 {
		t.Error("routes that command the same are taken for two")
	}
	scenario := f.experiment.Scenario
	scenario.HandoverKm = 1
	var histories [3]sim.History
	for i := range histories {
		scenario.Fly(route(i), &histories[i])
	}
	if slices.Equal(histories[0].Visits, histories[1].Visits) || !slices.Equal(histories[0].Visits,
		histories[2].Visits) || !histories[0].GaveUp {
		t.Errorf("the flights visit %v, %v and %v", histories[0].Visits, histories[1].Visits, histories[2].Visits)
	}
}
