package model

import (
	"slices"
	"unsafe"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/plot"
	"veilpath/sim"
)

// Path is where a flight went in the plane, km east and north, thinned.
type Path []plot.Point

// track is where a flight went, and what the observer made of it on the way.
type track struct {
	path  Path
	guess []GuessPoint
}

// keepTrack remembers the track of a flight.
func keepTrack(h *sim.History, errorKm []float64, target r3.Vec) (kept any, bytes int) {
	t := track{pathOf(h.Samples), guessOf(h.Samples, errorKm, target)}
	return t, int(unsafe.Sizeof(t)) + cap(t.path)*int(unsafe.Sizeof(plot.Point{})) +
		cap(t.guess)*int(unsafe.Sizeof(GuessPoint{}))
}

// pathOf returns the path of a flight, which lies within ten metres of it. Those of long flights, which go in rounds,
// are thinned more: within half a pixel of the first view.
func pathOf(samples []sim.Sample) Path {
	const offKm, usual = 0.01, 2000 // samples
	line := plot.Thinned{Off: offKm * max(1, float64(len(samples))/usual)}
	line.Begin()
	for _, s := range samples {
		line.Add(plot.Point{X: s.R.X, Y: s.R.Y})
	}
	return slices.Clone(line.End())
}
