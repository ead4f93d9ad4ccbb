package adversary

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// Standing compares the true goal with a posterior.
type Standing struct {
	Bits    float64 // -log2 of its probability, the information still missing; +Inf if it is ruled out
	Entropy float64 // of the posterior, bits
	Rank    float64 // 1 for the most likely goal; goals of equal probability share the mean of their ranks
	Top1    float64 // probability that a guess of the most likely goal is right; goals of equal probability share it
	Top5    float64 // the same for the five most likely goals
}

// Stand returns the standing of a goal in a posterior.
func Stand(posterior []float64, goal int) Standing {
	own := posterior[goal]
	better, equal := 0, 0 // others
	entropy := 0.0
	for g, p := range posterior {
		if p > 0 {
			entropy -= p * math.Log2(p)
		}
		switch {
		case g == goal:
		case p == own:
			equal++
		case p > own:
			better++
		}
	}
	among := func(k int) float64 { return min(1, max(0, float64(k-better)/float64(equal+1))) }
	return Standing{Bits: -math.Log2(own), Entropy: max(0, entropy), Rank: 1 + float64(better) + float64(equal)/2,
		Top1: among(1), Top5: among(5)}
}

// spreader is an Observer with a belief over several ends. Its error depends on the whole belief, not on a
// single predicted end.
type spreader interface {
	Observer
	// Spread sets spreadKm[i] to the radius around the target that contains at least half of the belief at sample
	// i, km; +Inf if no radius does.
	Spread(h *sim.History, target r3.Vec, spreadKm []float64)
}

// half is half of a posterior, less rounding.
const half = 0.5 - 1e-12

// Foresee implements Observer: it predicts the most likely goal.
func (b *Belief) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	end := noPrediction
	b.forEachSample(h, func(_ int, posterior []float64) {
		end = noPrediction
		likeliest := 0.0
		for goal, p := range posterior {
			if p > likeliest {
				likeliest, end = p, r3.Sub(b.candidates[goal].TargetKm, origin)
			}
		}
	}, func(sample int) { foreseen[sample] = end })
}

func (b *Belief) Spread(h *sim.History, target r3.Vec, spreadKm []float64) {
	around := NewSurroundings(b.candidates, target)
	spread := math.Inf(1)
	b.forEachSample(h, func(_ int, posterior []float64) { spread = around.spread(posterior) },
		func(sample int) { spreadKm[sample] = spread })
}

// Fill sets errors like PredictionErrors.Fill and calls look with the posterior like Watch. around is the
// surroundings of the target.
func (b *Belief) Fill(e *PredictionErrors, h *sim.History, target r3.Vec, around *Surroundings,
	look func(sample int, posterior []float64)) {
	e.measure(h, target)
	spread := math.Inf(1)
	b.forEachSample(h, func(sample int, posterior []float64) {
		spread = around.spread(posterior)
		look(sample, posterior)
	}, func(sample int) { e.ErrorKm[sample] = spread })
}

// Surroundings are candidates ordered by their distance from a target.
type Surroundings struct {
	order []int
	km    []float64 // in this order
}

// NewSurroundings returns the surroundings of a target.
func NewSurroundings(candidates []Candidate, target r3.Vec) *Surroundings {
	s := &Surroundings{}
	distance := make([]float64, len(candidates))
	for goal, c := range candidates {
		s.order = append(s.order, goal)
		distance[goal] = r3.Norm(r3.Sub(c.TargetKm, target))
	}
	slices.SortStableFunc(s.order, func(g, other int) int { return cmp.Compare(distance[g], distance[other]) })
	for _, goal := range s.order {
		s.km = append(s.km, distance[goal])
	}
	return s
}

// spread returns the radius around the target that contains at least half of a posterior, km; +Inf if none
// does.
func (s *Surroundings) spread(posterior []float64) float64 {
	mass := 0.0
	for place, goal := range s.order {
		if mass += posterior[goal]; mass >= half {
			return s.km[place]
		}
	}
	return math.Inf(1)
}

// forEachSample follows a flight. It calls change with each posterior, and keep at every sample for which it holds.
func (b *Belief) forEachSample(h *sim.History, change func(sample int, posterior []float64), keep func(sample int)) {
	next := 0
	fill := func(end int) {
		for ; next < min(end, len(h.Samples)); next++ {
			keep(next)
		}
	}
	b.Watch(h, func(sample int, posterior []float64) {
		fill(sample)
		change(sample, posterior)
	})
	fill(len(h.Samples))
}
