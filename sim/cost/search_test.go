package cost

import (
	"context"
	"fmt"
	"math"
	"strconv"
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
	solved, err := SolveAccurately(p, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	return Study{Problem: solved, Mechanisms: []planner.Mechanism{planner.OnReward(privacy.InputPerturbation{})},
		Guarantee: privacy.Guarantee{Delta: 0.01, Adjacency: 1, Calibration: privacy.Classical},
		Seed:      seed, Workers: 1}
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
		s := Search{Study: bandit(t, seed), Limit: limit, Low: 0.1, High: 100, Resolution: 0.05, Confidence: 0.95,
			MostRuns: 4000}
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
	if answer, err := s.Find(context.Background()); err != nil || answer.Epsilon != 0.1 ||
		answer.Trials[0].Decision != study.Met {
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

// Epsilons between the ends of a grid have four digits, and lie within them of the grid's; the ends are as they are.
func TestShortEpsilons(t *testing.T) {
	for _, over := range []study.Range{{Low: 0.123456, High: 9.87654}, {Low: 0.001234567, High: 0.01}, {Low: 12.34567,
		High: 98765.4}} {
		grid := newGrid(over, 0.05)
		if grid.at(0) != over.Low || grid.at(grid.steps) != over.High {
			t.Errorf("%+v: the ends are %v and %v", over, grid.at(0), grid.at(grid.steps))
		}
		for i := 1; i < grid.steps; i++ {
			exact := over.Low * math.Pow(over.High/over.Low, float64(i)/float64(grid.steps))
			want, err := strconv.ParseFloat(fmt.Sprintf("%.4g", exact), 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := grid.at(i); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("epsilon %v is %v for short, want %v", exact, got, want)
			}
		}
	}
}

// A trial has the moments of the runs it did, ends when it is decided, and is as sure of its interval as it says: on
// one side of the limit when it is decided, on both when it is not. Progress is called for every run.
func TestATrialEndsWhenItIsDecided(t *testing.T) {
	for _, c := range []struct {
		epsilon, limit float64
		most           int
		decision       study.Decision
		soon           bool // well before the most runs
	}{
		{20, 0.2, 4000, study.Met, true}, {0.5, 0.1, 4000, study.NotMet, true}, {20, 0.2, 20, study.Undecided, false},
		{3, 1, 800, study.Met, true}, // nothing costs more than all of the value
		{3, 0.1, 0, study.Undecided, false},
	} {
		told := 0
		s := Search{Study: bandit(t, 7), Limit: c.limit, MostRuns: c.most, Progress: func() { told++ }}
		facts, err := s.Study.Facts()
		if err != nil {
			t.Fatal(err)
		}
		trial, err := s.test(context.Background(), c.epsilon, facts.Ceiling(), 0.99)
		if err != nil {
			t.Fatal(err)
		}
		if trial.Decision != c.decision || trial.Runs != told || trial.Epsilon != c.epsilon || c.soon &&
			trial.Runs > c.most/2 || trial.Runs > c.most {
			t.Errorf("epsilon %g, limit %g, up to %d runs: %+v, told of %d", c.epsilon, c.limit, c.most, *trial, told)
		}
		if met, not := trial.High <= c.limit, trial.Low > c.limit; trial.Runs > 0 && (met != (c.decision == study.Met) ||
			not != (c.decision == study.NotMet)) {
			t.Errorf("epsilon %g, limit %g: the interval %g to %g is %s", c.epsilon, c.limit, trial.Low, trial.High,
				trial.Decision)
		}
		one := s.Study
		one.Epsilons = []float64{c.epsilon}
		var costs privacy.Sample
		for rows, err := range one.Rows(context.Background(), 0, trial.Runs) {
			if err != nil {
				t.Fatal(err)
			}
			costs.Add(rows[0].Costs[0])
		}
		if mean := costs.Mean(); trial.Runs > 0 && (trial.Mean != mean.Mean || trial.StandardError != mean.StandardError) {
			t.Errorf("epsilon %g: mean %v (%v), want %v (%v)", c.epsilon, trial.Mean, trial.StandardError, mean.Mean,
				mean.StandardError)
		}
	}
	s := Search{Study: bandit(t, 7), Limit: 0.1, MostRuns: 10}
	if _, err := s.test(context.Background(), -1, 1, 0.99); err == nil {
		t.Error("an epsilon below 0 is tried")
	}
}

// A trial whose mean is at the limit is given up once an eighth of its runs are done, and one that is far from it is
// not.
func TestATrialAtItsLimitIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		draws, most int
		far         float64 // of the mean from the limit, in standard errors
		hopeless    bool
	}{
		// sqrt(2 ln(2/1e-6) 100/800) = 1.9045 standard errors are needed after 100 of 800 runs, and luck may bring 1.5.
		{99, 800, 0, false}, {100, 800, 0, true}, {100, 800, 0.404, true}, {100, 800, 0.405, false}, {100, 800, -0.404,
			true}, {100, 800, -0.405, false},
		{400, 800, 2.308, true}, {400, 800, 2.31, false}, // twice as many are needed after four times the runs
		{1, 3, 0, false}, {2, 3, 0, true},
	} {
		x := trial{limit: 0.5, alpha: 1e-6, most: c.most}
		for i := range c.draws {
			x.costs.Add(float64(i % 2))
		}
		mean := x.costs.Mean()
		if c.far != 0 {
			x.limit = mean.Mean + c.far*mean.StandardError
		}
		if got := x.isTooClose(); got != c.hopeless {
			t.Errorf("%d of %d runs, %g errors from the limit: hopeless %t", c.draws, c.most, c.far, got)
		}
	}
}

// Pieces and rows of what cannot be end with the error.
func TestWhatCannotBeEndsWithAnError(t *testing.T) {
	s := bandit(t, 1)
	s.Epsilons = []float64{1}
	s.Guarantee.Delta = 2
	for _, err := range s.Pieces(context.Background(), study.Range{Low: 0.5, High: 2}, 0, 1) {
		if err == nil {
			t.Error("pieces at a delta of 2")
		}
	}
	if _, err := s.Facts(); err == nil {
		t.Error("facts at a delta of 2")
	}
	search := Search{Study: s, Limit: 0.1, Low: 1, High: 2, Resolution: 0.1, Confidence: 0.9, MostRuns: 10}
	if _, err := search.Find(context.Background()); err == nil {
		t.Error("a search at a delta of 2")
	}
	good := bandit(t, 1)
	good.Epsilons = []float64{1}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	ended := false
	for _, err := range good.Rows(stopped, 0, 1000) {
		ended = err != nil
	}
	if !ended {
		t.Error("rows go on after an interruption")
	}
}

// A trial's interval is where those of its sequences meet, which have half, an eighth and a 32nd of the limit for their
// precision and share the error probability.
func TestIntervalsOfATrialShareTheError(t *testing.T) {
	const limit, confidence = 0.1, 0.97
	s := Search{Study: bandit(t, 3), Limit: limit, MostRuns: 400}
	s.Study.Epsilons = []float64{4}
	facts, err := s.Study.Facts()
	if err != nil {
		t.Fatal(err)
	}
	trial, err := s.test(context.Background(), 4, facts.Ceiling(), confidence)
	if err != nil || trial.Runs < 20 {
		t.Fatal(trial, err)
	}
	low, high := 0.0, facts.Ceiling()
	for _, parts := range []float64{2, 8, 32} {
		sequence := study.NewSequence(facts.Ceiling(), limit/parts, 1-(1-confidence)/3)
		for rows, err := range s.Study.Rows(context.Background(), 0, trial.Runs) {
			if err != nil {
				t.Fatal(err)
			}
			sequence.Add(min(rows[0].Costs[0], facts.Ceiling()))
		}
		from, to := sequence.Interval()
		low, high = max(low, from), min(high, to)
	}
	if math.Abs(trial.Low-low) > 1e-12 || math.Abs(trial.High-high) > 1e-12 || !(high-low < 0.9) {
		t.Errorf("the interval is %v to %v, want %v to %v", trial.Low, trial.High, low, high)
	}
}
