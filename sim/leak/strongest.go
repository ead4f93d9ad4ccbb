package leak

import "math"

// Strongest says how much the strongest of the observers has left to learn of flights hidden in one way, after some km
// flown. The flights of even numbers choose it: it leaves the fewest bits on them. Those of odd numbers measure it. The
// least of several means on the flights that choose it would be too low, by the luck of the one that is chosen.
type Strongest struct {
	Way      string
	Epsilon  float64 // +Inf for no noise
	FlownKm  float64
	Observer string
	BitsLeft Mean // over the flights that have not chosen it
}

// halves are the bits left of the flights that choose the strongest observer, and of those that measure it.
type halves [2]estimator

// add counts a flight.
func (h *halves) add(run int, r reading) { h[run%2].add(r) }

// Strongest returns the strongest observer by way and distance flown. An observer who ruled out the goal of a flight
// has infinitely many bits left, and is chosen where all did so.
func (r *Result) Strongest() []Strongest {
	var all []Strongest
	for i, w := range r.Study.Ways {
		for k, km := range r.Study.FlownKm {
			best, least := 0, math.Inf(1)
			for o := range r.Study.Observers {
				if bits := r.ways[i].standing[o][k].halves[0].mean().Mean; bits < least {
					best, least = o, bits
				}
			}
			all = append(all, Strongest{Way: w.Name, Epsilon: w.Epsilon, FlownKm: km,
				Observer: r.Study.Observers[best].Name, BitsLeft: r.ways[i].standing[best][k].halves[1].mean()})
		}
	}
	return all
}
