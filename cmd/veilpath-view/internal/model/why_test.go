package model

import (
	"math"
	"testing"
)

// The angle at the hand-over is the one that the record has.
func TestOffDeg(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.SetEpsilon(0.3)
	for run := range 40 {
		m.Select(run)
		f := &m.Private
		const rounding = 1e-6 // degrees
		if off := f.OffDeg(f.HandoverSample, f.Target); math.Abs(off-f.Run.HeadingErrorDeg) > rounding {
			t.Fatalf("run %d: %v° off the line of sight, recorded %v°", run, off, f.Run.HeadingErrorDeg)
		}
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
