package leak_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"veilpath/adversary"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/leak"
)

// Several flights say what another implementation finds, which flew 200 other goals; its standard errors are given.
func TestSeveralReleasesAgreeWithAnotherImplementation(t *testing.T) {
	want := []privacy.SampleMean{{Mean: 4.44, StandardError: .16}, {Mean: 3.27, StandardError: .2}}
	s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: world(t, 80, nil)}),
		Observers: observers("mechanism"), Flights: 100, Policies: 40, Seed: 9, Inferences: &known}, Counts: []int{1, 4}}
	rows, err := s.Fly(context.Background(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		other := want[i]
		t.Logf("%d flights at epsilon %g: %.2f (%.2f) bits left, the other %.2f (%.2f)", row.Flights, row.Epsilon,
			row.Fresh.Mean, row.Fresh.StandardError, other.Mean, other.StandardError)
		if !(math.Abs(row.Fresh.Mean-other.Mean) < 3*math.Hypot(row.Fresh.StandardError, other.StandardError)) {
			t.Errorf("%d flights at epsilon %g: %.2f (%.2f) bits left, want %.2f (%.2f)", row.Flights, row.Epsilon,
				row.Fresh.Mean, row.Fresh.StandardError, other.Mean, other.StandardError)
		}
	}
}

// silent is an observer that fails.
type silent struct{}

func (silent) Every() int                                   { return 10 }
func (silent) Judge(*sim.History, []int, [][]float64) error { return errSilent }

var errSilent = errors.New("no answer")

// An observer that fails ends the study.
func TestObserversOfReleasesMayFail(t *testing.T) {
	m := adversary.GoalModel{Name: "silent", Track: func(*adversary.Knowledge) (adversary.TrackObserver, error) {
		return silent{}, nil
	}}
	s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: world(t, 215, nil)}),
		Observers: []adversary.GoalModel{m}, Flights: 2, Seed: 3}, Counts: []int{1}}
	if _, err := s.Fly(context.Background(), ignore); !errors.Is(err, errSilent) {
		t.Errorf("%v", err)
	}
}

// Private policies are made for every goal, unless goals are drawn: then policies have no noise.
func TestPoliciesToMake(t *testing.T) {
	noisy := world(t, 215, nil)
	for policies, w := range map[int]*leak.World{0: drawingWorld(t), 7 * len(noisy.Goals): noisy} {
		f := leak.Inference{World: w, Sampling: leak.Sampling{Policies: 7}}
		if got := f.Work([]float64{1}); got != policies {
			t.Errorf("%d private policies, want %d", got, policies)
		}
	}
}

// A release that is reused tells nothing beyond the first flight; without noise all releases are one. The guarantee of
// k fresh ones is that of one with sqrt(k) times the mu.
func TestReleasesCompose(t *testing.T) {
	w := world(t, 200, nil)
	s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{1, leak.Unprivate}, leak.Way{World: w}),
		Observers: observers("moves"), Flights: 10, Seed: 3}, Counts: []int{1, 4}}
	rows, err := s.Fly(context.Background(), ignore)
	if err != nil {
		t.Fatal(err)
	}
	one, four, bare, bareFour := rows[0], rows[1], rows[2], rows[3]
	if one.Fresh != one.Reused || four.Reused != one.Fresh || !(four.Fresh.Mean <= one.Fresh.Mean) {
		t.Errorf("one flight leaves %+v, four %+v", one, four)
	}
	if bareFour.Fresh.Mean > bare.Fresh.Mean+1e-9 {
		t.Errorf("without noise one flight leaves %+v, four %+v", bare, bareFour)
	}
	const rounding = 1e-12 // relative
	if math.Abs(four.ComposedMu/(2*one.ComposedMu)-1) > rounding || !(four.ComposedEpsilon > one.ComposedEpsilon) ||
		!math.IsNaN(bare.ComposedMu) {
		t.Errorf("guarantees %+v, %+v, %+v", one, four, bare)
	}
	s.Counts = []int{4}
	if alone, err := s.Fly(context.Background(), ignore); err != nil || len(alone) != 2 || alone[0] != four {
		t.Errorf("four flights without one among the counts are %+v, %v; want %+v", alone, err, four)
	}
	s.Counts = []int{4, 1}
	if s.Check() == nil {
		t.Error("counts in no order are taken")
	}
}
