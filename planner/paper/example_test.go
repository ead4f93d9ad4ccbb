package paper_test

import (
	"fmt"

	"veilpath/planner/paper"
)

// The eleven readings of what the paper's slip may mean.
func ExampleSlipNames() {
	for _, name := range paper.SlipNames() {
		fmt.Println(name)
	}
	// Output:
	// other-actions
	// other-neighbours
	// stay
	// other-neighbours-or-stay
	// sideways
	// anywhere
	// each-other-action
	// any-action
	// other-actions-unless-staying
	// each-other-neighbour
	// other-moves-unless-staying
}
