package adversary

import "math"

// Standing is how the true goal stands in a posterior.
type Standing struct {
	Bits    float64 // -log2 of its probability: what is left to learn; +Inf where it is ruled out
	Entropy float64 // of the posterior, bits
	Rank    float64 // 1 for the likeliest; the mean of their places among equals
	Top1    float64 // probability that a guess of the likeliest goal names it; equals share it evenly
	Top5    float64 // likewise of the five likeliest
}

// Stand returns how a goal stands in a posterior.
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
