package study

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"veilpath/planner"
	"veilpath/sim"
)

// sharedCaches are what a point of a sweep shares with others, so that nothing is planned or flown twice: the pieces
// of the runs' axes, which depend on the mission, the mechanism and the noise, and flights, which depend only
// on the route. The caches affect no record.
type sharedCaches struct {
	pieces    *pieceCache  // nil if none are shared
	flights   *flightCache // nil for the experiment's own
	lastPoint int          // the last one that uses flights
	// The observers of later points, which have the same flights but other detections.
	observers []*Experiment
}

// mostPointObservers limits the number of points for which a flight is cached when it is flown.
const mostPointObservers = 15

// shareCaches returns the caches of all points.
func (s *Sweep) shareCaches(levels []noiseLevels) []sharedCaches {
	out := make([]sharedCaches, len(s.Points))
	samePlans, sameFlights, sameRecords := map[string][]int{}, map[string][]int{}, map[string][]int{}
	for i := range s.Points {
		p := &s.Points[i]
		e := p.Experiment
		out[i].flights, out[i].lastPoint = e.cache, i
		if !e.routeDetermined() {
			continue
		}
		if e.HasAxis(p.Noise) {
			mechanism := slices.IndexFunc(s.Points[:i+1], func(o Study) bool {
				return o.Experiment == e || o.Experiment.sameMechanism(e)
			})
			key := fmt.Sprintf("%p %d %d", e.Mission, mechanism, p.Seed)
			samePlans[key] = append(samePlans[key], i)
		}
		flight := fmt.Sprintf("%p %#v", e.Mission.Grid, e.Scenario)
		sameFlights[flight] = append(sameFlights[flight], i)
		record := flight + fmt.Sprintf(" %#v %#v", e.Adversary, e.Others)
		sameRecords[record] = append(sameRecords[record], i)
	}
	for _, points := range samePlans {
		if len(points) < 2 {
			continue
		}
		common := &pieceCache{limit: pieceBytes}
		for _, i := range points {
			low, high, n := noisy(levels[i].sigmas)
			if on := levels[i].span; on != nil {
				low, high = on.leastSigma, on.mostSigma
			}
			if n > 0 || levels[i].span != nil {
				common.include(low, high, n, levels[i].span != nil)
			}
			out[i].pieces = common
		}
	}
	for _, points := range sameRecords {
		for _, i := range points {
			out[i].flights, out[i].lastPoint = out[points[0]].flights, points[len(points)-1]
		}
	}
	for _, points := range sameFlights { // observers of later points watch the flights of earlier points
		for k, i := range points {
			caches := []*flightCache{out[i].flights}
			for _, j := range points[k+1:] {
				if len(caches) <= mostPointObservers && !slices.Contains(caches, out[j].flights) {
					caches = append(caches, out[j].flights)
					out[i].observers = append(out[i].observers, s.Points[j].Experiment)
				}
			}
			for _, c := range caches {
				c.lowerLimit(cacheBytes / len(caches))
			}
		}
	}
	return out
}

// use sets the caches that a point shares with others.
func (f *Flyer) use(shared sharedCaches) (err error) {
	f.shared = shared
	f.pointObservers, err = newObservers(shared.observers)
	return err
}

// watch lets the observers of other points watch a flight. It returns an error if one of them cannot.
func (f *Flyer) watch(h *sim.History, outcome *sim.Outcome) error {
	for _, observer := range f.pointObservers {
		flight := &cachedFlight{run: observer.recogniseOnly(h, outcome, 0),
			others: observer.othersRecognise(h, outcome, nil)}
		if err := observer.Failure(); err != nil {
			return err
		}
		observer.experiment.cache.put(h.Visits, flight)
	}
	return nil
}

// pieceCache caches the pieces of runs, on the whole range of sigma that several points use. It is safe for
// concurrent use.
type pieceCache struct {
	limit     int // bytes
	low, high float64
	plans     int  // number of plans that a run's pieces replace
	hasRange  bool // a range of epsilon is needed

	mu    sync.RWMutex
	runs  map[int][]planner.Piece
	bytes int
}

// pieceBytes limits the cache of runs. A run of the paper's experiment takes a kilobyte.
const pieceBytes = 32 << 20

// include widens the range.
func (a *pieceCache) include(low, high float64, plans int, hasRange bool) {
	if a.plans == 0 {
		a.low, a.high = low, high
	}
	a.low, a.high = min(a.low, low), max(a.high, high)
	a.plans, a.hasRange = a.plans+plans, a.hasRange || hasRange
}

// isFaster reports whether finding the pieces is faster than the plans.
func (a *pieceCache) isFaster() bool { return a.hasRange || a.plans >= planner.ManyPlans }

// get returns the cached pieces of a run, nil if there are none.
func (a *pieceCache) get(run int) []planner.Piece {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.runs[run]
}

// put caches the pieces of a run while there is room: all points process the runs in the same order.
func (a *pieceCache) put(run int, pieces []planner.Piece) {
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
	cache := f.shared.pieces
	if cache == nil {
		f.drawNoise(draw)
		return f.axis.Pieces(f.noise, low, high)
	}
	pieces := cache.get(draw.Run)
	if pieces == nil {
		f.drawNoise(draw)
		pieces = f.axis.Pieces(f.noise, cache.low, cache.high)
		cache.put(draw.Run, pieces)
	}
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
