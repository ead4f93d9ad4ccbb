package adversary_test

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// Two goals lie 3 km away, one to the north and one to the east. Every observer watches one move to the east, then
// the waypoints end 1 km from the second.
func ExampleBelief() {
	north, east := r3.Vec{Y: 3}, r3.Vec{X: 3}
	knowledge := &adversary.Knowledge{
		Candidates: []adversary.Candidate{{TargetKm: north, Prior: 0.5}, {TargetKm: east, Prior: 0.5}},
		HandoverKm: 1.1,
		Actions:    3, // go north, go east, go to the goal; states are 0 at the start, 1 north and 2 east of it
		Next:       func(goal, _, action int) int { return []int{1, 2, 1 + goal}[action] },
		Values: func(goal, _ int) []float64 {
			return [][]float64{{-2, -4, -2}, {-4, -2, -2}}[goal]
		},
		Rationalities: []float64{0.5, 1, 2},
		PathCost: func(goal, state int) float64 {
			return [][]float64{{6, 4, 8.5}, {6, 8.5, 4}}[goal][state]
		},
		Waypoint: func(state int) r3.Vec { return []r3.Vec{{}, {Y: 1}, {X: 1}}[state] },
		Learned:  make([]float64, adversary.Features), // nothing yet
		Chosen: func(goal, _ int, to []float64) { // by 100 private policies
			copy(to, [][]float64{{40, 20, 40}, {20, 40, 40}}[goal])
		},
		Policies: 100,
	}
	flight := &sim.History{StepS: 1,
		Samples:  []sim.Sample{{}, {R: r3.Vec{X: 1}}, {R: r3.Vec{X: 2}}},
		Visits:   []sim.Visit{{Sample: 0, State: 0, Commanded: 2}},
		Handover: 2}
	for _, model := range adversary.GoalModels() {
		belief, err := adversary.NewBelief(model, knowledge)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s:", model.Name)
		belief.Watch(flight, func(sample int, posterior []float64) {
			fmt.Printf(" %.3f at sample %d", posterior[1], sample)
		})
		fmt.Println()
	}
	// Output:
	// geometry: 0.500 at sample 0 1.000 at sample 2
	// cost_difference: 0.965 at sample 0 1.000 at sample 2
	// moves: 0.667 at sample 0 1.000 at sample 2
	// rational: 0.924 at sample 0 1.000 at sample 2
	// mechanism: 0.797 at sample 0 1.000 at sample 2
	// progress: 0.797 at sample 0 1.000 at sample 2
	// learned: 0.500 at sample 0 1.000 at sample 2
	// heading: 0.500 at sample 0 1.000 at sample 2
}

// How the second of four goals stands when two are as likely.
func ExampleStand() {
	s := adversary.Stand([]float64{0.5, 0.25, 0.25, 0}, 1)
	fmt.Printf("%g bits left, rank %g, named by the best guess with probability %g\n", s.Bits, s.Rank, s.Top1)
	// Output: 2 bits left, rank 2.5, named by the best guess with probability 0
}
