package study

import (
	"cmp"
	"sort"

	"veilpath/planner"
	"veilpath/sim"
)

// flightQueue queues draws in order, and the routes to be flown for them in parallel. There are more routes than
// lanes, so that few lanes are idle while the last flights end.
type flightQueue struct {
	routes       [routesAtOnce + 1]planner.Route
	under        [routesAtOnce + 1]*conditions   // by route
	flown        [routesAtOnce + 1]*cachedFlight // by route
	order        [routesAtOnce + 1]int           // of the routes, sorted by their runs and their waypoints
	routeCount   int
	histories    [sim.Lanes]sim.History // by lane
	draws        []queuedDraw
	planned      []plannedRoute // of the runs that need baselines
	last         queuedDraw     // the last draw that was flushed
	completeRuns int            // number of runs whose pieces were all flushed
}

// plannedRoute is the number of the route that a run flies without noise.
type plannedRoute struct {
	under *conditions
	route int
}

// The largest number of routes flown together, the number on large grids, and the limit on the states of their
// policies.
const (
	routesAtOnce   = 64 * sim.Lanes
	fewRoutes      = 16 * sim.Lanes
	policiesStates = 1 << 18
)

// queuedDraw is a draw whose record is passed on after those of the draws before it.
type queuedDraw struct {
	draw    Draw
	under   *conditions
	cost    float64
	cached  *cachedFlight // nil: its route is still to be flown
	route   int           // number of its route
	endsRun bool          // it is the last piece of its run
}

func (q *flightQueue) reset() { q.routeCount, q.draws, q.planned = 0, q.draws[:0], q.planned[:0] }

// enqueue queues a draw under the conditions of its run. A cached flight of its route is reused; otherwise the route is
// queued for flying.
func (f *Flyer) enqueue(draw Draw, under *conditions, route planner.Route, cost float64) {
	if q := &f.queue; under.baselines == nil && (len(q.planned) == 0 || q.planned[len(q.planned)-1].under != under) {
		planned := f.follow(f.experiment.Mission.Optimal.Policy)
		q.planned = append(q.planned, plannedRoute{under, f.addRoute(under, &planned)})
	}
	d := queuedDraw{draw: draw, under: under, cost: cost, cached: f.cachedFlight(under, &route)}
	if d.cached == nil {
		d.route = f.addRoute(under, &route)
	}
	f.queue.draws = append(f.queue.draws, d)
}

// enqueueSame queues another draw with the flight of the draw queued before.
func (f *Flyer) enqueueSame(draw Draw) {
	q := &f.queue
	d := q.last
	if n := len(q.draws); n > 0 {
		d = q.draws[n-1]
	}
	d.draw = draw
	q.draws = append(q.draws, d)
}

// mustFlush reports whether the queue must be flushed: there are enough routes to fly, or none, or the draw queued
// before is the last one.
func (f *Flyer) mustFlush(last bool) bool {
	if f.queue.routeCount == 0 || last {
		return true
	}
	// With random transitions, plans take long, and stopping is only possible at the next record. On large grids,
	// policies take memory.
	enough := sim.Lanes
	if f.hasAxis() {
		enough = min(max(fewRoutes, policiesStates/f.experiment.Mission.Grid.States()), routesAtOnce)
	}
	return f.queue.routeCount >= enough
}

// flush flies the routes and calls yield with the records of the queued draws until yield returns false or an
// observer fails.
func (f *Flyer) flush(yield func(Flight) bool) (goOn bool, err error) {
	q := &f.queue
	f.flyRoutes()
	var runs []*conditions
	for _, planned := range q.planned {
		planned.under.planned = q.flown[planned.route]
		runs = append(runs, planned.under)
	}
	f.flyBaselines(runs, f.options.RadiusKm)
	for k := range q.draws {
		d := &q.draws[k]
		if d.cached == nil {
			if d.cached = q.flown[d.route]; d.cached == nil {
				return false, nil // the flyer was stopped before this flight
			}
		}
		err := d.cached.err
		if len(runs) > 0 {
			err = cmp.Or(err, f.Failure()) // of an observer that could not watch a baseline
		}
		if err != nil {
			return false, d.draw.failed(err)
		}
		r := d.cached.run
		r.complete(d.draw, d.cost, d.under.baselines[0])
		f.othersRecords = append(f.othersRecords[:0], d.cached.others...)
		for i := range f.othersRecords {
			f.othersRecords[i].complete(d.draw, d.cost, d.under.baselines[i+1])
		}
		if d.endsRun {
			q.completeRuns++
		}
		if !yield(Flight{r, f.othersRecords, d.cached.curve, d.cached.kept, d.under.baselines[0]}) {
			return false, nil
		}
	}
	q.last = q.draws[len(q.draws)-1]
	q.reset()
	return true, nil
}

// addRoute returns the number of a queued route: that of an equal route under the same conditions, or the next number.
func (f *Flyer) addRoute(under *conditions, route *planner.Route) int {
	q := &f.queue
	compare := func(k int) int {
		other := q.order[k]
		return cmp.Or(q.under[other].run-under.run, f.compareRoutes(&q.routes[other], route))
	}
	at := sort.Search(q.routeCount, func(k int) bool { return compare(k) >= 0 })
	if at < q.routeCount && compare(at) == 0 {
		return q.order[at]
	}
	q.under[q.routeCount] = under
	added := &q.routes[q.routeCount]
	added.Grid, added.Policy = route.Grid, append(added.Policy[:0], route.Policy...)
	added.Path = append(added.Path[:0], route.Path...)
	q.routeCount++
	copy(q.order[at+1:q.routeCount], q.order[at:])
	q.order[at] = q.routeCount - 1
	return q.routeCount - 1
}

// compareRoutes orders routes by the waypoints that they command, up to the longest possible flight.
func (f *Flyer) compareRoutes(a, b *planner.Route) int {
	state := a.First()
	for visit := range f.experiment.Scenario.MaxTransitions + 1 {
		next, other := a.Next(visit, state), b.Next(visit, state)
		if next != other {
			return next - other
		}
		if next == state && visit+1 >= max(len(a.Path), len(b.Path)) {
			return 0 // both stay in this state
		}
		state = next
	}
	return 0
}

// flyRoutes flies the queued routes and caches the complete flights.
func (f *Flyer) flyRoutes() {
	q, n := &f.queue, f.queue.routeCount
	if n == 0 {
		return
	}
	if o, ok := f.observer.(interface{ SetRest(rest func()) }); ok {
		o.SetRest(f.options.Pause) // watching a flight that circles takes as long as many flights
		defer o.SetRest(nil)
	}
	lanes := assignLanes(q.order[:n])
	var flying [routesAtOnce + 1]int // the launched routes, in order
	launched := 0
	clear(q.flown[:n])
	next := func(lane int) (*sim.Scenario, sim.Route) {
		for launched == 0 || !f.stopped() {
			i, ok := lanes.next(lane)
			if !ok {
				return nil, nil
			}
			// Routes with the same waypoints before the hand-over are flown once.
			if q.flown[i] = f.cachedFlight(q.under[i], &q.routes[i]); q.flown[i] == nil {
				flying[launched] = i
				launched++
				return &q.under[i].scenario, &q.routes[i]
			}
		}
		return nil, nil
	}
	sim.FlyLanes(next, &q.histories, func(number int, h *sim.History, outcome sim.Outcome) {
		under := q.under[flying[number]]
		f.under(under)
		flight := &cachedFlight{radiusKm: f.options.RadiusKm}
		flight.run = f.recogniseOnly(h, &outcome, f.options.RadiusKm)
		if f.options.Keep != nil {
			flight.kept, flight.keptBytes = f.options.Keep(h, f.errors.ErrorKm, outcome.Target)
		}
		flight.curve = f.curve.UpTo(f.options.RadiusKm)
		flight.others = f.othersRecognise(h, &outcome, nil)
		if flight.err = f.Failure(); flight.err == nil {
			under.cache.put(h.Visits, flight) // other workers read it from now on
		}
		q.flown[flying[number]] = flight
	}, f.options.Pause)
	sim.Trim(&q.histories)
}

// laneQueues are the routes that are not launched yet, by lane: routes that begin alike are in one lane, one after
// another, so that their common part is flown once.
type laneQueues [sim.Lanes][]int

// assignLanes distributes routes to lanes, in their order.
func assignLanes(order []int) (lanes laneQueues) {
	for lane := range lanes {
		lanes[lane] = order[len(order)*lane/sim.Lanes : len(order)*(lane+1)/sim.Lanes]
	}
	return lanes
}

// next returns the next route for a lane; ok is false if there are no more. A lane without routes takes over
// half of the routes of another lane.
func (q *laneQueues) next(lane int) (route int, ok bool) {
	if len(q[lane]) == 0 {
		longest := 0
		for k := range q {
			if len(q[k]) > len(q[longest]) {
				longest = k
			}
		}
		half := len(q[longest]) / 2
		q[lane], q[longest] = q[longest][half:], q[longest][:half]
	}
	if len(q[lane]) == 0 {
		return 0, false
	}
	route, q[lane] = q[lane][0], q[lane][1:]
	return route, true
}
