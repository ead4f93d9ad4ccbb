package mdp

import "math"

// Cost is what following one policy costs against another, from one state on.
type Cost struct {
	Optimal, Private   float64 // values of the two policies at the start state
	Absolute, Relative float64 // |Private - Optimal|, and that over |Optimal|: NaN or +Inf when Optimal is 0
	Bound              float64 // certified error of Absolute
}

// CostOfPrivacy compares the policy computed from a privatized reward with the one computed from the
// true reward, both judged on the true reward (arXiv 2309.12476, Section 6: |v_private(s0) -
// v_optimal(s0)|). Values are exact up to rounding, and Bound says how exact.
func CostOfPrivacy(e *Evaluator, start int, optimal, private []int32, rewards []float64) Cost {
	of := func(policy []int32) (value, bound float64) {
		s := e.Evaluate(policy, rewards, 0)
		return s.Value[start], s.Bound
	}
	best, bestBound := of(optimal)
	own, ownBound := of(private)
	c := CompareValues(best, own)
	c.Bound = bestBound + ownBound
	return c
}

// CompareValues returns the cost of a private value against an optimal one that are known exactly.
func CompareValues(optimal, private float64) Cost {
	absolute := math.Abs(private - optimal)
	return Cost{Optimal: optimal, Private: private, Absolute: absolute, Relative: absolute / math.Abs(optimal)}
}
