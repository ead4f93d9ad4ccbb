package mdp

import "math"

// Route is where the policy of a solve leads from a start state.
type Route struct {
	Pairs []int32 // state*actions+action of every step, in order, until a state comes again
	// Gap is by how much the actions of the route beat all others of their states, at least, by the solve's
	// value. A solve of the same rewards, from whatever guess, takes the same route if Gap exceeds Margin.
	Gap, Margin float64
}

// Route appends the route of the last solve, which was of these rewards, to pairs.
func (f *Functional) Route(start int, rewards []float64, pairs []int32) Route {
	f.mustFit(rewards)
	route := Route{Pairs: pairs, Gap: math.Inf(1), Margin: f.margin}
	clear(f.mark)
	for at := int32(start); f.mark[at] == 0; at = f.chosen[at] {
		f.mark[at] = 1
		first := int(at) * f.actions
		own := first + int(f.policy[at])
		route.Pairs = append(route.Pairs, int32(own))
		for pair := first; pair < first+f.actions; pair++ {
			if pair != own {
				route.Gap = min(route.Gap, f.value[at]-rewards[pair]-f.discount*f.value[f.successor[pair]])
			}
		}
	}
	return route
}
