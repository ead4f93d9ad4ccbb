package model

import (
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/plot"
	"veilpath/sim"
)

// Path is where a flight went in the plane, km east and north, thinned. It is strokes, since what is flown over again,
// round after round, is kept once.
type Path [][]plot.Point

// equal reports whether two paths are the same places.
func (p Path) equal(q Path) bool { return slices.EqualFunc(p, q, slices.Equal[[]plot.Point]) }

// track is where a flight went, and what the observer made of it on the way.
type track struct {
	path  Path
	guess []GuessPoint
}

// keepTrack remembers the track of a flight.
func keepTrack(h *sim.History, errorKm []float64, target r3.Vec) (kept any, bytes int) {
	t := track{pathOf(h.Samples, h.Visits), guessOf(h.Samples, errorKm, target)}
	bytes = int(unsafe.Sizeof(t)) + cap(t.guess)*int(unsafe.Sizeof(GuessPoint{}))
	for _, stroke := range t.path {
		bytes += cap(stroke)*int(unsafe.Sizeof(plot.Point{})) + int(unsafe.Sizeof(stroke))
	}
	return t, bytes
}

// pathOf returns the path of a flight.
func pathOf(samples []sim.Sample, visits []sim.Visit) Path {
	const offKm = 0.01 // from the flight
	strokes := strokesFlown(samples, visits)
	path := make(Path, len(strokes))
	line := plot.Thinned{Off: offKm}
	for i, s := range strokes {
		line.Begin()
		for k := s.First; k < s.End; k++ {
			line.Add(plot.Point{X: samples[k].R.X, Y: samples[k].R.Y})
		}
		path[i] = slices.Clone(line.End())
	}
	return path
}

// Stroke is a part of a list, without its end.
type Stroke struct{ First, End int }

// strokesFlown returns the parts of a flight's samples that are to be drawn: all but the legs that go where one before
// went that is drawn.
func strokesFlown(samples []sim.Sample, visits []sim.Visit) []Stroke {
	const overlap = 2 // samples by which legs that are the same may begin or end apart
	strokes := []Stroke{{0, len(samples)}}
	last := &strokes[0]
	var drawn []int // legs, the latest first
	again := false
	for k, v := range visits {
		was := again
		again = k+1 < len(visits) && slices.ContainsFunc(drawn,
			func(d int) bool { return sameLeg(samples, visits[k:], visits[d:]) })
		switch {
		case again && !was:
			last.End = min(v.Sample+overlap, len(samples))
		case was && !again:
			strokes = append(strokes, Stroke{max(0, v.Sample-overlap), len(samples)})
			last = &strokes[len(strokes)-1]
		}
		if !again {
			drawn = slices.Insert(drawn, 0, k)
		}
	}
	return strokes
}

// What two legs have in common that are the same: flown to one waypoint from another, they are within sameKm of each
// other where a few samples of both are compared.
const (
	sameKm      = 0.095
	sameAlongKm = 0.3   // along the way, where one is some samples ahead
	sameWay     = 0.995 // cosine of the angle between their ways
	sameParts   = 8
	shortestLeg = 4 * sameParts // samples
)

// sameLeg reports whether the first of some legs is the same as the first of others.
func sameLeg(samples []sim.Sample, p, q []sim.Visit) bool {
	n, m := p[1].Sample-p[0].Sample, q[1].Sample-q[0].Sample
	if p[0].State != q[0].State || p[0].Commanded != q[0].Commanded || min(n, m) < shortestLeg {
		return false
	}
	for i := range sameParts + 1 {
		a, b := &samples[p[0].Sample+i*n/sameParts], &samples[q[0].Sample+i*m/sameParts]
		dx, dy := a.R.X-b.R.X, a.R.Y-b.R.Y
		along, off := dx*b.V.X+dy*b.V.Y, dx*b.V.Y-dy*b.V.X
		ways, a2, b2 := a.V.X*b.V.X+a.V.Y*b.V.Y, a.V.X*a.V.X+a.V.Y*a.V.Y, b.V.X*b.V.X+b.V.Y*b.V.Y
		if ways <= 0 || ways*ways < sameWay*sameWay*a2*b2 || along*along > sameAlongKm*sameAlongKm*b2 ||
			off*off > sameKm*sameKm*b2 {
			return false
		}
	}
	return true
}
