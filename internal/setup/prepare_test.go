package setup_test

import (
	"context"
	"errors"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
)

// few are settings of a small mission and an observer with little to learn from.
func few(observer string) configs.Config {
	c := configs.Default()
	c.Planner.Columns, c.Planner.Rows, c.Planner.SpacingKm, c.Planner.StartCell = 10, 8, 22, [2]int{0, 4}
	c.Adversary.Observer, c.Adversary.Policies, c.Adversary.Training = observer, 3, 40
	return c
}

// What is prepared is all that takes long: of every observer it is as much work as is said before, and none is left for
// the experiment, at this epsilon alone.
func TestPrepareDoesTheWorkAhead(t *testing.T) {
	for _, name := range adversary.Names() {
		var b setup.Builder
		c := few(name)
		work, err := b.Work(c, 1)
		if err != nil {
			t.Fatal(err)
		}
		model, _ := adversary.Find(name)
		if (work > 0) != model.Goal {
			t.Errorf("%s: work %d", name, work)
		}
		n := 0
		if err := b.Prepare(t.Context(), c, 1, func(i int) { n += i }); err != nil || n != work {
			t.Errorf("%s: %d of %d done, %v", name, n, work, err)
		}
		if left, err := b.Work(c, 1); left != 0 || err != nil {
			t.Errorf("%s: %d left, %v", name, left, err)
		}
		e, err := b.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		if left := e.Preparation([]float64{1}); left != 0 {
			t.Errorf("%s: %d left to the flights", name, left)
		}
		if left := e.Preparation([]float64{2}); (left > 0) != model.KnowsNoise() {
			t.Errorf("%s: %d left at another epsilon", name, left)
		}
	}
}

// Work that is stopped fails with the reason, and is done the next time.
func TestPrepareStops(t *testing.T) {
	for _, after := range []int{1, 90} { // in the missions, and in the flights
		var b setup.Builder
		c := few("learned")
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		err := b.Prepare(ctx, c, 1, func(i int) {
			if n += i; n >= after {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped after %d: %v", after, err)
		}
		if work, _ := b.Work(c, 1); work == 0 {
			t.Errorf("stopped after %d: nothing is left", after)
		}
		if err := b.Prepare(t.Context(), c, 1, func(int) {}); err != nil {
			t.Error(err)
		}
		if work, err := b.Work(c, 1); work != 0 || err != nil {
			t.Errorf("%d left, %v", work, err)
		}
	}
}
