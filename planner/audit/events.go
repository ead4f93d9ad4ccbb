package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Event is the use, by a policy or a route, of an entry other than the one that differs.
type Event struct {
	Entry int // entry whose action is taken, or used on the route
	// Mu, with its standard error, and the lower bounds at 95 % confidence come from releases that did not choose
	// the event.
	Mu, MuStandardError, EpsilonLow, MuLow float64

	seen event
}

// mostEvents is the largest number of events, as many as a float64 holds binary digits. mostChosen is how many
// are tested.
const (
	mostEvents = 52
	mostChosen = 3
)

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

// shown counts the releases that show event k, binary digit k of the release.
func shown(releases []float64, k int) share {
	count := 0
	for _, r := range releases {
		if uint64(r)>>k&1 == 1 {
			count++
		}
	}
	return share{count, len(releases)}
}

// own reads the first event alone from releases.
func own(releases []float64) []float64 {
	values := make([]float64, len(releases))
	for i, r := range releases {
		values[i] = float64(uint64(r) & 1)
	}
	return values
}

// without returns the share of trials that do not show the event.
func (s share) without() share { return share{s.n - s.k, s.n} }

// judgeEvents chooses, from one half of the releases, the events (or their complements) other than the first
// that best distinguish a table from its neighbour. It tests them on the other half.
func (c Claim) judgeEvents(entries []int, table, neighbour []float64) []Event {
	type choice struct {
		k       int
		without bool
		gain    float64
	}
	half := len(table) / 2
	at := func(k int, without bool, table, neighbour []float64) event {
		right, wrong := shown(neighbour, k), shown(table, k)
		if without {
			return event{right.without(), wrong.without()}
		}
		return event{right, wrong}
	}
	var choices []choice
	for k := 1; k < len(entries); k++ {
		for _, without := range []bool{false, true} {
			mu, standardError := at(k, without, table[:half], neighbour[:half]).mu()
			choices = append(choices, choice{k, without, mu - 2*standardError})
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.gain, a.gain) })
	var events []Event
	for _, chosen := range choices[:min(len(choices), mostChosen)] {
		e := Event{Entry: entries[chosen.k], seen: at(chosen.k, chosen.without, table[half:], neighbour[half:])}
		e.Mu, e.MuStandardError = e.seen.mu()
		e.EpsilonLow, e.MuLow = e.seen.epsilonLow(c.Delta, level), e.seen.muLow(level)
		events = append(events, e)
	}
	return events
}

// testEvents tests all chosen events together, each at an equal share of the level (Bonferroni).
func (c Claim) testEvents(events []Event, attained float64) Test {
	t := Test{Name: "events", Measure: "epsilon by other entries", Limit: attained, P: 1,
		Claim: "no use of another entry reveals more than the promise allows"}
	if c.gaussian() {
		t.Measure, t.Limit = "mu by other entries", c.Mu()
	}
	for i := range events {
		e := &events[i]
		bound := func(level float64) float64 { return e.seen.epsilonLow(c.Delta, level) }
		if c.gaussian() {
			bound = e.seen.muLow
		}
		t.Statistic = math.Max(t.Statistic, bound(level))
		t.P = min(t.P, float64(len(events))*surety(func(level float64) bool { return bound(level) > t.Limit }))
	}
	t.Finding = fmt.Sprintf("the use of another entry reveals more than is promised: %s is at least %.3g, and %.3g is "+
		"promised", strings.Fields(t.Measure)[0], t.Statistic, t.Limit)
	return t
}
