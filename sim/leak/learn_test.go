package leak_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"veilpath/configs"
	"veilpath/internal/pieces"
	"veilpath/internal/record"
	"veilpath/sim/leak"
)

// A flight teaches up to a sample that is anywhere before the hand-over, not by its start alone.
func TestFlightsTeachAtAnySample(t *testing.T) {
	way := leak.Way{World: world(t, 215, nil), Epsilon: 1}
	starts := 0
	for run := range 10 {
		example, start, err := leak.Lesson(way, 2, run)
		if err != nil {
			t.Fatal(err)
		}
		if reflect.DeepEqual(example, start) {
			starts++
		}
	}
	if starts > 5 {
		t.Errorf("%d of 10 flights teach what their start does", starts)
	}
}

// What was learned before an interruption is not learned again, counts as done, and makes the same of later flights.
func TestWhatWasLearnedIsKept(t *testing.T) {
	w := world(t, 215, nil)
	path := t.TempDir()
	begin := func() *pieces.Work {
		f, err := pieces.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		kept, err := f.Begin(record.Manifest{Config: json.RawMessage("{}")})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(kept.End)
		return kept
	}
	s := leak.Study{Ways: leak.Ways([]float64{1, 4}, leak.Way{World: w}), Flights: 3, FlownKm: []float64{50},
		Observers: observers("learned"), Training: 30, Seed: 5, Kept: begin()}
	done := 0
	count := func(n int) { done += n }
	first, err := s.Fly(context.Background(), count)
	if err != nil {
		t.Fatal(err)
	}
	if want := s.Work(); done != 2*30+2*3 || want != 2*3 {
		t.Fatalf("%d done, %d left", done, want)
	}
	again := func() []leak.Row {
		done, s.Kept, s.Inferences = 0, begin(), nil
		for round := 1; round < 4; round++ {
			for i := range 6 {
				os.Remove(filepath.Join(path, "pieces", fmt.Sprint(round, "-", i, ".piece"))) // so that it is flown again
			}
		}
		result, err := s.Fly(context.Background(), count)
		if err != nil || done != 2*30+2*3 {
			t.Fatalf("%d done, %v", done, err)
		}
		return result.Rows()
	}
	before := first.Rows()
	if same := again(); same[0] != before[0] || same[1] != before[1] {
		t.Errorf("again: %v, before: %v", same, before)
	}
	lesson, err := pieces.Do(t.Context(), begin(), "0-0", nil, func(context.Context, []float64) ([]float64, error) {
		return nil, errors.New("the lesson is not kept")
	})
	if err != nil {
		t.Fatal(err)
	}
	blank := make([]float64, len(lesson)) // so that it shows whether this is taken
	if _, err := pieces.Put(begin(), "0-0", blank); err != nil {
		t.Fatal(err)
	}
	if other := again(); other[0] == before[0] || other[1] != before[1] {
		t.Errorf("with the first lesson blank: %v, before: %v", other, before)
	}
}

// Who learned from flights at the same epsilon is ahead of one who knows the hand-over alone. Who learned from flights
// at another epsilon is mistaken, and learns less.
func TestLearnedDependsOnTheFlightsThatTeach(t *testing.T) {
	w := world(t, 215, func(c *configs.Config) { c.Vary = configs.Varied{anyHeading} })
	s := leak.Study{Observers: observers("geometry", "learned"),
		Ways:    leak.Ways([]float64{0.05, 4}, leak.Way{World: w}),
		Flights: 100, FlownKm: []float64{100}, Training: 200, Seed: 4}
	right := fly(t, s).Rows() // of geometry and learned at 0.05, then at 4
	s.Ways[0].BeliefEpsilon = 4
	wrong := fly(t, s).Rows()
	if ahead := right[2].BitsLeft - right[3].BitsLeft; !(ahead > 0.5) {
		t.Errorf("at epsilon 4 it is %.2f bits ahead of geometry", ahead)
	}
	if !(wrong[1].BitsLeft > right[1].BitsLeft) || wrong[3].BitsLeft != right[3].BitsLeft {
		t.Errorf("taught at epsilon 4 it leaves %.3f bits of flights at 0.05, taught at 0.05 %.3f; at 4 %v and %v",
			wrong[1].BitsLeft, right[1].BitsLeft, wrong[3].BitsLeft, right[3].BitsLeft)
	}
}
