package model

import "testing"

// The share of flights that stay hidden until a distance is that of the summary, which study prints.
func TestHiddenUntilIsTheSummarysShare(t *testing.T) {
	m := newModelOf(t, 0, 0)
	finish(t, m)
	s := m.Ensemble.Summary()
	if got := m.Ensemble.HiddenUntil(s.HiddenUntilKm); got != s.HiddenShare || !(got > 0 && got < 1) {
		t.Errorf("%g of the flights until %g km, the summary has %g", got, s.HiddenUntilKm, s.HiddenShare)
	}
}
