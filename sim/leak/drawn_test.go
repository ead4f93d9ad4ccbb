package leak_test

import (
	"reflect"
	"sync"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner/privacy"
	"veilpath/sim/leak"
	"veilpath/sim/vary"
)

// drawingWorld is the paper's where a goal is drawn in place of the true one.
func drawingWorld(t *testing.T) *leak.World {
	t.Helper()
	w, err := drawing()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

var drawing = sync.OnceValues(func() (*leak.World, error) {
	c := configs.Default()
	c.Privacy.Mechanism = privacy.GeoIndistinguishable{}.Name()
	return newWorld(c, 80)
})

// A goal drawn from itself alone hides nothing and costs nothing; one drawn from far off costs and hides more. The
// numbers do not depend on the workers.
func TestDrawnGoalsHideTheMoreTheFartherTheyAreDrawn(t *testing.T) {
	s := leak.Study{Ways: leak.Ways([]float64{200, 1, 0.2}, leak.Way{World: drawingWorld(t)}),
		Observers: observers("mechanism"), Flights: 60, FlownKm: []float64{50}, Policies: 1, Seed: 4, Workers: 1}
	one := fly(t, s)
	s.Workers = 3
	if three := fly(t, s); !reflect.DeepEqual(one.Rows(), three.Rows()) ||
		!reflect.DeepEqual(one.Outcomes(), three.Outcomes()) {
		t.Errorf("three workers come to %+v, one to %+v", three.Rows(), one.Rows())
	}
	const rounding = 1e-9
	rows, outcomes := one.Rows(), one.Outcomes()
	if outcomes[0].Cost.Mean > rounding || outcomes[0].Fallback != 0 {
		t.Errorf("the goal itself costs %+v", outcomes[0])
	}
	for i := 1; i < len(rows); i++ {
		if !(rows[i].BitsLeft > rows[i-1].BitsLeft && outcomes[i].Cost.Mean > outcomes[i-1].Cost.Mean &&
			outcomes[i].Detour.Mean > outcomes[i-1].Detour.Mean) {
			t.Errorf("epsilon %g comes to %+v, %+v; epsilon %g to %+v, %+v", rows[i].Epsilon, rows[i], outcomes[i],
				rows[i-1].Epsilon, rows[i-1], outcomes[i-1])
		}
	}
}

// anyHeading is a first heading that tells nothing.
var anyHeading = vary.Variation{Key: "vehicle.heading", Distribution: vary.Distribution{Name: "uniform",
	Numbers: []float64{-180, 180}}}

// A hand-over distance and a heading that are drawn for every flight tell less than fixed ones, to observers who know
// that they are drawn; a belief about what is drawn is calibrated, flight by flight.
func TestCountermeasuresSave(t *testing.T) {
	base := world(t, 80, nil)
	drawn := world(t, 80, func(c *configs.Config) {
		c.Vary = configs.Varied{anyHeading, {Key: vary.HandoverKm,
			Distribution: vary.Distribution{Name: "uniform", Numbers: []float64{40, 120}}}}
	})
	s := leak.Study{Ways: append(leak.Ways([]float64{1}, leak.Way{World: base}),
		leak.Ways([]float64{1}, leak.Way{World: drawn})...), Observers: observers("geometry", "moves", "heading"),
		Flights: 60, FlownKm: []float64{100}, Seed: 4}
	r := fly(t, s)
	for _, v := range r.Savings() {
		t.Logf("%s learns %.3f (%.3f) bits less", v.Observer, v.Bits.Mean, v.Bits.StandardError)
		if !(v.Bits.Mean > 3*v.Bits.StandardError) {
			t.Errorf("%s learns %+v bits less", v.Observer, v.Bits)
		}
	}
	for _, row := range r.Rows() {
		if row.Observer == "geometry" && !(row.BitsLeft < row.Entropy+4*row.StandardError &&
			row.BitsLeft > row.Entropy-4*row.StandardError) {
			t.Errorf("%v (%v) bits left, entropy %v", row.BitsLeft, row.StandardError, row.Entropy)
		}
	}
}

// Goals are drawn among the cells that ways lead to, where planner.keep_out closes others, and observers know that.
func TestDrawnGoalsKeepOut(t *testing.T) {
	w := world(t, 80, func(c *configs.Config) {
		c.Privacy.Mechanism, c.Planner.KeepOut = privacy.GeoIndistinguishable{}.Name(), [][]int{{8, 6, 10, 15}}
	})
	for state, m := range w.Decoys().Missions {
		column, row := state%20, state/20
		kept := column >= 8 && column <= 10 && row >= 6 && row <= 15
		if kept != (m == nil) {
			t.Errorf("cell %d:%d, kept out %t, has a plan to be drawn: %t", column, row, kept, m != nil)
		}
	}
	r := fly(t, leak.Study{Ways: leak.Ways([]float64{0.3}, leak.Way{World: w}), Observers: observers("mechanism"),
		Flights: 40, FlownKm: []float64{50}, Policies: 1, Seed: 4})
	if row := r.Rows()[0]; !(row.BitsLeft > 0 && row.BitsLeft < r.PriorBits()) {
		t.Errorf("%+v of %v bits", row, r.PriorBits())
	}
}

// The settings make a world of the mechanism that they name.
func TestSettingsNameTheMechanism(t *testing.T) {
	setting, err := setup.Leak(configs.Default())
	if err != nil || setting.DrawGoal != nil {
		t.Errorf("noise on the reward draws goals, %v", err)
	}
	if drawingWorld(t).Decoys() == nil {
		t.Error("goals are not drawn")
	}
}
