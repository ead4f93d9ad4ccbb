package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// allowDrawn finds the likelihood of what the hand-over has shown up to a sample, where its distance is uniform between
// HandoverKm less and plus HandoverSpreadKm: the share of distances that are no farther than the flight came near
// while waypoints were commanded and, once they ended, farther than it was then. Samples come in ascending order.
func (b *Belief) allowDrawn(h *sim.History, sample int) {
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

// depart begins to follow how near a flight comes to every goal.
func (b *Belief) depart() {
	b.reached = -1
	for goal := range b.nearest {
		b.nearest[goal] = math.Inf(1)
	}
}

// approach follows how near the flight came to every goal up to a sample. Squares tell which samples come in question, so
// that of few the distance itself is worked out.
func (b *Belief) approach(h *sim.History, sample int) {
	if b.reached >= sample {
		return
	}
	const margin = 1 + 1e-12 // far more than rounding
	passed := h.Samples[b.reached+1 : sample+1]
	for goal, c := range b.candidates {
		km := b.nearest[goal]
		limit := km * km * margin
		for i := range passed[:len(passed)-1] { // the last one is looked at alone, as where all are one by one
			limit = min(limit, square(c.TargetKm, passed[i].R)*margin)
		}
		for i := range passed {
			if square(c.TargetKm, passed[i].R) <= limit {
				km = min(km, r3.Norm(r3.Sub(c.TargetKm, passed[i].R)))
			}
		}
		b.nearest[goal] = km
	}
	b.reached = sample
}

// square returns the square of the distance between two places, km^2.
func square(a, b r3.Vec) float64 {
	d := r3.Sub(a, b)
	return r3.Dot(d, d)
}
