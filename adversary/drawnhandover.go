package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// findAllowedDrawn computes the likelihood of the hand-over up to a sample if its distance is uniform within
// HandoverSpreadKm of HandoverKm: the fraction of distances that are at most the smallest distance while
// waypoints were commanded and, once they ended, larger than the distance at that sample. Samples must ascend.
func (b *Belief) findAllowedDrawn(h *sim.History, sample int) {
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

// depart starts tracking the smallest distance of a flight to every goal.
func (b *Belief) depart() {
	b.reached = -1
	for goal := range b.nearest {
		b.nearest[goal] = math.Inf(1)
	}
}

// approach updates the smallest distance to every goal up to a sample.
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

// nearer returns the smaller of km and the length of off, and the square of that length, up to rounding. It
// computes the square root only if it matters.
func nearer(km float64, off r3.Vec) (nearestKm, square float64) {
	square = r3.Dot(off, off)
	const margin = 1 + 1e-12 // far more than rounding
	if square <= km*km*margin {
		km = min(km, r3.Norm(off))
	}
	return km, square
}

// between returns the smallest of km and of the distances of the samples between the first and the last, whose
// distances are given. It skips the samples if no steps of the given stride can lead nearer than km.
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
