package model

import (
	"slices"
	"testing"

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
			fly: func(flyer *study.Flyer, requests []request, report func(request, any)) {
				for _, q := range requests {
					if flyer.Stop() {
						return
					}
					order = append(order, done{kind, q.slot})
					report(q, nil)
					after(q.slot)
				}
			}}
	}
	f.assign(mapJob, jobOf(mapJob, 3*atOnce, func(slot int) {
		if slot == 2 {
			f.assign(ensembleJob, jobOf(ensembleJob, 5, func(slot int) {
				if slot == 3 {
					f.assign(ensembleJob, jobOf(pairJob, 1, func(int) {}))
				}
			}))
		}
	}))
	f.work()
	want := []done{{mapJob, 0}, {mapJob, 1}, {mapJob, 2}, {ensembleJob, 0}, {ensembleJob, 1}, {ensembleJob, 2}, {ensembleJob, 3}, {pairJob, 0}}
	if !slices.Equal(order[:len(want)], want) {
		t.Errorf("flown were %v, want %v first", order[:len(want)], want)
	}
	rest := order[len(want):]
	for i, d := range rest {
		if d != (done{mapJob, 3 + i}) {
			t.Errorf("then came %v, want %d of the map", d, 3+i)
		}
	}
	if results := f.collect(mapJob); len(rest) != 3*atOnce-3 || len(results) != 3*atOnce {
		t.Errorf("%d requests came after, and %d results", len(rest), len(results))
	}
}
