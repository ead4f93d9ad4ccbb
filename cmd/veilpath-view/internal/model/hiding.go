package model

import (
	"slices"

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

// plannedFor returns the reward that a mechanism that is not linear plans a run for: its private one, or the true one
// where it makes none.
func (w *World) plannedFor(draw study.Draw) []float64 {
	made(w.flyer.Policy(draw, w.Sigma))
	if rewards := w.flyer.Detail().Rewards; rewards != nil {
		return slices.Clone(rewards)
	}
	return slices.Clone(w.Experiment.Mission.Rewards.Joint)
}

// replan returns the private reward of a run, and its policy for that reward once it was changed.
func (w *World) replan(draw study.Draw, change func(rewards []float64) []float64) (rewards []float64, policy []int32) {
	if w.Experiment.Decoys == nil {
		if rewards = slices.Clone(w.flyer.Privatize(draw, w.Sigma)); rewards == nil {
			rewards = w.plannedFor(draw)
		}
		return rewards, slices.Clone(w.flyer.PlanFor(change(rewards)))
	}
	mission := w.planned(draw)
	p := made(planner.NewPlanner(mission.Solved, nil))
	rewards = slices.Clone(mission.Rewards.Joint)
	return rewards, p.Plan(change(rewards)).Policy
}
