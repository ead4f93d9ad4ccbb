package leak

import "math"

// Strongest holds how many bits the strongest observer has left to learn of flights hidden in one way, after a
// distance flown. The observer with the fewest bits left is chosen on the flights with even numbers and
// measured on those with odd numbers: on the flights that choose it, its mean would be biased low.
type Strongest struct {
	Way      string
	Epsilon  float64 // +Inf for no noise
	FlownKm  float64
	Observer string
	BitsLeft Mean // mean over the flights with odd numbers
}

// halves are the bits left on the flights that choose the strongest observer, and on those that measure it.
type halves [2]estimator

func (h *halves) add(run int, r reading) { h[run%2].add(r) }

// Strongest returns the strongest observer by way and distance flown. An observer that rules out the true goal
// of a flight has infinitely many bits left. It is chosen only if all observers did so.
func (r *Result) Strongest() []Strongest {
	var all []Strongest
	for i, w := range r.Study.Ways {
		for k, km := range r.Study.FlownKm {
			best, least := 0, math.Inf(1)
			for o := range r.Study.Observers {
				if bits := r.ways[i].standing[o][k].halves[0].left().Mean; bits < least {
					best, least = o, bits
				}
			}
			all = append(all, Strongest{Way: w.Name, Epsilon: w.Epsilon, FlownKm: km,
				Observer: r.Study.Observers[best].Name, BitsLeft: r.ways[i].standing[best][k].halves[1].left()})
		}
	}
	return all
}
