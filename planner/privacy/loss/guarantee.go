package loss

import "math"

// responses are the losses of several guarantees with one Epsilon: n randomized responses, or, with a probability of
// infinite, everything. Their sum has a closed form (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
type responses struct {
	epsilon, infinite float64
	n                 int
}

// deltaRounding exceeds the relative rounding error of a delta.
const deltaRounding = 1e-11

// responsesOf returns losses as responses, if all are guarantees with one Epsilon.
func responsesOf(losses []Loss) (r responses, ok bool) {
	finite := 0.0
	for i, l := range losses {
		g, ok := l.(Guarantee)
		if !ok || i > 0 && g.Epsilon != r.epsilon {
			return r, false
		}
		r.epsilon, r.n = g.Epsilon, r.n+1
		finite += math.Log1p(-g.Delta)
	}
	r.infinite = -math.Expm1(finite)
	return r, r.n > 0
}

// delta returns the bound on delta at an epsilon. Of n responses i are false with a binomial probability, and then the
// loss is (n-2i) times that of one.
func (r responses) delta(epsilon float64) float64 {
	sum, logFalse := 0.0, -r.epsilon-math.Log1p(math.Exp(-r.epsilon))
	factorial := func(n int) float64 { v, _ := math.Lgamma(float64(n) + 1); return v }
	for i := 0; i <= r.n; i++ {
		loss := float64(r.n-2*i) * r.epsilon
		if loss <= epsilon {
			break
		}
		log := factorial(r.n) - factorial(i) - factorial(r.n-i) + float64(i)*logFalse + float64(r.n-i)*(logFalse+r.epsilon)
		sum -= math.Exp(log) * math.Expm1(epsilon-loss)
	}
	return min(1, (1+deltaRounding)*(r.infinite+(1-r.infinite)*sum))
}

// leastEpsilon returns the bound on the least epsilon at a delta.
func (r responses) leastEpsilon(delta float64) float64 {
	low, high := 0.0, float64(r.n)*r.epsilon
	switch {
	case delta < r.infinite:
		return math.Inf(1)
	case delta >= r.delta(0):
		return 0
	}
	for range 100 {
		if middle := (low + high) / 2; r.delta(middle) > delta {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
