package cost

import (
	"context"
	"math"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim/study"
)

// bandit is one state with rewards of 1 and 0. Privacy costs all of the value where noise puts the 0 first, and
// nothing else: on average the normal tail beyond 1/(sigma sqrt 2).
func bandit(t *testing.T, seed uint64) Study {
	t.Helper()
	law, err := mdp.NewModel(1, 2, func(int, int) []mdp.Outcome { return []mdp.Outcome{{State: 0, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{1, 0}}, 0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	solved, err := Closely(p, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	return Study{Problem: solved, Mechanisms: []privacy.Mechanism{privacy.InputPerturbation{}}, Guarantee: privacy.Guarantee{Delta: 0.01, Adjacency: 1, Calibration: privacy.Classical},
		Seed: seed, Workers: 1}
}

// flipped is the mean cost of the bandit.
func flipped(t *testing.T, s *Study, epsilon float64) float64 {
	t.Helper()
	sigma, err := s.Guarantee.At(epsilon).Sigma()
	if err != nil {
		t.Fatal(err)
	}
	return math.Erfc(1/(2*sigma)) / 2
}

// The answer costs at most the limit in truth, and is the border to within the resolution and what the most runs can
// tell.
func TestSearchFindsTheBorder(t *testing.T) {
	const limit, seeds = 0.1, 20
	for seed := range uint64(seeds) {
		s := Search{Study: bandit(t, seed), Limit: limit, Low: 0.1, High: 100, Resolution: 0.05, Confidence: 0.95, MostRuns: 4000}
		answer, err := s.Find(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		// One wrong of 20 is what 95 % would give; the sequences are far safer.
		if cost := flipped(t, &s.Study, answer.Epsilon); cost > limit || cost < 0.6*limit {
			t.Errorf("seed %d: epsilon %g costs %g, the limit is %g", seed, answer.Epsilon, cost, limit)
		}
		if !(answer.Next < answer.Epsilon) {
			t.Errorf("seed %d: epsilon %g is next to %g", seed, answer.Epsilon, answer.Next)
		}
		soonest := s.MostRuns
		for _, trial := range answer.Trials {
			if trial.Decision != study.Undecided {
				soonest = min(soonest, trial.Runs)
			}
			if cost := flipped(t, &s.Study, trial.Epsilon); cost < trial.Low || cost > trial.High {
				t.Errorf("seed %d: at epsilon %g the interval %g..%g misses %g", seed, trial.Epsilon, trial.Low, trial.High, cost)
			}
		}
		if soonest > s.MostRuns/8 {
			t.Errorf("seed %d: no trial is decided before %d runs", seed, soonest)
		}
	}
	s := Search{Study: bandit(t, 1), Limit: 1e-6, Low: 0.1, High: 0.2, Resolution: 0.05, Confidence: 0.95, MostRuns: 100}
	if answer, err := s.Find(context.Background()); err != nil || !math.IsNaN(answer.Epsilon) || len(answer.Trials) != 1 {
		t.Errorf("a limit that nothing meets: %+v, %v", answer, err)
	}
	s.Limit, s.MostRuns = 1.5, 100
	if answer, err := s.Find(context.Background()); err != nil || answer.Epsilon != 0.1 || answer.Trials[0].Decision != study.Met {
		t.Errorf("a limit above all: %+v, %v", answer, err)
	}
}

// Intervals of a tally that is looked at after every run and ended by a precision hold the mean as often as they say.
func TestIntervalsHoldWhenAPrecisionEndsTheRuns(t *testing.T) {
	const epsilon, precision, seeds = 3, 0.08, 100
	missed, most := 0, 0
	for seed := range uint64(seeds) {
		s := bandit(t, seed)
		s.Epsilons = []float64{epsilon}
		facts, err := s.Facts()
		if err != nil {
			t.Fatal(err)
		}
		tally := NewTally(facts, precision)
		for rows, err := range s.Rows(context.Background(), 0, math.MaxInt) {
			if err != nil {
				t.Fatal(err)
			}
			if tally.Add(rows); tally.Widest() <= precision {
				break
			}
		}
		one := tally.Summaries()[0]
		if mean := flipped(t, &s, epsilon); mean < one.Low || mean > one.High {
			missed++
		}
		if one.High-one.Low > 2*precision {
			t.Errorf("seed %d: interval %g..%g", seed, one.Low, one.High)
		}
		most = max(most, one.Runs)
	}
	// 5 % of 100 and four standard deviations.
	if missed > 13 || most > 5000 {
		t.Errorf("%d of %d intervals miss the mean; at most %d runs", missed, seeds, most)
	}
}
