package model

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"veilpath/sim/study"
)

// What the user waits for does not wait for requests of the map that were taken before: the pool stops their flyer, and
// comes back to them. One that was replaced is stopped too.
func TestMapGivesWayToTheEnsemble(t *testing.T) {
	m := newModel(t, 0)
	f := newPool(Workers{})
	type done struct{ kind, slot int }
	var order []done
	jobOf := func(kind, count int, after func(slot int)) *job {
		requests := make([]request, count)
		for i := range requests {
			requests[i].slot = i
		}
		return &job{experiment: m.Experiment, requests: requests,
			fly: func(_ *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
				for _, q := range requests {
					if o.Stop() {
						return
					}
					order = append(order, done{kind, q.slot})
					report(q, nil)
					after(q.slot)
				}
			}}
	}
	f.assign(axisJob, jobOf(axisJob, 3*atOnce, func(slot int) {
		if slot == 2 {
			f.assign(ensembleJob, jobOf(ensembleJob, 5, func(slot int) {
				if slot == 3 {
					f.assign(ensembleJob, jobOf(pairJob, 1, func(int) {}))
				}
			}))
		}
	}))
	f.work()
	want := []done{{axisJob, 0}, {axisJob, 1}, {axisJob, 2}, {ensembleJob, 0}, {ensembleJob, 1}, {ensembleJob, 2},
		{ensembleJob, 3}, {pairJob, 0}}
	if !slices.Equal(order[:len(want)], want) {
		t.Errorf("flown were %v, want %v first", order[:len(want)], want)
	}
	rest := order[len(want):]
	for i, d := range rest {
		if d != (done{axisJob, 3 + i}) {
			t.Errorf("then came %v, want %d of the map", d, 3+i)
		}
	}
	if results := f.collect(axisJob); len(rest) != 3*atOnce-3 || len(results) != 3*atOnce {
		t.Errorf("%d requests came after, and %d results", len(rest), len(results))
	}
}

// Flights for which the user waits rest when they have been flown for the pace, between their steps too.
func TestFlightsRestAtAPace(t *testing.T) {
	experiment := newModel(t, 0).Experiment
	synctest.Test(t, func(t *testing.T) {
		const pace, steps, yields = 12 * time.Millisecond, 5 * time.Millisecond, 2 * time.Millisecond
		f := newPool(Workers{Goroutines: 1, Pace: pace, Yield: func() { time.Sleep(yields) }})
		defer f.Close()
		took := time.Duration(0)
		f.assign(ensembleJob, &job{experiment: experiment, requests: []request{{slot: 0}},
			fly: func(_ *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
				start := time.Now()
				for range 16 {
					time.Sleep(steps)
					o.Pause()
				}
				took = time.Since(start)
				report(requests[0], nil)
			}})
		time.Sleep(time.Second)
		synctest.Wait()
		// The first pause is a rest, and then every third, which is a pace later.
		if want := 16*steps + 6*yields; took != want {
			t.Errorf("16 steps of flights took %v with their rests, want %v", took, want)
		}
	})
}

// The map, which nobody waits for, is flown in shorter turns than what the user waits for, and rests longer.
func TestMapIsFlownInShortTurns(t *testing.T) {
	experiment := newModel(t, 0).Experiment
	synctest.Test(t, func(t *testing.T) {
		const step, steps = time.Millisecond, 60
		f := newPool(Workers{Goroutines: 1, Pace: 20 * time.Millisecond, Yield: func() {}})
		defer f.Close()
		var took time.Duration
		f.assign(axisJob, &job{experiment: experiment, requests: []request{{slot: 0}},
			fly: func(_ *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
				o.Pause()
				start := time.Now()
				for range steps {
					time.Sleep(step)
					o.Pause()
				}
				took = time.Since(start)
				report(requests[0], nil)
			}})
		time.Sleep(time.Second)
		synctest.Wait()
		if want := steps*step + steps*step/axisPace*axisRest; took != want {
			t.Errorf("%d ms of the map took %v, want %v", steps, took, want)
		}
	})
}
