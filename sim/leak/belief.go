package leak

import "veilpath/adversary"

// NewBelief returns the belief of an observer of the goal in the world's goals, which keep their numbers. t
// holds the private policies, drawn goals or learned weights that the observer knows; nil if it uses none. The
// result is for one goroutine.
func (w *World) NewBelief(m adversary.GoalModel, t *Tables) (*adversary.Belief, error) {
	k := w.knowledge(t)
	if w.decoys != nil && t != nil {
		var err error
		if k.Draws, err = w.draws(t.epsilon); err != nil {
			return nil, err
		}
	}
	return adversary.NewBelief(m, k)
}
