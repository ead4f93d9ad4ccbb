package study

import (
	"sync"
	"unsafe"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// flightCache caches the flights of an experiment by their commanded waypoints, so that none is flown twice. A
// flight depends only on the waypoints that were commanded before the hand-over. Two routes that begin with the
// same waypoints give bit-identical flights, so the cache affects no result.
//
// The flights are leaves of a tree of waypoints; none lies on the path to another, because each ends with its
// last commanded waypoint. If the cache reaches its limit it starts empty again. It is safe for concurrent use.
type flightCache struct {
	limit int // bytes

	mu      sync.RWMutex
	nodes   []node
	flights []*cachedFlight
	bytes   int
}

// node is a waypoint commanded after those on the path to it. Index 0 means none.
type node struct {
	state          int32
	child, sibling int32 // first node commanded next; next node commanded instead
	flight         int32 // number of the flight that ends here, from 1
}

// cachedFlight is a flight in a cache. It is never changed.
type cachedFlight struct {
	run      Run   // without the fields that depend on policy and draw
	others   []Run // the same as seen by further observers
	curve    adversary.Curve
	radiusKm float64 // largest radius of the curve

	kept      any // result of FlightOptions.Keep
	keptBytes int

	err error // of an observer that could not watch; it is not cached
}

// extends reports whether a cached flight has more than another of the same route, and nothing less.
func (f *cachedFlight) extends(than *cachedFlight) bool {
	less := f.radiusKm < than.radiusKm || (f.kept == nil && than.kept != nil)
	return !less && (f.radiusKm > than.radiusKm || (f.kept != nil && than.kept == nil))
}

// cacheBytes limits the cache of one experiment. A flight of the paper's experiment takes half a kilobyte
// without its detection curve, and 16 with the whole curve.
const cacheBytes = 24 << 20

// get returns the cached flight of a route with its detection curve up to a radius, nil if there is none.
func (m *flightCache) get(route *planner.Route, radiusKm float64) *cachedFlight {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.nodes) == 0 {
		return nil
	}
	state := route.First()
	at := int32(0)
	for visit := 0; ; visit++ {
		state = route.Next(visit, state)
		if at = m.child(at, state); at == 0 {
			return nil
		}
		if n := m.nodes[at].flight; n > 0 {
			if f := m.flights[n-1]; f.radiusKm >= radiusKm {
				return f
			}
			return nil
		}
	}
}

// child returns the node of a waypoint commanded after another node, 0 if there is none.
func (m *flightCache) child(at int32, state int) int32 {
	for at = m.nodes[at].child; at != 0 && m.nodes[at].state != int32(state); {
		at = m.nodes[at].sibling
	}
	return at
}

// put caches the flight with the given waypoints.
func (m *flightCache) put(visits []sim.Visit, f *cachedFlight) {
	size := int(unsafe.Sizeof(*f)) + len(f.others)*int(unsafe.Sizeof(Run{})) + len(visits)*int(unsafe.Sizeof(node{})) +
		len(f.curve.Corners())*int(unsafe.Sizeof(adversary.Corner{})) + f.keptBytes
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.nodes) == 0 || m.bytes+size > m.limit {
		m.nodes, m.flights, m.bytes = make([]node, 1), nil, 0
	}
	m.bytes += size
	at := int32(0)
	for _, v := range visits {
		next := m.child(at, v.Commanded)
		if next == 0 {
			next = int32(len(m.nodes))
			m.nodes = append(m.nodes, node{state: int32(v.Commanded), sibling: m.nodes[at].child})
			m.nodes[at].child = next
		}
		at = next
	}
	switch n := m.nodes[at].flight; {
	case n == 0:
		m.flights = append(m.flights, f)
		m.nodes[at].flight = int32(len(m.flights))
	case f.extends(m.flights[n-1]): // otherwise another worker flew it meanwhile
		m.flights[n-1] = f
	}
}

func (m *flightCache) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes, m.flights, m.bytes = nil, nil, 0
}
