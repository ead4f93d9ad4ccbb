package adversary

import (
	"math"
	"slices"

	"veilpath/sim"
)

// Err returns why the observer could not judge a flight: the first error of a TrackObserver. The posterior of that
// flight, and of later ones, is not a number.
func (b *Belief) Err() error { return b.err }

// watchTrack is Watch of a TrackObserver.
func (b *Belief) watchTrack(h *sim.History, look func(sample int, posterior []float64)) {
	b.changes = b.changes[:0]
	for sample := 0; sample < len(h.Samples); sample += max(1, b.track.Every()) {
		b.changes = append(b.changes, sample)
	}
	b.judge(h, b.changes, func(k int, posterior []float64) { look(b.changes[k], posterior) })
}

// judge passes on the posteriors of a TrackObserver at samples, of which those past the last stand for the end.
func (b *Belief) judge(h *sim.History, samples []int, look func(k int, posterior []float64)) {
	b.told = resize(b.told, len(samples))
	for k := range b.told {
		b.told[k] = resize(b.told[k], len(b.candidates))
	}
	within := slices.Clone(samples)
	for k := range within {
		within[k] = max(0, min(within[k], len(h.Samples)-1))
	}
	if b.err == nil {
		b.err = b.track.Judge(h, within, b.told)
	}
	for k, posterior := range b.told {
		if b.err != nil {
			for goal := range posterior {
				posterior[goal] = math.NaN()
			}
		}
		look(k, posterior)
	}
}
