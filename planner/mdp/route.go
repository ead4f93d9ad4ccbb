package mdp

import "math"

// Route is the path of a solve's policy from a start state.
type Route struct {
	Pairs []int32 // state*actions+action of every step, in order, until a state repeats
	// Gap is a lower bound on the advantage of the route's actions over all others in their states, by the
	// solve's value. Every solve of the same rewards, from any guess, takes the same route if Gap exceeds Margin.
	Gap, Margin float64
}

// Route appends the route of the last solve, which must have had these rewards, to pairs.
func (f *Functional) Route(start int, rewards []float64, pairs []int32) Route {
	f.mustFit(rewards)
	route := Route{Pairs: pairs, Gap: math.Inf(1), Margin: f.margin}
	clear(f.mark)
	for at := int32(start); f.mark[at] == 0; at = f.chosen[at] {
		f.mark[at] = 1
		first := int(at) * f.actions
		chosen := first + int(f.policy[at])
		route.Pairs = append(route.Pairs, int32(chosen))
		for pair := first; pair < first+f.actions; pair++ {
			if pair != chosen {
				route.Gap = min(route.Gap, f.value[at]-rewards[pair]-f.discount*f.value[f.successor[pair]])
			}
		}
	}
	return route
}
