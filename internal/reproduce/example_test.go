package reproduce_test

import (
	"fmt"

	"veilpath/internal/reproduce"
)

// A number printed to four digits is computed as the paper says and with a change, and judged.
func ExampleQuantity_Judge() {
	judgement := reproduce.Quantity{
		Name:    "goal survives",
		Numbers: []reproduce.Number{{Published: 0.6261, HalfUnit: 0.00005}},
		Readings: []reproduce.Reading{
			{Name: "b = 2", Values: []reproduce.Value{{Mean: 0.563857}}},
			{Name: "b = 1", Change: "b = 1 instead of 2", Values: []reproduce.Value{{Mean: 0.626102}}},
		},
	}.Judge()
	fmt.Println(judgement.Rows[0].Agreement)
	fmt.Println(judgement.Rows[0].Note)
	// Output:
	// after a change
	// digits after a change: b = 1 instead of 2
}
