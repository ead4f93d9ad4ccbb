package model

import (
	"veilpath/planner"
	"veilpath/sim/study"
)

// DrawnGoal is the goal that a mechanism drew in place of the true one.
type DrawnGoal struct {
	State int
	OffKm float64 // between it and the true goal
}

// DrawnGoal returns the goal that was drawn for the run on show, nil where the reward gets noise instead.
func (w *World) DrawnGoal() *DrawnGoal { return w.drawn }

// planned returns the mission that a run is planned for: the true one, or the one of a drawn goal.
func (w *World) planned(draw study.Draw) *planner.Mission {
	e := w.Experiment
	if e.Decoys == nil {
		return e.Mission
	}
	return made(e.Decoys.Draw(e.Mission, draw.Epsilon, study.DrawDecoy(draw, 0)))
}

// show flies a run to be shown.
func (w *World) show(draw study.Draw) {
	w.Private = w.flown(made(w.flyer.Fly(draw, w.Sigma)), w.flyer.Baselines(draw))
	w.drawn = w.drawGoal(draw)
}

// drawGoal returns the goal that is drawn for a run, nil where the reward gets noise.
func (w *World) drawGoal(draw study.Draw) *DrawnGoal {
	if w.Experiment.Decoys == nil {
		return nil
	}
	g, state := w.Experiment.Mission.Grid, w.planned(draw).Grid.Goal
	return &DrawnGoal{state, g.SpacingKm * g.Lattice().Distance(g.Goal, state)}
}
