package mdp

import (
	"math/bits"
	"runtime"
)

// passFive is pass for five actions, as in PaperMoves. The best action follows no pattern, and a mispredicted
// branch takes longer than the rest of the work for a state: the largest value is found without branches, and
// its action only if it gains.
func (f *Functional) passFive(known []float64, floor float64, reversed bool) (improved bool) {
	discount, value, rewards, successor := f.discount, f.value, f.rewards, f.successor
	s, step := 0, 1
	if reversed {
		s, step = len(value)-1, -1
	}
	for range len(value) {
		// Slices with a constant capacity need no bounds checks.
		reward, next := (*[5]float64)(rewards[5*s:5*s+5:5*s+5]), (*[5]int32)(successor[5*s:5*s+5:5*s+5])
		a, b, c := reward[0]+discount*known[next[0]], reward[1]+discount*known[next[1]], reward[2]+discount*known[next[2]]
		d, e := reward[3]+discount*known[next[3]], reward[4]+discount*known[next[4]]
		if least := value[s] + floor; a > least || b > least || c > least || d > least || e > least {
			worth := largest(a, b, c, d, e)
			choice := bits.TrailingZeros(one(a == worth) | one(b == worth)<<1 | one(c == worth)<<2 | one(d == worth)<<3 | 1<<4)
			f.policy[s], f.chosen[s], f.gain[s], value[s] = int32(choice), next[choice], reward[choice], worth
			improved = true
		}
		s += step
	}
	f.ordered = f.ordered && !improved
	return improved
}

// largest returns the largest of five numbers. In WebAssembly Go calls a function for each max, so it uses
// branches there.
func largest(a, b, c, d, e float64) float64 {
	if runtime.GOARCH != "wasm" {
		return max(max(a, b), max(c, d), e)
	}
	if b > a {
		a = b
	}
	if c > a {
		a = c
	}
	if d > a {
		a = d
	}
	if e > a {
		a = e
	}
	return a
}

// one returns 1 for true and 0 for false.
func one(b bool) uint {
	if b {
		return 1
	}
	return 0
}
