package privacy

import (
	"context"
	"math"
)

// What of a design's rewards gets noise: not what an agent earns that has ended, nor actions that a state lacks.

// noisy returns the entries of an agent's table that get noise.
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

// active is how many agents have not ended in a state.
func (d Design) active(state int) int {
	active := 0
	for i := range d.Rewards {
		if !hasEnded(d.Ended, i, state) {
			active++
		}
	}
	return active
}

// entries returns, by how many agents' noise is in them, how many joint entries there are.
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
		entries[d.active(state)] += float64(count)
	}
	return entries
}

// Entries returns how many joint entries get noise.
func (d Design) Entries() int {
	entries := 0.0
	for _, count := range d.entries()[1:] {
		entries += count
	}
	return int(entries)
}

// maximum is the distribution of the largest absolute joint entry under noise, were the entries independent. joint is
// the design's joint reward.
func (d Design) maximum(joint []float64, sigma float64) (m foldedMaximum) {
	agents, actions := d.Shape.Agents(), d.Shape.jointActions
	groups := make([][]float64, agents+1)
	for i, x := range joint {
		if !math.IsInf(x, -1) {
			active := d.active(i / actions)
			groups[active] = append(groups[active], x)
		}
	}
	for active := agents; active > 0; active-- { // the rest is 0
		if len(groups[active]) > 0 {
			share := math.Sqrt(float64(active) / float64(agents))
			m = append(m, newFoldedGroup(groups[active], sigma/math.Sqrt(float64(agents))*share))
		}
	}
	return m
}

// SimulatedMaxError is Shape.SimulatedMaxError of the entries that get noise.
func (d Design) SimulatedMaxError(ctx context.Context, draws int, noise *Noise, drawn func()) (SampleMean, error) {
	return d.Shape.simulatedMaxError(ctx, draws, noise, d.quiet, drawn)
}

// quiet takes the noise z of a state, agent by agent, off what gets none: an action that an agent lacks has that of one
// that it has, which moves no extreme.
func (d Design) quiet(state int, z []float64) {
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
