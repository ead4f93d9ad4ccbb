package audit

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// coins makes releases that show events with some probabilities each, as binary digits.
func coins(random *rand.Rand, n int, probabilities []float64) []float64 {
	all := make([]float64, n)
	for i := range all {
		code := uint64(0)
		for k, p := range probabilities {
			if random.Float64() < p {
				code |= 1 << k
			}
		}
		all[i] = float64(code)
	}
	return all
}

// tells returns the probabilities of twelve events under a table and its neighbour, the fifth of which tells mu by a
// threshold and the eighth as much by not happening.
func tells(mu float64) (table, neighbour []float64) {
	low, high := distuv.UnitNormal.CDF(-mu/2), distuv.UnitNormal.CDF(mu/2)
	for k := range 12 {
		p, q := 0.3, 0.3
		switch k {
		case 5:
			p, q = low, high
		case 8:
			p, q = high, low
		}
		table, neighbour = append(table, p), append(neighbour, q)
	}
	return table, neighbour
}

func eventsVerdict(t *testing.T, random *rand.Rand, claim Claim, mu float64) *Report {
	t.Helper()
	p, q := tells(mu)
	table, neighbour := coins(random, 2000, p), coins(random, 2000, q)
	var f findings
	f.add(claim, Samples{A: digit(table, 0), B: digit(neighbour, 0), Threshold: 0.5}, "", "", "")
	f.addEvents(claim, table, neighbour, 12)
	r, err := f.judge(claim, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Events that tell all that is promised and no more alarm no more often than is stated, though they are chosen; those
// that tell twice as much are found, where the entry's own tells nothing.
func TestEventsThatAreChosenAlarmAsRarelyAsStated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const sigma = 2.5
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1, Sigma: sigma}
	audits, alarms := 20, 0
	for range audits {
		if eventsVerdict(t, random, claim, claim.Mu()).Verdict() != Consistent {
			alarms++
		}
	}
	if alarms > 1 {
		t.Errorf("%d alarms of %d audits, stated at most 1 %%", alarms, audits)
	}
	for range 5 {
		r := eventsVerdict(t, random, claim, 2.5*claim.Mu())
		if failed := r.Failed(); len(failed) == 0 || !strings.HasSuffix(failed[0].Name, "_events") {
			t.Errorf("a fault that the events alone tell: %s", r.Why())
		}
	}
}

// Of a policy the digits are the actions it takes, and of a route the ways it uses: two states, of which action 1
// changes.
func TestDigitsOfReleasesAreUsesOfEntries(t *testing.T) {
	law, err := mdp.NewModel(2, 2, func(state, action int) []mdp.Outcome {
		return []mdp.Outcome{{State: state ^ action, Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	problem, err := planner.NewProblem(law, [][]float64{{0, 0, 5, 0}}, 0.9, 0) // staying in state 1 pays
	if err != nil {
		t.Fatal(err)
	}
	solved, err := problem.Solve(1e-9, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[Publication]float64{Policy: 0b0101, Route: 0b0101} {
		s := Subject{Problem: solved, Mechanism: privacy.InputPerturbation{}, Sigma: 1e-9,
			Guarantee: privacy.Guarantee{Adjacency: 1e-9}, Of: of, Entry: 1}
		events := s.events() // 1, then 0, then those of state 1
		sampler, err := s.newSampler(events)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sampler(0, new(privacy.Noise))
		if err != nil || got != want || len(events) != 4 || math.IsNaN(got) {
			t.Errorf("%s: %b of %v, %v; want %b", of, uint64(got), events, err, uint64(want))
		}
		newSampler := func() (Sampler, error) { return s.newSampler(events) }
		if _, _, err := Watch(context.Background(), LeastSamples, 1, 1, newSampler, func(int) {}); err != nil {
			t.Error(err)
		}
	}
}
