package model

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/plot"
	"veilpath/sim"
)

// GuessPoint is the observer's error at a moment of a flight.
type GuessPoint struct {
	DistanceKm float32 // to the target
	LeftKm     float32 // still to fly
	ErrorKm    float32 // +Inf for no guess
}

// How far from the error of a flight its thinned curve may lie. Errors below leastErrorKm are one.
const (
	guessOffKm      = 0.08 // along the flight
	guessOffDecades = 0.01
	leastErrorKm    = 1e-3
)

// guessOf thins the errors of a flight. They are a function of the way that is still to fly, so they are thinned along
// it; the distance to the target, along which they are drawn as a rule, bends elsewhere, where a point is kept.
func guessOf(samples []sim.Sample, errorKm []float64, target r3.Vec) []GuessPoint {
	n := len(samples)
	if len(errorKm) != n || n < 2 {
		return nil
	}
	left, distance := make([]float64, n), make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		distance[i] = r3.Norm(r3.Sub(samples[i].R, target))
		if i < n-1 {
			left[i] = left[i+1] + r3.Norm(r3.Sub(samples[i+1].R, samples[i].R))
		}
	}
	var points []GuessPoint
	line, at := plot.Thinned{Off: 1}, 0
	flush := func() {
		for _, p := range line.End() {
			for at < n-1 && left[at]/guessOffKm > p.X+1e-9 {
				at++
			}
			points = append(points, GuessPoint{float32(distance[at]), float32(left[at]), float32(errorKm[at])})
		}
		line.Begin()
	}
	add := func(i int) {
		y := math.Log10(math.Max(leastErrorKm, errorKm[i])) / guessOffDecades
		line.Add(plot.Point{X: left[i] / guessOffKm, Y: y})
	}
	line.Begin()
	for i := range n {
		if e := errorKm[i]; math.IsInf(e, 0) || math.IsNaN(e) {
			flush()
			if k := len(points); k > 0 && !math.IsInf(float64(points[k-1].ErrorKm), 0) {
				points = append(points, GuessPoint{float32(distance[i]), float32(left[i]), float32(math.Inf(1))})
			}
			continue
		}
		add(i)
		if i > 0 && i < n-1 && (distance[i]-distance[i-1])*(distance[i+1]-distance[i]) < 0 {
			flush()
			add(i)
		}
	}
	flush()
	return append(make([]GuessPoint, 0, len(points)), points...)
}

// Guess is the observer's error along the flight of a member, thinned; nil where it is not kept.
func (m *Member) Guess() []GuessPoint { return m.guess }

// Guess is the observer's error along a flight, thinned.
func (f *Flight) Guess() []GuessPoint { return guessOf(f.Samples, f.Errors.ErrorKm, f.Target) }
