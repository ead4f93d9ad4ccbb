package study

import (
	"sort"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/sim"
)

// lanes holds the routes to be flown in parallel, their flights, and the draws that wait for these flights.
// There are more routes than lanes, so that few lanes are idle while the last flights end.
type lanes struct {
	plans     [routesAtOnce]planner.Route
	flown     [routesAtOnce]*flown
	histories [sim.Lanes]sim.History
	order     [routesAtOnce]int // of the routes, sorted by their waypoints
	taken     int
	waiting   []waiting
	whole     int     // number of runs whose pieces were all delivered
	last      waiting // the last one delivered
}

// The largest number of routes flown together, the number on large grids, and the limit on the states of their
// policies.
const (
	routesAtOnce   = 64 * sim.Lanes
	fewRoutes      = 16 * sim.Lanes
	policiesStates = 1 << 18
)

// waiting is a draw whose record is delivered after those before it.
type waiting struct {
	draw  Draw
	cost  float64
	known *flown // nil: its route is still to be flown
	lane  int    // number of its route
	ends  bool   // it is the last piece of its run
}

func (l *lanes) begin() {
	l.clear()
	l.whole = 0
}

func (l *lanes) clear() { l.taken, l.waiting = 0, l.waiting[:0] }

// await queues a draw. It uses the cached flight of the route, or queues the route for flying.
func (f *Flyer) await(draw Draw, route planner.Route, cost float64) {
	w := waiting{draw: draw, cost: cost, known: f.recall(&route)}
	if w.known == nil {
		w.lane = f.lane(&route)
	}
	f.lanes.waiting = append(f.lanes.waiting, w)
}

// awaitAgain queues another draw with the flight of the last queued draw.
func (f *Flyer) awaitAgain(draw Draw) {
	l := &f.lanes
	w := l.last
	if n := len(l.waiting); n > 0 {
		w = l.waiting[n-1]
	}
	w.draw = draw
	l.waiting = append(l.waiting, w)
}

// due reports whether the queue must be delivered: there are enough routes to fly, or none, or this draw is the
// last.
func (f *Flyer) due(last bool) bool {
	return f.lanes.taken >= f.atOnce() || f.lanes.taken == 0 || last
}

// atOnce returns the number of routes that are flown together: few for random transitions, because plans then
// take long and stopping is only possible at the next record, and fewer on large grids, whose policies take
// memory.
func (f *Flyer) atOnce() int {
	if !f.hasAxis() {
		return sim.Lanes
	}
	return min(max(fewRoutes, policiesStates/f.experiment.Mission.Grid.States()), routesAtOnce)
}

// deliver flies the routes and calls look with the queued records until look returns false or an observer
// fails.
func (f *Flyer) deliver(look func(Flight) (goOn bool)) (goOn bool, err error) {
	l := &f.lanes
	f.flyLanes()
	for k := range l.waiting {
		w := &l.waiting[k]
		if w.known == nil {
			if w.known = l.flown[w.lane]; w.known == nil {
				return false, nil // it was stopped before
			}
		}
		if w.known.err != nil {
			return false, w.draw.failed(w.known.err)
		}
		r := w.known.run
		r.complete(w.draw, w.cost, &f.experiment.Baselines)
		f.seen = append(f.seen[:0], w.known.others...)
		for i := range f.seen {
			f.seen[i].complete(w.draw, w.cost, &f.experiment.others[i].Baselines)
		}
		if w.ends {
			l.whole++
		}
		if !look(Flight{r, f.seen, w.known.curve, w.known.kept}) {
			return false, nil
		}
	}
	l.last = l.waiting[len(l.waiting)-1]
	l.clear()
	return true, nil
}

// lane returns the number of a route to be flown: that of an equal route, or the next number.
func (f *Flyer) lane(route *planner.Route) int {
	l := &f.lanes
	at := sort.Search(l.taken, func(k int) bool { return f.compare(&l.plans[l.order[k]], route) >= 0 })
	if at < l.taken && f.compare(&l.plans[l.order[at]], route) == 0 {
		return l.order[at]
	}
	added := &l.plans[l.taken]
	added.Grid, added.Policy = route.Grid, append(added.Policy[:0], route.Policy...)
	added.Path = append(added.Path[:0], route.Path...)
	l.taken++
	copy(l.order[at+1:l.taken], l.order[at:])
	l.order[at] = l.taken - 1
	return l.taken - 1
}

// compare orders routes by the waypoints that they command, up to the longest possible flight.
func (f *Flyer) compare(a, b *planner.Route) int {
	state := a.First()
	for visit := range f.experiment.Scenario.MaxTransitions + 1 {
		next, other := a.Next(visit, state), b.Next(visit, state)
		if next != other {
			return next - other
		}
		if next == state && visit+1 >= max(len(a.Path), len(b.Path)) {
			return 0 // both stay here
		}
		state = next
	}
	return 0
}

// flyLanes flies the routes and caches the complete flights.
func (f *Flyer) flyLanes() {
	l, n := &f.lanes, f.lanes.taken
	if n == 0 {
		return
	}
	if o, ok := f.observer.(interface{ SetRest(rest func()) }); ok {
		o.SetRest(f.options.Pause) // what it makes of a flight that goes in rounds takes as long as many flights
		defer o.SetRest(nil)
	}
	queues := f.queue(l.order[:n])
	var flying [routesAtOnce]int // the launched routes, in order
	launched := 0
	clear(l.flown[:n])
	next := func(lane int) (sim.Route, bool) {
		for launched == 0 || !f.stopped() {
			i, ok := queues.next(lane)
			if !ok {
				return nil, false
			}
			// Routes with the same waypoints before the hand-over are flown once.
			if l.flown[i] = f.recall(&l.plans[i]); l.flown[i] == nil {
				flying[launched] = i
				launched++
				return &l.plans[i], true
			}
		}
		return nil, false
	}
	f.experiment.Scenario.FlyLanes(next, &l.histories, func(number int, h *sim.History, outcome sim.Outcome) {
		known := &flown{radiusKm: f.options.RadiusKm}
		known.run = f.recogniseOnly(h, &outcome, f.options.RadiusKm)
		if f.options.Keep != nil {
			known.kept, known.keptBytes = f.options.Keep(h, f.errors.ErrorKm, outcome.Target)
		}
		known.curve = f.curve.UpTo(f.options.RadiusKm)
		known.others = f.othersRecognise(h, &outcome, nil)
		if known.err = f.Failure(); known.err == nil {
			known.err = f.watch(h, &outcome)
		}
		if known.err == nil {
			f.memory().remember(h.Visits, known) // other workers read it from now on
		}
		l.flown[flying[number]] = known
	}, f.options.Pause)
	sim.Trim(&l.histories)
}

// queues are the routes that wait for a lane.
type queues struct {
	long []int            // routes without a hand-over, for the first lanes, and for others if nothing else is left
	own  [sim.Lanes][]int // for each lane
}

// longLanes is the number of lanes that fly long flights while there are others: each needs memory for one.
const longLanes = 2

// queue distributes routes to lanes, in their order: routes that begin alike go to one lane, one after another,
// so that their common part is flown once. Routes without a hand-over have the longest flights and come first,
// so that other flights run in parallel with them.
func (f *Flyer) queue(order []int) (q queues) {
	long := 0
	for k, i := range order {
		if f.leadsNowhere(&f.lanes.plans[i]) {
			copy(order[long+1:k+1], order[long:k])
			order[long] = i
			long++
		}
	}
	q.long = order[:long]
	rest := order[long:]
	for lane := range q.own {
		q.own[lane] = rest[len(rest)*lane/sim.Lanes : len(rest)*(lane+1)/sim.Lanes]
	}
	return q
}

// next returns the next route for a lane; ok is false if there are no more. A lane without routes takes over
// half of the routes of another lane.
func (q *queues) next(lane int) (route int, ok bool) {
	from := &q.own[lane]
	if lane < longLanes && len(q.long) > 0 {
		from = &q.long
	}
	if len(*from) == 0 {
		longest := &q.own[0]
		for k := range q.own {
			if len(q.own[k]) > len(*longest) {
				longest = &q.own[k]
			}
		}
		half := len(*longest) / 2
		*from, *longest = (*longest)[half:], (*longest)[:half]
	}
	if len(*from) == 0 {
		from = &q.long
	}
	if len(*from) == 0 {
		return 0, false
	}
	route, *from = (*from)[0], (*from)[1:]
	return route, true
}

// leadsNowhere reports whether none of a route's waypoints lies within the hand-over distance.
func (f *Flyer) leadsNowhere(route *planner.Route) bool {
	scenario := &f.experiment.Scenario
	state := route.First()
	for visit := range scenario.MaxTransitions {
		next := route.Next(visit, state)
		if next == state && visit+1 >= len(route.Path) {
			return true
		}
		if at := route.Position(next); r3.Norm(r3.Sub(at, scenario.TargetFrom(at))) < scenario.HandoverKm {
			return false
		}
		state = next
	}
	return true
}
