package pool_test

import (
	"context"
	"fmt"
	"slices"

	"veilpath/internal/pool"
)

// Squares come in the order of the numbers, whatever the workers do.
func ExampleOrdered() {
	square := func(_ context.Context, n int, _ int) (int, error) { return n * n, nil }
	for r, err := range pool.Ordered(context.Background(), 4, slices.Values([]int{1, 2, 3}),
		func() pool.Work[int, int] { return square }) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Piece, r.Value)
	}
	// Output:
	// 1 1
	// 2 4
	// 3 9
}
