package adversary

import "math"

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
