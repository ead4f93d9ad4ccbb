package leak_test

import (
	"math"
	"testing"

	"veilpath/sim/leak"
)

// Where the time limit ends all flights there is no detour at all.
func TestATimeLimitEndsFlights(t *testing.T) {
	w := *world(t, 80, nil)
	w.Scenario.MaxTimeS = 10
	r := fly(t, leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: &w}), Observers: observers("geometry"),
		Flights: 5, FlownKm: []float64{10}})
	for _, o := range r.Outcomes() {
		if !math.IsNaN(o.Detour.Mean) || o.TimedOut != 1 {
			t.Errorf("%s: detour %g, timed out %g", o.Way, o.Detour.Mean, o.TimedOut)
		}
	}
}
