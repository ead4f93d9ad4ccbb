package study

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"veilpath/planner"
	"veilpath/sim"
)

// shared is what a point of a sweep shares with others, so that nothing is planned or flown twice: the pieces
// of the runs' axes, which depend on the mission, the mechanism and the noise, and flights, which depend only
// on the route. The caches affect no record.
type shared struct {
	axes  *axes   // nil if none are shared
	flown *memory // nil for the experiment's own
	last  int     // last point that uses flown
	// The observers of later points, which have the same flights but other detections.
	watchers []*Experiment
}

// mostWatchers limits the number of points for which a flight is cached when it is flown.
const mostWatchers = 15

// share finds what the points share.
func (s *Sweep) share(spans []*span, sigmas [][]float64) []shared {
	out := make([]shared, len(s.Points))
	plans, flights, sights := map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i := range s.Points {
		p := &s.Points[i]
		e := p.Experiment
		out[i].flown, out[i].last = e.flown, i
		if !e.routeDetermined() {
			continue
		}
		if e.HasAxis(p.Noise) {
			key := fmt.Sprintf("%p %d %d", e.Mission, s.withMechanismOf(i), p.Seed)
			plans[key] = append(plans[key], i)
		}
		flight := fmt.Sprintf("%p %#v", e.Mission.Grid, e.Scenario)
		flights[flight] = append(flights[flight], i)
		sight := flight + fmt.Sprintf(" %#v %#v", e.Adversary, e.Others)
		sights[sight] = append(sights[sight], i)
	}
	for _, points := range plans {
		s.shareAxes(out, points, spans, sigmas)
	}
	for _, points := range sights {
		for _, i := range points {
			out[i].flown, out[i].last = out[points[0]].flown, points[len(points)-1]
		}
	}
	for _, points := range flights {
		s.shareFlights(out, points)
	}
	return out
}

// withMechanismOf returns the first point that certainly has the mechanism of a point.
func (s *Sweep) withMechanismOf(point int) int {
	return slices.IndexFunc(s.Points[:point+1], func(p Study) bool {
		return p.Experiment == s.Points[point].Experiment || p.Experiment.sameMechanism(s.Points[point].Experiment)
	})
}

// Common returns what all points share and compute once: plans, and flights too.
func (s *Sweep) Common() (plans, flights bool) {
	first := s.Points[0].Experiment
	plans, flights = len(s.Points)*s.observers() > 1, true
	for i := range s.Points {
		p := &s.Points[i]
		plans = plans && p.Experiment.HasAxis(p.Noise) && p.Experiment.Mission == first.Mission &&
			p.Experiment.sameMechanism(first) && p.Seed == s.Points[0].Seed
		// Without the same sigma for each epsilon, other plans of the same axis are flown, some of which are new.
		flights = flights && p.Experiment.Guarantee == first.Guarantee &&
			fmt.Sprintf("%#v", p.Experiment.Scenario) == fmt.Sprintf("%#v", first.Scenario)
	}
	return plans, plans && flights
}

// shareAxes gives points a common cache of axes.
func (s *Sweep) shareAxes(out []shared, points []int, spans []*span, sigmas [][]float64) {
	if len(points) < 2 {
		return
	}
	common := &axes{limit: axesBytes}
	for _, i := range points {
		low, high, n := noisy(sigmas[i])
		if spans[i] != nil {
			low, high = spans[i].least, spans[i].most
		}
		if n > 0 || spans[i] != nil {
			common.include(low, high, n, spans[i] != nil)
		}
		out[i].axes = common
	}
}

// shareFlights lets observers of later points watch the flights of earlier points.
func (s *Sweep) shareFlights(out []shared, points []int) {
	for k, i := range points {
		seen := []*memory{out[i].flown}
		for _, j := range points[k+1:] {
			if len(seen) <= mostWatchers && !slices.Contains(seen, out[j].flown) {
				seen = append(seen, out[j].flown)
				out[i].watchers = append(out[i].watchers, s.Points[j].Experiment)
			}
		}
		for _, m := range seen {
			m.bound(memoryBytes / len(seen))
		}
	}
}

// share sets what a point shares with others.
func (f *Flyer) share(common shared) error {
	f.shared, f.pointObservers = common, f.pointObservers[:0]
	for _, e := range common.watchers {
		observer := new(Flyer)
		if err := observer.observe(e); err != nil {
			return err
		}
		f.pointObservers = append(f.pointObservers, observer)
	}
	return nil
}

// watch lets the observers of other points watch a flight. It returns an error if one of them cannot.
func (f *Flyer) watch(h *sim.History, outcome *sim.Outcome) error {
	for _, observer := range f.pointObservers {
		known := &flown{run: observer.recogniseOnly(h, outcome, 0), others: observer.othersRecognise(h, outcome, nil)}
		if err := observer.Failure(); err != nil {
			return err
		}
		observer.experiment.flown.remember(h.Visits, known)
	}
	return nil
}

// axes caches the pieces of runs, on the whole range of sigma that several points use. It is safe for
// concurrent use.
type axes struct {
	limit     int // bytes
	low, high float64
	plans     int  // number of plans that a run's pieces replace
	whole     bool // a range of epsilon is needed

	mu    sync.RWMutex
	runs  map[int][]planner.Piece
	bytes int
}

// axesBytes limits the cache of runs. A run of the paper's experiment takes a kilobyte.
const axesBytes = 32 << 20

// include widens the range.
func (a *axes) include(low, high float64, plans int, whole bool) {
	if a.plans == 0 {
		a.low, a.high = low, high
	}
	a.low, a.high = min(a.low, low), max(a.high, high)
	a.plans, a.whole = a.plans+plans, a.whole || whole
}

// pays reports whether finding the pieces is faster than the plans.
func (a *axes) pays() bool { return a.whole || a.plans >= planner.ManyPlans }

// recall returns the cached pieces of a run, nil if there are none.
func (a *axes) recall(run int) []planner.Piece {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.runs[run]
}

// remember caches the pieces of a run while there is room: all points process the runs in the same order.
func (a *axes) remember(run int, pieces []planner.Piece) {
	size := len(pieces) * int(unsafe.Sizeof(planner.Piece{}))
	for i := range pieces {
		size += len(pieces[i].Route) * 4
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bytes+size > a.limit || a.runs[run] != nil {
		return
	}
	if a.runs == nil {
		a.runs = map[int][]planner.Piece{}
	}
	kept := slices.Clone(pieces)
	for i := range kept {
		kept[i].Route, kept[i].Policy = slices.Clone(kept[i].Route), nil
	}
	a.runs[run] = kept
	a.bytes += size
}

// axisOf returns the pieces of [low, high] of a draw's axis.
func (f *Flyer) axisOf(draw Draw, low, high float64) []planner.Piece {
	if f.axes == nil {
		f.draw(draw)
		return f.axis.Pieces(f.noise, low, high)
	}
	pieces := f.axes.recall(draw.Run)
	if pieces == nil {
		f.draw(draw)
		pieces = f.axis.Pieces(f.noise, f.axes.low, f.axes.high)
		f.axes.remember(draw.Run, pieces)
	}
	return f.within(pieces, low, high)
}

// within returns the parts of the pieces in [low, high].
func (f *Flyer) within(pieces []planner.Piece, low, high float64) []planner.Piece {
	f.found = f.found[:0]
	for _, p := range pieces {
		if p.High <= low && low < high || p.Low >= high && low < high {
			continue
		}
		if p.Low < low {
			p.Low, p.BlurLow = low, max(0, p.BlurLow-(low-p.Low))
		}
		if p.High > high {
			p.High, p.BlurHigh = high, max(0, p.BlurHigh-(p.High-high))
		}
		f.found = append(f.found, p)
	}
	return f.found
}

// policyOf returns a policy on the route of a piece. It holds until the next call.
func (f *Flyer) policyOf(p *planner.Piece) []int32 {
	f.onRoute = f.experiment.Mission.PolicyOn(p.Route, f.onRoute)
	return f.onRoute
}
