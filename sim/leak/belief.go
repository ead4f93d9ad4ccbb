package leak

import "veilpath/adversary"

// NewBelief returns the belief of an observer of the goal in the world's goals, numbered as they are there; t are the
// private policies that observers who know the mechanism have seen, nil for others. It serves one goroutine.
func (w *World) NewBelief(m adversary.GoalModel, t *Tables) (*adversary.Belief, error) {
	return adversary.NewBelief(m, w.knowledge(t))
}
