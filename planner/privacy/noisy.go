package privacy

import (
	"context"
	"math"
)

// The rewards of a design that have noise: all except those of agents that have ended and of actions that a
// state lacks.

// noisy returns the entries of an agent's table that have noise.
func (d Design) noisy(agent int) []float64 {
	var noisy []float64
	actions := d.Shape.Actions(agent)
	for i, x := range d.Rewards[agent] {
		if !hasEnded(d.Ended, agent, i/actions) && !math.IsInf(x, -1) {
			noisy = append(noisy, x)
		}
	}
	return noisy
}

// entries returns the number of joint entries by the number of agents whose noise they contain.
func (d Design) entries() []float64 {
	entries := make([]float64, d.Shape.Agents()+1)
	for state := range d.Shape.states {
		count := 1
		for i, m := range d.Shape.actions {
			has := 0
			for _, x := range d.Rewards[i][state*m : (state+1)*m] {
				if !math.IsInf(x, -1) {
					has++
				}
			}
			count *= has
		}
		entries[countActive(d.Ended, len(d.Rewards), state)] += float64(count)
	}
	return entries
}

// Entries returns the number of joint entries that have noise.
func (d Design) Entries() int {
	entries := 0.0
	for _, count := range d.entries()[1:] {
		entries += count
	}
	return int(entries)
}

// maximum is the distribution of the largest absolute joint entry under noise, for independent entries. joint
// is the design's joint reward.
func (d Design) maximum(joint []float64, sigma float64) (m foldedMaximum) {
	agents, actions := d.Shape.Agents(), d.Shape.jointActions
	groups := make([][]float64, agents+1)
	for i, x := range joint {
		if !math.IsInf(x, -1) {
			active := countActive(d.Ended, len(d.Rewards), i/actions)
			groups[active] = append(groups[active], x)
		}
	}
	for active := agents; active > 0; active-- { // entries without noise are 0
		if len(groups[active]) > 0 {
			share := math.Sqrt(float64(active) / float64(agents))
			m = append(m, newFoldedGroup(groups[active], sigma/math.Sqrt(float64(agents))*share))
		}
	}
	return m
}

// SimulatedMaxError is Shape.SimulatedMaxError for the entries that have noise.
func (d Design) SimulatedMaxError(ctx context.Context, draws int, noise *Noise, drawn func()) (SampleMean, error) {
	return d.Shape.simulatedMaxError(ctx, draws, noise, d.maskNoise, drawn)
}

// maskNoise removes from z, the noise of a state agent by agent, the noise of entries that have none. An action
// that an agent lacks takes the noise of an action that it has, which changes no extreme.
func (d Design) maskNoise(state int, z []float64) {
	for i, m := range d.Shape.actions {
		own := z[:m]
		z = z[m:]
		if hasEnded(d.Ended, i, state) {
			clear(own)
			continue
		}
		rewards, has := d.Rewards[i][state*m:(state+1)*m], -1
		for a, x := range rewards {
			if !math.IsInf(x, -1) {
				has = a
			}
		}
		for a, x := range rewards {
			if math.IsInf(x, -1) && has >= 0 {
				own[a] = own[has]
			}
		}
	}
}
