package adversary

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// drawnHandover sets the likelihood of the hand-over up to a sample if its distance is drawn: the probability of the
// distances that are at most the smallest distance while waypoints were commanded and, once they ended, larger than the
// distance at that sample. Samples must ascend.
func (b *Belief) drawnHandover(h *sim.History, sample int) {
	switch handover := h.Handover; {
	case sample > handover:
	case sample == handover && !h.GaveUp && handover < len(h.Samples):
		b.updateNearest(h, sample-1)
		for goal, c := range b.candidates {
			b.handover[goal] = max(0, b.drawn(b.nearest[goal])-b.drawn(r3.Norm(r3.Sub(c.TargetKm, h.Samples[sample].R))))
		}
	default:
		b.updateNearest(h, min(sample, len(h.Samples)-1))
		for goal, km := range b.nearest {
			b.handover[goal] = b.drawn(km)
		}
	}
}

// resetNearest starts tracking the smallest distance of a flight to every goal.
func (b *Belief) resetNearest() {
	b.last = -1
	for goal := range b.nearest {
		b.nearest[goal] = math.Inf(1)
	}
}

// updateNearest updates the smallest distance to every goal up to a sample.
func (b *Belief) updateNearest(h *sim.History, sample int) {
	if b.last >= sample {
		return
	}
	passed := h.Samples[b.last+1 : sample+1]
	end := len(passed) - 1
	longest := stride(passed)
	for goal, c := range b.candidates {
		km, endSquare := nearerOf(b.nearest[goal], r3.Sub(c.TargetKm, passed[end].R))
		if end > 0 {
			var firstSquare float64
			km, firstSquare = nearerOf(km, r3.Sub(c.TargetKm, passed[0].R))
			km = nearestBetween(km, c.TargetKm, passed, math.Sqrt(firstSquare), math.Sqrt(endSquare), longest)
		}
		b.nearest[goal] = km
	}
	b.last = sample
}

// nearerOf returns the smaller of km and the length of off, and the square of that length, up to rounding. It
// computes the square root only if it matters.
func nearerOf(km float64, off r3.Vec) (nearestKm, square float64) {
	square = r3.Dot(off, off)
	const margin = 1 + 1e-12 // far more than rounding
	if square <= km*km*margin {
		km = min(km, r3.Norm(off))
	}
	return km, square
}

// nearestBetween returns the smallest of km and of the distances of the samples between the first and the last, whose
// distances are given. It skips the samples if no steps of the given stride can lead nearer than km.
func nearestBetween(km float64, target r3.Vec, samples []sim.Sample, firstKm, lastKm, stride float64) float64 {
	last := len(samples) - 1
	if last < 2 || (firstKm+lastKm-float64(last)*stride)/2 > km {
		return km
	}
	km, square := nearerOf(km, r3.Sub(target, samples[last/2].R))
	middleKm := math.Sqrt(square)
	km = nearestBetween(km, target, samples[last/2:], middleKm, lastKm, stride)
	return nearestBetween(km, target, samples[:last/2+1], firstKm, middleKm, stride)
}
