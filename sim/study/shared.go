package study

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"veilpath/planner"
)

// pieceCache caches the pieces of runs for points of a sweep with the same plans: those that differ in the observer or
// the vehicle alone. It affects no record. It is safe for concurrent use.
type pieceCache struct {
	mu    sync.RWMutex
	runs  map[int][]planner.Piece
	bytes int
}

// pieceBytes limits the cache of runs. A run of the paper's experiment takes a kilobyte.
const pieceBytes = 32 << 20

// sharePieces returns the cache of every point, nil for a point with plans of its own.
func (s *Sweep) sharePieces(levels []noiseLevels) []*pieceCache {
	caches, first := make([]*pieceCache, len(s.Points)), map[string]int{}
	for i := range s.Points {
		p := &s.Points[i]
		e := p.Experiment
		if !e.deterministic || !e.HasAxis(p.Noise) {
			continue
		}
		mechanism := slices.IndexFunc(s.Points, func(o Study) bool {
			return o.Experiment == e || o.Experiment.sameMechanism(e)
		})
		plans := fmt.Sprintf("%p %d %d %v", e.Mission, mechanism, p.Seed, levels[i].sigmas)
		if on := levels[i].span; on != nil {
			plans += fmt.Sprint(on.leastSigma, on.mostSigma)
		}
		k, known := first[plans]
		if !known {
			first[plans] = i
			continue
		}
		if caches[k] == nil {
			caches[k] = &pieceCache{runs: map[int][]planner.Piece{}}
		}
		caches[i] = caches[k]
	}
	return caches
}

// axisOf returns the pieces of [low, high] of a draw's axis, the same range for all draws of a point.
func (f *Flyer) axisOf(draw Draw, low, high float64) []planner.Piece {
	c := f.shared
	if c == nil {
		f.drawNoise(draw)
		return f.axis.Pieces(f.noise, low, high)
	}
	c.mu.RLock()
	pieces := c.runs[draw.Run]
	c.mu.RUnlock()
	if pieces != nil {
		return pieces
	}
	f.drawNoise(draw)
	pieces = f.axis.Pieces(f.noise, low, high)
	c.put(draw.Run, pieces)
	return pieces
}

// put caches the pieces of a run while there is room: all points process the runs in the same order.
func (c *pieceCache) put(run int, pieces []planner.Piece) {
	kept, size := slices.Clone(pieces), len(pieces)*int(unsafe.Sizeof(planner.Piece{}))
	for i := range kept {
		kept[i].Route, kept[i].Policy = slices.Clone(kept[i].Route), nil
		size += len(kept[i].Route) * 4
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes+size <= pieceBytes && c.runs[run] == nil {
		c.runs[run] = kept
		c.bytes += size
	}
}
