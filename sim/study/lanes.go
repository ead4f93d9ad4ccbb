package study

import (
	"sort"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/sim"
)

// lanes holds the routes to be flown side by side and what their flights came to, and the flights that wait for them.
// There are more routes than lanes, so that few lanes lie idle while the last ones end.
type lanes struct {
	plans     [routesAtOnce]planner.Route
	flown     [routesAtOnce]*flown
	histories [sim.Lanes]sim.History
	order     [routesAtOnce]int // of the routes, by their waypoints
	taken     int
	waiting   []waiting
	whole     int     // runs of which all pieces were delivered
	last      waiting // of those that were delivered
}

// How many routes are flown at once, at most and on large grids, and of how many states the policies are that wait.
const (
	routesAtOnce   = 64 * sim.Lanes
	fewRoutes      = 16 * sim.Lanes
	policiesStates = 1 << 18
)

// waiting is a flight whose record is due after those before it.
type waiting struct {
	draw  Draw
	cost  float64
	known *flown // nil: its route is yet to be flown
	lane  int    // and has this number
	ends  bool   // it is the last piece of its run
}

func (l *lanes) begin() {
	l.clear()
	l.whole = 0
}

func (l *lanes) clear() { l.taken, l.waiting = 0, l.waiting[:0] }

// await has the flight of a route wait for its record: it is remembered, or its route is to be flown.
func (f *Flyer) await(draw Draw, route planner.Route, cost float64) {
	w := waiting{draw: draw, cost: cost, known: f.recall(&route)}
	if w.known == nil {
		w.lane = f.lane(&route)
	}
	f.lanes.waiting = append(f.lanes.waiting, w)
}

// awaitAgain has one more draw wait for the last flight that was awaited.
func (f *Flyer) awaitAgain(draw Draw) {
	l := &f.lanes
	w := l.last
	if n := len(l.waiting); n > 0 {
		w = l.waiting[n-1]
	}
	w.draw = draw
	l.waiting = append(l.waiting, w)
}

// due reports whether what waits is to be delivered: there are enough routes to be flown, or none, or nothing comes
// any more.
func (f *Flyer) due(last bool) bool {
	return f.lanes.taken >= f.atOnce() || f.lanes.taken == 0 || last
}

// atOnce is how many routes wait for each other: few where moves are uncertain, since plans then take long, and nobody
// can stop them before the next record, and not the most on large grids, whose policies take room.
func (f *Flyer) atOnce() int {
	if !f.hasAxis() {
		return sim.Lanes
	}
	return min(max(fewRoutes, policiesStates/f.experiment.Mission.Grid.States()), routesAtOnce)
}

// deliver flies the routes and passes on the records that wait, until it is stopped.
func (f *Flyer) deliver(look func(Flight) (goOn bool)) bool {
	l := &f.lanes
	f.flyLanes()
	for k := range l.waiting {
		w := &l.waiting[k]
		if w.known == nil {
			if w.known = l.flown[w.lane]; w.known == nil {
				return false // it was stopped before
			}
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
		if !look(Flight{r, f.seen, w.known.curve, w.known.kept, w.known.cut}) {
			return false
		}
	}
	l.last = l.waiting[len(l.waiting)-1]
	l.clear()
	return true
}

// lane returns the number of a route to be flown: that of the same route, or the next.
func (f *Flyer) lane(route *planner.Route) int {
	l := &f.lanes
	at := sort.Search(l.taken, func(k int) bool { return f.compare(&l.plans[l.order[k]], route) >= 0 })
	if at < l.taken && f.compare(&l.plans[l.order[at]], route) == 0 {
		return l.order[at]
	}
	own := &l.plans[l.taken]
	own.Grid, own.Policy = route.Grid, append(own.Policy[:0], route.Policy...)
	own.Path = append(own.Path[:0], route.Path...)
	l.taken++
	copy(l.order[at+1:l.taken], l.order[at:])
	l.order[at] = l.taken - 1
	return l.taken - 1
}

// compare orders routes by the waypoints that they command for as long as any flight follows them.
func (f *Flyer) compare(a, b *planner.Route) int {
	state := a.First()
	for visit := range f.experiment.Scenario.MaxTransitions + 1 {
		next, other := a.Next(visit, state), b.Next(visit, state)
		if next != other {
			return next - other
		}
		if next == state && visit+1 >= max(len(a.Path), len(b.Path)) {
			return 0 // for ever
		}
		state = next
	}
	return 0
}

// flyLanes flies the routes and remembers their flights, those that are whole.
func (f *Flyer) flyLanes() {
	l, n := &f.lanes, f.lanes.taken
	if n == 0 {
		return
	}
	queues := f.queue(l.order[:n])
	var flying [routesAtOnce]int // the routes that were launched, in order
	launched := 0
	clear(l.flown[:n])
	next := func(lane int) (sim.Route, bool) {
		for launched == 0 || !f.stopped() {
			i, ok := queues.next(lane)
			if !ok {
				return nil, false
			}
			// Routes that come to the same before the hand-over are flown once.
			if l.flown[i] = f.recall(&l.plans[i]); l.flown[i] == nil {
				flying[launched] = i
				launched++
				return &l.plans[i], true
			}
		}
		return nil, false
	}
	scenario, cuts := f.scenario()
	scenario.FlyLanes(next, &l.histories, func(number int, h *sim.History, outcome sim.Outcome) {
		known := &flown{radiusKm: f.options.RadiusKm, cut: cuts && outcome.TimedOut}
		if f.options.Keep != nil {
			known.kept, known.keptBytes = f.options.Keep(h)
		}
		if known.cut {
			known.run = f.experiment.recordOf(h, &outcome)
		} else {
			known.run = f.recogniseOnly(h, &outcome, f.options.RadiusKm)
			known.curve = f.curve.UpTo(f.options.RadiusKm)
			known.others = f.othersRecognise(h, &outcome, nil)
			f.memory().remember(h.Visits, known)
			f.watch(h, &outcome)
		}
		l.flown[flying[number]] = known
	}, f.options.Pause)
	sim.Trim(&l.histories)
}

// queues are the routes that wait for a lane.
type queues struct {
	long []int            // that lead to no hand-over, for the first lanes, and for others when nothing else is left
	own  [sim.Lanes][]int // for each lane
}

// longLanes is how many lanes fly long flights while there are others: each takes room for one.
const longLanes = 2

// queue has routes in their order wait for lanes: those that begin alike for one, after each other, since it flies once
// what they have in common. Those that lead to no hand-over have the longest flights and come first: others end beside
// them.
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

// next returns the next route for a lane, which takes over half of what waits for another when nothing waits for it,
// and false when there are no more.
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

// leadsNowhere reports whether none of a route's waypoints lies where privacy is disabled.
func (f *Flyer) leadsNowhere(route *planner.Route) bool {
	scenario := &f.experiment.Scenario
	state := route.First()
	for visit := range scenario.MaxTransitions {
		next := route.Next(visit, state)
		if next == state && visit+1 >= len(route.Path) {
			return true
		}
		if r3.Norm(r3.Sub(route.Position(next), scenario.Target)) < scenario.HandoverKm {
			return false
		}
		state = next
	}
	return true
}
