package model

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// crossings returns the samples at which the flight comes over cells that the mission keeps out of. No waypoint is
// commanded there; a vehicle that turns or heads for its target may go over them.
func (m *Model) crossings(f *Flight) []int {
	g := m.Experiment.Mission.Grid
	if !g.KeepsOut() {
		return nil
	}
	var at []int
	before := false
	for i := range f.Samples {
		over := g.OverKeptOut(f.Samples[i].R)
		if over && !before {
			at = append(at, i)
		}
		before = over
	}
	return at
}

// OverKeptOut counts the flights of the ensemble that go over cells that the mission keeps out of, among those that
// keep their path: to the 10 m that a thinned path may lie off the flight, 100 where it goes in rounds.
func (m *Model) OverKeptOut() (over, of int) {
	g := m.Experiment.Mission.Grid
	if !g.KeepsOut() {
		return 0, 0
	}
	for _, member := range m.Ensemble.Members {
		if member == nil || member.Path == nil {
			continue
		}
		of++
		if goesOver(member.Path, g.OverKeptOut) {
			over++
		}
	}
	return over, of
}

// goesOver reports whether a path goes over what holds the positions for which in says so, looked at this often.
func goesOver(path Path, in func(r3.Vec) bool) bool {
	const everyKm = 0.05
	for a, b := range path.Pieces {
		looks := math.Ceil(math.Hypot(b.X-a.X, b.Y-a.Y) / everyKm)
		for k := range int(looks) + 1 {
			u := float64(k) / math.Max(1, looks)
			if in(r3.Vec{X: a.X + u*(b.X-a.X), Y: a.Y + u*(b.Y-a.Y)}) {
				return true
			}
		}
	}
	return false
}
