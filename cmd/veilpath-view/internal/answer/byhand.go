package answer

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// movedTarget is where the target was dragged to, and where it was before, km.
type movedTarget struct{ from, to [3]float64 }

// MoveTarget drags the target.
func (a *Answers) MoveTarget(x, y float64) {
	if !a.targetMoved() {
		a.target.from = a.Model.Config.TargetKm
	}
	a.Model.SetTarget(x, y)
	a.target.to = a.Model.Config.TargetKm
}

// targetMoved reports whether the target is where it was dragged to.
func (a *Answers) targetMoved() bool {
	now := a.Model.Config.TargetKm
	return now == a.target.to && now != a.target.from
}

// WhatIf reports whether what is on show was changed by hand.
func (a *Answers) WhatIf() bool {
	return !a.Model.ShowsBaseline() && (a.Model.WhatIf.Any() || a.targetMoved())
}

// OverText says how many flights go over cells that are kept out of; empty where there are none such or that is not
// known.
func (a *Answers) OverText() string {
	e := &a.Model.Ensemble
	if !a.Model.Experiment.Mission.Grid.KeepsOut() || !e.Complete() {
		return ""
	}
	return a.crossed.Get(e.Version, func() string {
		over, of := a.Model.OverKeptOut()
		return fmt.Sprintf("%d of %d", over, of)
	})
}

// FarthestKm is the farthest distance at which a flight is recognised, a whole number of km.
func (a *Answers) FarthestKm() float64 {
	return max(1, math.Ceil(max(a.Model.Nominal.Run.DetectionKm, a.FarthestDot())))
}

// GridKm returns the ends of the grid, km.
func (a *Answers) GridKm() (low, high r3.Vec) {
	g := a.Model.Experiment.Mission.Grid
	low, high = g.Position(0), g.Position(g.States()-1)
	return r3.Vec{X: min(low.X, high.X), Y: min(low.Y, high.Y)}, r3.Vec{X: max(low.X, high.X), Y: max(low.Y, high.Y)}
}
