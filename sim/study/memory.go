package study

import (
	"sync"
	"unsafe"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// memory keeps the flights of an experiment by the waypoints they were commanded, so that none is flown
// twice: a flight depends on its waypoints alone, and on those alone that were commanded before the
// hand-over, because later ones are never heard of. Two routes that begin with the same ones give the same
// flight to the bit, so what is remembered, by whom and when, shows in no result.
//
// The flights are leaves of a tree of waypoints; none lies on the way to another, since each ends with the
// last waypoint that mattered. It holds at most a limit and then begins again. It is safe for concurrent
// use.
type memory struct {
	limit int // bytes

	mu      sync.RWMutex
	nodes   []node
	flights []*flown
	bytes   int
}

// node is a waypoint commanded after those on the way to it. Indices of 0 stand for none.
type node struct {
	state          int32
	child, sibling int32 // first of those commanded next; next of those commanded instead
	flight         int32 // which ended here, counting from 1
}

// flown is what is remembered of a flight. It is never changed.
type flown struct {
	run      Run   // without what the policy and the draw add
	others   []Run // the same as further observers saw it
	curve    adversary.Curve
	radiusKm float64 // up to which the curve is known

	kept      any // by FlightOptions.Keep
	keptBytes int

	cut bool // at the horizon; it is not remembered
}

// tellsMore reports whether a flight is remembered with more than another of the same route, and with no less.
func (f *flown) tellsMore(than *flown) bool {
	less := f.radiusKm < than.radiusKm || (f.kept == nil && than.kept != nil)
	return !less && (f.radiusKm > than.radiusKm || (f.kept != nil && than.kept == nil))
}

// memoryBytes bounds what is remembered of one experiment. A flight of the paper's takes half a kilobyte without its
// detection curve, 16 with the whole of it.
const memoryBytes = 24 << 20

// recall returns the flight of a route with its detection curve up to a radius, nil when it is not remembered.
func (m *memory) recall(route *planner.Route, radiusKm float64) *flown {
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

// child returns the node of a waypoint commanded after those of another, 0 for none.
func (m *memory) child(at int32, state int) int32 {
	for at = m.nodes[at].child; at != 0 && m.nodes[at].state != int32(state); {
		at = m.nodes[at].sibling
	}
	return at
}

// remember keeps the flight with the given waypoints.
func (m *memory) remember(visits []sim.Visit, f *flown) {
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
	case f.tellsMore(m.flights[n-1]): // otherwise another worker has flown it meanwhile
		m.flights[n-1] = f
	}
}

// bound lowers the limit to a number of bytes.
func (m *memory) bound(limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limit = min(m.limit, limit)
}

// forget lets go of all flights.
func (m *memory) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes, m.flights, m.bytes = nil, nil, 0
}
