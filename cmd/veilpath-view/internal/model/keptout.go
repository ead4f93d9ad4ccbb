package model

import (
	"veilpath/planner"
	"veilpath/sim"
)

// crossings returns the samples at which a flight comes over cells that its mission keeps out of. No waypoint is
// commanded there; a vehicle that turns or heads for its target may go over them.
func crossings(g *planner.Grid, samples []sim.Sample) []int {
	if !g.KeepsOut() {
		return nil
	}
	var at []int
	before := false
	for i := range samples {
		over := g.OverKeptOut(samples[i].R)
		if over && !before {
			at = append(at, i)
		}
		before = over
	}
	return at
}
