package setup

import (
	"context"
	"math"

	"veilpath/configs"
)

// Prepare does ahead what takes long of the experiment of the settings, and of its flights at an epsilon: it solves the
// missions to all goals that the observer or the mechanism considers possible, and makes what the observer knows of
// flights at this epsilon and of flights without noise. Experiment and the flights would do it otherwise. It calls done
// with the parts of Work that it has done.
func (b *Builder) Prepare(ctx context.Context, c configs.Config, epsilon float64, done func(n int)) error {
	if infers, err := b.infers(c); !infers {
		return err
	}
	way, err := b.SharedWay(ctx, c, done)
	if err != nil {
		return err
	}
	way.Believed().ComputePathCosts(ctx)
	inference, _, err := b.inference(c)
	if inference == nil {
		return err
	}
	return inference.Prepare(ctx, []float64{math.Inf(1), epsilon}, done)
}

// Work returns the amount of work of Prepare: goals, private policies and training flights; 0 once it is done.
func (b *Builder) Work(c configs.Config, epsilon float64) (int, error) {
	if infers, err := b.infers(c); !infers {
		return 0, err
	}
	if b.hasWay(c) {
		inference, _, err := b.inference(c)
		if inference == nil {
			return 0, err
		}
		return inference.Work([]float64{math.Inf(1), epsilon}), nil
	}
	goals, err := Candidates(c)
	if err != nil {
		return 0, err
	}
	n := len(goals)
	model, err := b.model(c)
	if model.Private && !c.Privacy.DrawsGoal() {
		n += 2 * c.Adversary.Policies * len(goals)
	}
	if model.Learns {
		n += 2 * c.Adversary.Training
	}
	return n, err
}

// infers reports whether the observer of the settings infers the goal, or the mechanism draws one.
func (b *Builder) infers(c configs.Config) (bool, error) {
	model, err := b.model(c)
	return err == nil && (model.Goal || c.Privacy.DrawsGoal()), err
}
