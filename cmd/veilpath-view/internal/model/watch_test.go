package model

import (
	"testing"

	"veilpath/adversary"
)

// What the observers make of a flight is what each makes of it when it is the one in force.
func TestWatchers(t *testing.T) {
	m := newModelOf(t, 0, 1)
	m.Select(3)
	watchers := m.Watchers(adversary.Names())
	if len(watchers) < 6 {
		t.Fatalf("%d observers watch", len(watchers))
	}
	for _, w := range watchers {
		m.SetObserver(w.Name)
		if f := m.Flight(); f.Detection != w.Detection ||
			f.Errors.ErrorKm[len(f.Errors.ErrorKm)/2] != w.ErrorKm[len(w.ErrorKm)/2] {
			t.Errorf("%s: %+v, in force %+v", w.Name, w.Detection, f.Detection)
		}
	}
	m.SetShown(ShowDirect)
	if w := m.Watchers([]string{"ballistic", "geometry", "nobody"}); len(w) != 1 || !w[0].Detection.Detected {
		t.Errorf("without privacy: %+v", w)
	}
}
