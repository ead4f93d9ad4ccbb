package model

import (
	"math"
	"testing"
)

// The strip's angle at the hand-over is the one that the record has; the parts of the ensemble hold its flights.
func TestWhy(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetRuns(120)
	m.SetEpsilon(0.3)
	finish(t, m)
	for run := range 40 {
		m.Select(run)
		f := &m.Private
		w, ok := m.Why()
		const rounding = 1e-9 // degrees
		if w.Steered != (f.HandoverSample < len(f.Samples)) || math.Abs(w.OffDeg-f.Run.HeadingErrorDeg) > 1e-6+rounding {
			t.Fatalf("run %d: %v° off the line of sight, recorded %v°", run, w.OffDeg, f.Run.HeadingErrorDeg)
		}
		if !ok || !w.Humps.ByHeading() || w.Humps.Near.FarKm >= w.Humps.Far.NearKm {
			t.Fatalf("run %d: %+v, %v", run, w.Humps, ok)
		}
	}
	w, _ := m.Why()
	far, exceptions := 0, 0
	for _, member := range m.Ensemble.Members {
		r := member.Run
		if r.Fallback || !r.Detected {
			continue
		}
		if r.DetectionKm >= w.Humps.Far.NearKm {
			far++
		}
		if (r.HeadingErrorDeg < w.Humps.CutDeg) != (r.DetectionKm >= w.Humps.Far.NearKm) {
			exceptions++
		}
	}
	if far != w.Humps.Far.Flights || exceptions != w.Humps.Exceptions {
		t.Errorf("%d flights in the far hump and %d exceptions, told are %+v", far, exceptions, w.Humps)
	}
	m.SetRadius(20)
	if w, ok := m.Why(); ok {
		t.Errorf("flights that are all recognised before the hand-over fall into %+v", w.Humps)
	}
}

// The events of a flight are in order, and each is what the flight shows there.
func TestEvents(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(0.3)
	for run := range 20 {
		m.Select(run)
		f, radius := &m.Private, m.Config.Adversary.RadiusKm
		kinds := map[EventKind]int{}
		last := 0
		for _, e := range m.Events() {
			kinds[e.Kind]++
			if e.Sample < last {
				t.Errorf("run %d: event %+v comes after sample %d", run, e, last)
			}
			last = e.Sample
			in := f.Errors.ErrorKm[e.Sample] <= radius
			before := e.Sample > 0 && f.Errors.ErrorKm[e.Sample-1] <= radius
			if (e.Kind == GuessIn && (!in || before)) || (e.Kind == GuessOut && (in || !before)) ||
				(e.Kind == Recognised && e.Sample != f.Detection.Sample) {
				t.Errorf("run %d: event %+v with errors of %v km", run, e, f.Errors.ErrorKm[max(0, e.Sample-1):e.Sample+1])
			}
		}
		if kinds[End] != 1 || kinds[Handover]+kinds[GivenUp] != 1 || (kinds[Recognised] == 1) != f.Run.Detected ||
			kinds[Waypoint] < 3 {
			t.Errorf("run %d: events %v", run, kinds)
		}
	}
	m.SetShown(ShowDirect)
	for _, e := range m.Events() {
		if e.Kind == Waypoint || e.Kind == Handover || e.Kind == GivenUp {
			t.Errorf("the direct flight has the event %+v", e)
		}
	}
}

// The bound between two angles is written in as few decimals as hold.
func TestRoundBetween(t *testing.T) {
	for _, test := range []struct{ low, high, want float64 }{{10, 20, 15}, {12.7, 12.9, 12.8}, {12.71, 12.84, 12.8},
		{12.82, 12.84, 12.83}, {7, 7, 7}, {12.6, 13.1, 13}, {0.4, 0.9, 0.7}} {
		if got := roundBetween(test.low, test.high); got != test.want {
			t.Errorf("between %v and %v: %v, want %v", test.low, test.high, got, test.want)
		}
	}
}
