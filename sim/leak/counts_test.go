package leak

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Without a group there are as many policies left as their counts add up to, whatever the groups' sizes.
func TestCountsWithoutAGroupAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const goals, states, actions = 2, 3, 4
	for _, c := range []Sampling{{Policies: 10, Groups: 3}, {Policies: 9, Groups: 3}, {Policies: 11, Groups: 4},
		{Policies: 5, Groups: 5}, {Policies: 1, Groups: 1}} {
		tables := Tables{Sampling: c}
		stride := 1 + c.Groups
		for range goals {
			counts := make([]uint32, states*actions*stride)
			for policy := range c.Policies {
				for state := range states {
					at := (state*actions + rng.IntN(actions)) * stride
					counts[at]++
					counts[at+1+policy%c.Groups]++
				}
			}
			tables.chosen = append(tables.chosen, counts)
		}
		sum := func(chosen func(goal, state int, to []float64), goal, state int) (all float64) {
			to := make([]float64, actions)
			chosen(goal, state, to)
			for _, n := range to {
				all += n
			}
			return all
		}
		for goal := range goals {
			for state := range states {
				if policies, chosen := tables.counts(-1); sum(chosen, goal, state) != policies || policies != float64(c.Policies) {
					t.Errorf("%+v: %g policies, which take %g actions in a state", c, policies, sum(chosen, goal, state))
				}
				left := 0.0
				for group := range c.Groups {
					policies, chosen := tables.counts(group)
					if got := sum(chosen, goal, state); got != policies {
						t.Errorf("%+v without group %d: %g policies, which take %g actions in a state", c, group, policies, got)
					}
					left += policies
				}
				if want := float64(c.Policies * (c.Groups - 1)); left != want {
					t.Errorf("%+v: %g policies without each group, want %g", c, left, want)
				}
			}
		}
	}
}

// A flight that the time limit ended has no detour, and its share is said; one flight of many that circles for hours
// would be the whole mean otherwise.
func TestTimedOutFlightsHaveNoDetour(t *testing.T) {
	r := Result{Study: &Study{Ways: []Way{{Name: "p", Epsilon: 1}}}, ways: make([]tally, 1)}
	for run, seen := range []sight{{Detour: 0.1, Longer: 0.2}, {Detour: 0.3, Longer: 0.4},
		{Detour: math.NaN(), Longer: math.NaN(), TimedOut: 1}, {Detour: 0.2, Longer: 0.3}} {
		r.ways[0].add(run, &seen)
	}
	o := r.Outcomes()[0]
	if math.Abs(o.Detour.Mean-0.2) > 1e-12 || math.Abs(o.Longer.Mean-0.3) > 1e-12 || o.TimedOut != 0.25 {
		t.Errorf("detour %g, longer %g, timed out %g; want 0.2, 0.3, 0.25", o.Detour.Mean, o.Longer.Mean, o.TimedOut)
	}
}

// Observers who believe in an epsilon believe in it for all flights but those without noise, which they tell.
func TestFlightsWithoutNoiseAreKnownAsSuch(t *testing.T) {
	for _, c := range []struct{ believes, actual, want float64 }{{0, 2, 2}, {0, Unprivate, Unprivate}, {1, 2, 1}, {1,
		0.5, 1}, {1, Unprivate, Unprivate}} {
		if got := (&Inference{Epsilon: c.believes}).assumed(c.actual); got != c.want {
			t.Errorf("who believes in %g takes %g for %g, want %g", c.believes, c.actual, got, c.want)
		}
	}
}

// Shares of goals are told from logarithms that no float64 holds the exponential of; a goal of prior 0 has none.
func TestBitsLeftOfLogarithms(t *testing.T) {
	const rounding = 1e-12
	for _, c := range []struct {
		logs []float64
		goal int
		want float64
	}{
		{[]float64{0, 0}, 0, 1}, {[]float64{-5000, -5000, -5000, -5000}, 2, 2}, {[]float64{math.Log(3) - 900, -900}, 0,
			2 - math.Log2(3)},
		{[]float64{math.Log(3) + 900, 900}, 1, 2}, {[]float64{0, math.Inf(-1)}, 0, 0}, {[]float64{0, -1000}, 0, 0},
	} {
		if got := bitsLeft(c.logs, c.goal); math.Abs(got-c.want) > rounding {
			t.Errorf("logarithms %v: %v bits left of goal %d, want %v", c.logs, got, c.goal, c.want)
		}
	}
	if got := bitsLeft([]float64{0, math.Inf(-1)}, 1); !math.IsInf(got, 1) {
		t.Errorf("%v bits are left of a goal that is ruled out", got)
	}
}

// What an observer knows varies with the epsilon of the flight where it asks for private policies, however few, and
// takes no epsilon for the actual one.
func TestWhatObserversKnowVaries(t *testing.T) {
	for _, c := range []struct {
		epsilon  float64
		policies int
		want     bool
	}{{0, 1, true}, {0, 40, true}, {0, 0, false}, {2, 40, false}} {
		f := &Inference{World: &World{}, Epsilon: c.epsilon, Sampling: Sampling{Policies: c.policies}}
		if got := f.Varies(); got != c.want {
			t.Errorf("epsilon %g, %d policies: varies %t", c.epsilon, c.policies, got)
		}
	}
}
