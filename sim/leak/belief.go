package leak

import "veilpath/adversary"

// NewBelief returns the belief of an observer of the goal in the world's goals, numbered as they are there; t is what
// it has seen of the mechanism, nil for an observer to whom that does not matter. It serves one goroutine.
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
