package study

import "testing"

// Resample takes the runs of the search from a function in place of flying them.
func (s *Search) Resample(pieces func(run int, on Range) []Run) { s.resample = pieces }

// BetsFrom returns the first runs that tuned bets were laid on, and how many of the bets are above 0.
func (a *Answer) BetsFrom() (first []int, positive int) {
	for _, b := range a.bets {
		first = append(first, b.first)
		positive += count(b.bet > 0)
	}
	return first, positive
}

// SharesPlans reports whether the first two points have their plans in common.
func (s *Sweep) SharesPlans(t *testing.T) bool {
	t.Helper()
	levels := make([]noiseLevels, len(s.Points))
	for i := range s.Points {
		var err error
		if levels[i], err = s.Points[i].levels(); err != nil {
			t.Fatal(err)
		}
	}
	caches := s.sharePieces(levels)
	return caches[0] != nil && caches[0] == caches[1]
}
