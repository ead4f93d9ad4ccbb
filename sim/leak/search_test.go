package leak_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"veilpath/adversary"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// search looks for what the observer moves may learn, which needs no private policies.
func search(t *testing.T, d leak.Demand, mostWork float64) leak.Answer {
	t.Helper()
	s := leak.Search{Way: leak.Ways([]float64{0}, leak.Way{World: world(t, 180, nil)})[0],
		Observer: observers("moves")[0],
		Demand:   d, Low: 0.2, High: 20, Resolution: 1, Confidence: 0.9,
		Flights: 40, MostRuns: 100, Seed: 3, Progress: ignore, MostWork: mostWork}
	answer, err := s.Find(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// The answer meets the demand and the next epsilon does not; what nothing meets has no answer, and what all meet is the
// largest.
func TestSearchFindsTheLargestEpsilonThatMeetsTheDemand(t *testing.T) {
	found := search(t, leak.Demand{Bits: 1.4, FlownKm: 60}, 0)
	if !(found.Epsilon >= 0.2 && found.Epsilon < 20 && found.Next > found.Epsilon) {
		t.Errorf("found %+v", found)
	}
	for _, trial := range found.Trials {
		if met := trial.Decision == study.Met; met != (trial.Epsilon <= found.Epsilon) || met && !(trial.Mean < 1.4) {
			t.Errorf("the answer is %v, and %+v", found.Epsilon, trial)
		}
	}
	if none := search(t, leak.Demand{Bits: 0, FlownKm: 60}, 0); !math.IsNaN(none.Epsilon) || none.Next != 0.2 ||
		len(none.Trials) != 1 {
		t.Errorf("0 bits are met: %+v", none)
	}
	if all := search(t, leak.Demand{HiddenUntilKm: 300, RadiusKm: 25, Rule: adversary.Stays}, 0); all.Epsilon != 20 ||
		!math.IsNaN(all.Next) {
		t.Errorf("what always holds is not met everywhere: %+v", all)
	}
}

// A search that has done its work says what is known so far: its trials are the first of those of the whole search.
func TestSearchEndsAfterItsWork(t *testing.T) {
	demand := leak.Demand{Bits: 1.4, FlownKm: 60}
	whole := search(t, demand, 0)
	if some := search(t, demand, 1); !some.Ended || len(some.Trials) != 1 || whole.Ended {
		t.Errorf("%+v of %+v", some, whole)
	}
	some := search(t, demand, 4_000)
	n := len(some.Trials)
	if !some.Ended || n < 2 || n >= len(whole.Trials) || !slices.Equal(some.Trials[:n-1], whole.Trials[:n-1]) ||
		some.Epsilon > whole.Epsilon || some.Next < whole.Next {
		t.Errorf("%+v of %+v", some, whole)
	}
}
