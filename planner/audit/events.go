package audit

import (
	"slices"
)

// mostEvents is the largest number of events, as many as a float64 holds binary digits.
const mostEvents = 52

// events returns the entries whose use is read from a release: first the entry that differs, then the entries
// of its state, and those of the states that its actions lead to. For a reward it returns the first alone.
func (s Subject) events() []int {
	all := []int{s.Entry}
	if s.Of == Reward {
		return all
	}
	actions := s.Problem.Law.Actions()
	state := s.Entry / actions
	states := []int{state}
	if next, err := s.successors(); err == nil { // a team has no single successor
		states = append(states, next[state*actions:(state+1)*actions]...)
	}
	for _, state := range states {
		for action := range actions {
			if e := state*actions + action; len(all) < mostEvents && !slices.Contains(all, e) {
				all = append(all, e)
			}
		}
	}
	return all
}

// digit reads one event from releases: 1 if a release shows it.
func digit(releases []float64, event int) []float64 {
	return read(releases, func(v float64) float64 { return float64(uint64(v) >> event & 1) })
}

// addEvents chooses by one half of the releases the event, other than the first, or its complement that best tells the
// inputs apart, and compares the other half by it.
func (f *findings) addEvents(c Claim, table, neighbour []float64, events int) {
	half := len(table) / 2
	of := func(releases []float64, k, complement int) []float64 { return flipped(digit(releases, k), complement) }
	best, least, most := 0, 0, 0.0
	for k := 1; k < events; k++ {
		for complement := range 2 {
			e := newSplit(of(table[:half], k, complement), of(neighbour[:half], k, complement)).at(threshold)
			if mu, standardError := e.mu(); mu-2*standardError > most || best == 0 {
				best, least, most = k, complement, mu-2*standardError
			}
		}
	}
	f.add(c, Samples{A: of(table[half:], best, least), B: of(neighbour[half:], best, least),
		Threshold: threshold.threshold}, "events", " by another entry", ", another entry")
}

// threshold separates releases that show an event from the others.
var threshold = half{threshold: 0.5}

// flipped returns digits or, if complement is 1, the other digits.
func flipped(digits []float64, complement int) []float64 {
	if complement == 0 {
		return digits
	}
	return read(digits, func(v float64) float64 { return 1 - v })
}
