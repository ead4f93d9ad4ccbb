package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// allowDrawn finds the likelihood of what the hand-over has shown up to a sample, where its distance is uniform between
// HandoverKm less and plus HandoverSpreadKm: the share of distances that are no farther than the flight came near
// while waypoints were commanded and, once they ended, farther than it was then. Samples come in ascending order,
// from 0.
func (b *Belief) allowDrawn(h *sim.History, sample int) {
	if sample == 0 {
		b.reached = -1
		for goal := range b.nearest {
			b.nearest[goal] = math.Inf(1)
		}
	}
	low, high := b.handoverKm-b.spreadKm, b.handoverKm+b.spreadKm
	share := func(nearKm, farKm float64) float64 {
		return max(0, min(farKm, high)-max(nearKm, low)) / (high - low)
	}
	switch handover := h.Handover; {
	case sample > handover:
	case sample == handover && !h.GaveUp && handover < len(h.Samples):
		b.approach(h, sample-1)
		for goal, c := range b.candidates {
			b.allowed[goal] = share(r3.Norm(r3.Sub(c.TargetKm, h.Samples[sample].R)), b.nearest[goal])
		}
	default:
		b.approach(h, min(sample, len(h.Samples)-1))
		for goal, km := range b.nearest {
			b.allowed[goal] = share(0, km)
		}
	}
}

// approach follows how near the flight came to every goal up to a sample.
func (b *Belief) approach(h *sim.History, sample int) {
	for b.reached < sample {
		b.reached++
		for goal, c := range b.candidates {
			b.nearest[goal] = min(b.nearest[goal], r3.Norm(r3.Sub(c.TargetKm, h.Samples[b.reached].R)))
		}
	}
}
