package model

import (
	"slices"
	"sync/atomic"
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
		return &job{experiment: m.Experiment, count: count, request: func(i int) request { return request{slot: i} },
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

// A page draws what there is at once before its flights begin, and again while they are flown: they rest when they have
// been flown for the pace, between their steps too.
func TestPagesDrawFramesBetweenFlights(t *testing.T) {
	experiment := newModel(t, 0).Experiment
	synctest.Test(t, func(t *testing.T) {
		const pace, steps, yields = 12 * time.Millisecond, 5 * time.Millisecond, 2 * time.Millisecond
		f := newPool(Workers{Goroutines: 1, Pace: pace, Yield: func() { time.Sleep(yields) }})
		defer f.Close()
		flown, flying := 0, time.Duration(0)
		var start time.Time
		f.assign(ensembleJob, &job{experiment: experiment, count: 2 * leastTaken,
			request: func(i int) request { return request{slot: i} },
			fly: func(_ *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
				if flown == 0 {
					start = time.Now()
				}
				for range 8 {
					flown++
					time.Sleep(steps)
					o.Pause()
				}
				flying = time.Since(start)
				for _, q := range requests {
					report(q, nil)
				}
			}})
		time.Sleep(time.Second)
		synctest.Wait()
		if flown > 0 {
			t.Error("flights begin before the frame")
		}
		f.frame()
		time.Sleep(time.Second)
		synctest.Wait()
		// The first pause is a rest, and then every third, which is a pace later, in whatever requests.
		if want := 16*steps + 6*yields; flown != 16 || flying != want {
			t.Errorf("%d steps of flights took %v with their rests, want 16 in %v", flown, flying, want)
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
		f.assign(axisJob, &job{experiment: experiment, count: 1, request: func(i int) request { return request{slot: i} },
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
		f.frame()
		time.Sleep(time.Second)
		synctest.Wait()
		if want := steps*step + steps*step/axisPace*axisRest; took != want {
			t.Errorf("%d ms of the map took %v, want %v", steps, took, want)
		}
	})
}

// Flights of the map stop between their steps for the frame that shows what the user asked for.
func TestFramesComeBeforeTheMap(t *testing.T) {
	experiment := newModel(t, 0).Experiment
	synctest.Test(t, func(t *testing.T) {
		f := newPool(Workers{Goroutines: 1, Pace: time.Millisecond})
		defer f.Close()
		var flown atomic.Int64
		one := func(fly func(study.FlightOptions)) *job {
			return &job{experiment: experiment, count: 1, request: func(i int) request { return request{slot: i} },
				fly: func(_ *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
					fly(o)
					report(requests[0], nil)
				}}
		}
		f.assign(axisJob, one(func(o study.FlightOptions) {
			for range 100 {
				flown.Add(1)
				time.Sleep(time.Millisecond)
				o.Pause()
			}
		}))
		f.frame()
		time.Sleep(200 * time.Millisecond)
		before := flown.Load()
		f.assign(ensembleJob, one(func(study.FlightOptions) {}))
		time.Sleep(time.Second)
		if n := flown.Load(); n > before+1 || before == 0 {
			t.Errorf("%d steps of the map before the frame, %d before the request", n, before)
		}
		f.frame()
		time.Sleep(10 * time.Second)
		if n := flown.Load(); n != 100 {
			t.Errorf("%d steps of the map are flown in the end, want 100", n)
		}
	})
}

// The map waits for the frame that shows what the user waited for.
func TestMapWaitsForTheFrame(t *testing.T) {
	experiment := newModel(t, 0).Experiment
	synctest.Test(t, func(t *testing.T) {
		f := newPool(Workers{Goroutines: 1, Pace: time.Millisecond, Yield: func() {}})
		defer f.Close()
		flown := [jobKinds]int{}
		for _, kind := range []int{axisJob, ensembleJob} {
			f.assign(kind, &job{experiment: experiment, count: 2 * atOnce,
				request: func(i int) request { return request{slot: i} },
				fly: func(_ *study.Flyer, _ study.FlightOptions, requests []request, report func(request, any)) {
					for _, q := range requests {
						flown[kind]++
						report(q, nil)
					}
				}})
		}
		for frame, want := range [][jobKinds]int{{}, {ensembleJob: 2 * atOnce},
			{ensembleJob: 2 * atOnce, axisJob: 2 * atOnce}} {
			if frame > 0 {
				f.frame()
			}
			time.Sleep(time.Second)
			synctest.Wait()
			if flown != want {
				t.Errorf("after frame %d %v are flown, want %v", frame, flown, want)
			}
		}
	})
}

// Towards its end a job hands out fewer requests at once, so that all who fly for it end together.
func TestTheLastRequestsAreFew(t *testing.T) {
	j := &job{count: 100, request: func(i int) request { return request{slot: i} }}
	var sizes []int
	for next := 0; j.pending(); {
		requests := j.take(nil)
		for _, q := range requests {
			if q.slot != next {
				t.Fatalf("request %d came for %d", q.slot, next)
			}
			next++
		}
		sizes = append(sizes, len(requests))
	}
	if want := []int{16, 16, 16, 13, 9, 7, 5, 4, 4, 4, 4, 2}; !slices.Equal(sizes, want) {
		t.Errorf("requests were taken %v at once, want %v", sizes, want)
	}
}

// What the user waits for yields, the map rests. Nothing goes on when the pool is closed.
func TestWhatIsUrgent(t *testing.T) {
	f := newPool(Workers{})
	waits, fills := &job{count: 1}, &job{count: 1}
	f.assign(axisJob, fills)
	if f.urgent(fills) {
		t.Error("the map is waited for")
	}
	f.assign(ensembleJob, waits)
	if !f.urgent(waits) || !f.urgent(fills) {
		t.Error("with flights that are waited for, not all is")
	}
	waits.next = 1 // all are under way
	if !f.urgent(waits) || f.urgent(fills) {
		t.Error("the last flights are not waited for alone")
	}
	if f.leaves(waits) {
		t.Error("a worker leaves what is waited for")
	}
	if f.Close(); !f.leaves(waits) {
		t.Error("a pool that is closed flies on")
	}
}
