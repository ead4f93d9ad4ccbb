//go:build long

package leak_test

import (
	"testing"

	"veilpath/configs"
	"veilpath/sim/leak"
)

// The learned observer is told neither moves nor rewards, and comes near to one who counts the policies of the
// mechanism, whatever hides the goal: it is ahead of one who knows the hand-over alone by most of what that one is.
// Where flights start along the line of sight, it finds that out by itself.
func TestLearnedComesNearToThoseWhoKnow(t *testing.T) {
	random := world(t, 80, func(c *configs.Config) { c.Vary = configs.Varied{anyHeading} })
	for _, c := range []struct {
		what  string
		world *leak.World
		knows string
		ahead float64 // at least so much of what that one is ahead of geometry
	}{
		{"a random heading", random, "mechanism", 0.8},
		{"the line of sight", world(t, 80, nil), "heading", 0.95},
	} {
		r := fly(t, leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: c.world}), Flights: 400, FlownKm: []float64{50},
			Observers: observers("geometry", "learned", c.knows), Policies: 100, Seed: 9, Inferences: &known})
		left := map[string]float64{}
		for _, row := range r.Rows() {
			left[row.Observer] = row.BitsLeft
			t.Logf("%s: %s leaves %.2f (%.2f) bits", c.what, row.Observer, row.BitsLeft, row.StandardError)
		}
		if got, most := left["geometry"]-left["learned"], left["geometry"]-left[c.knows]; !(got > c.ahead*most) {
			t.Errorf("%s: learned is %.2f bits ahead of geometry, %s %.2f", c.what, got, c.knows, most)
		}
	}
}

// The interval of where the target is recognised leaves room for flights that none of a few has shown, as flights that
// all are recognised at the hand-over do not show those that are recognised later.
func TestRecognitionLeavesRoomForFlightsNotSeen(t *testing.T) {
	w := world(t, 80, nil)
	distance := func(flights int, seed uint64) leak.Recognition {
		return fly(t, leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: w}), Observers: observers("geometry"),
			Flights: flights, RadiiKm: []float64{25}, FlownKm: []float64{50}, Seed: seed}).Recognitions()[0]
	}
	truth, missed := distance(5000, 1<<40).Distance.Mean, 0
	for seed := range uint64(40) {
		if r := distance(40, seed); r.Low > truth || r.High < truth {
			missed++
		}
	}
	if missed > 5 { // of 40 at 0.05, with a probability of 0.99
		t.Errorf("%d of 40 intervals miss %g km", missed, truth)
	}
}

// What every observer has left to learn agrees with another implementation at every epsilon that it reported.
func TestLeakageAgreesAtEveryEpsilon(t *testing.T) {
	agreesWithAnotherImplementation(t, 400, 0.2, 1, 4)
}
