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

// Shortfall returns by how much, at most, a route's value in one of its states falls short of the value of the
// last solve, which was of these rewards. It is 0 or more.
func (f *Functional) Shortfall(pairs []int32, rewards []float64) float64 {
	f.mustFit(rewards)
	path := f.path[:0]
	for _, pair := range pairs {
		at := pair / int32(f.actions)
		path = append(path, at)
		f.gain[at] = rewards[pair]
	}
	return f.shortfall(f.discount, path, f.successor[pairs[len(pairs)-1]], f.value)
}
