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

// approach follows how near the flight came to every goal up to a sample.
func (b *Belief) approach(h *sim.History, sample int) {
	if b.reached >= sample {
		return
	}
	passed := h.Samples[b.reached+1 : sample+1]
	last := len(passed) - 1
	longest := stride(passed)
	for goal, c := range b.candidates {
		km, end := nearer(b.nearest[goal], r3.Sub(c.TargetKm, passed[last].R))
		if last > 0 {
			var first float64
			km, first = nearer(km, r3.Sub(c.TargetKm, passed[0].R))
			km = between(km, c.TargetKm, passed, math.Sqrt(first), math.Sqrt(end), longest)
		}
		b.nearest[goal] = km
	}
	b.reached = sample
}

// nearer returns the lesser of km and the length of off, and the square of that, up to rounding. It works out the
// length itself where that counts.
func nearer(km float64, off r3.Vec) (nearestKm, square float64) {
	square = r3.Dot(off, off)
	const margin = 1 + 1e-12 // far more than rounding
	if square <= km*km*margin {
		km = min(km, r3.Norm(off))
	}
	return km, square
}

// between returns the least of km and of the distances of samples between the first and the last, which are so far off.
// Where steps of a stride lead no nearer than km, none needs a look.
func between(km float64, target r3.Vec, samples []sim.Sample, firstKm, lastKm, stride float64) float64 {
	last := len(samples) - 1
	if last < 2 || (firstKm+lastKm-float64(last)*stride)/2 > km {
		return km
	}
	km, square := nearer(km, r3.Sub(target, samples[last/2].R))
	middleKm := math.Sqrt(square)
	km = between(km, target, samples[last/2:], middleKm, lastKm, stride)
	return between(km, target, samples[:last/2+1], firstKm, middleKm, stride)
}
