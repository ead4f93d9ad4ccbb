package leak_test

import (
	"context"
	"fmt"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/sim/leak"
)

// What an observer of the moves learns about which of three cells the paper's vehicle flies to.
func ExampleStudy() {
	ctx := context.Background()
	settings := configs.Default()
	setting := leak.Setting{Scenario: settings.Scenario(), Spec: settings.Mission(), Guarantee: settings.Guarantee()}
	grid := func(column, row int) int { return row*setting.Spec.Columns + column }
	world, err := leak.NewWorld(ctx, setting, []int{grid(16, 11), grid(3, 15), grid(15, 3)}, nil, 1, func(int) {})
	if err != nil {
		fmt.Println(err)
		return
	}
	observer, err := adversary.FindGoalModel("moves")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := leak.Study{
		Ways:      leak.Ways([]float64{0.2, 4}, leak.Way{World: world}),
		Observers: []adversary.GoalModel{observer},
		Flights:   60,
		FlownKm:   []float64{0, 20, 50},
		InARow:    1,
		Policies:  1,
		Seed:      1,
		Workers:   1,
	}
	result, err := s.Fly(ctx, func(int) {})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range result.Rows() {
		fmt.Printf("epsilon %g, after %2g km: %.2f of %.2f bits\n", row.Epsilon, row.FlownKm, result.PriorBits()-row.BitsLeft,
			result.PriorBits())
	}
	// Output:
	// epsilon 0.2, after  0 km: 0.53 of 1.58 bits
	// epsilon 0.2, after 20 km: 0.76 of 1.58 bits
	// epsilon 0.2, after 50 km: 1.48 of 1.58 bits
	// epsilon 4, after  0 km: 0.74 of 1.58 bits
	// epsilon 4, after 20 km: 0.87 of 1.58 bits
	// epsilon 4, after 50 km: 1.58 of 1.58 bits
}
