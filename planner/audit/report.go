package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Test is one test of a claim.
type Test struct {
	Name    string
	Measure string // what is measured, in a few words
	Claim   string // what is claimed, as a sentence without a full stop
	Finding string // what the releases show if the claim fails, as a sentence without a full stop
	// Promise says that the claim follows from (epsilon, delta) for every mechanism that keeps it. Otherwise the
	// claim concerns the description of the mechanism: its sigma, the distribution of its noise, independent
	// noise for every entry and release.
	Promise   bool
	Statistic float64 // measured value
	Limit     float64 // value that the claim allows at most, or, if Chance, that is usual for it
	Chance    bool
	// P is an upper bound on the probability that a mechanism that keeps the claim has such a statistic.
	P float64

	least float64 // that P can be, beside leastSurety; 0 for none
}

// Report is the evidence about a claim, with the tests and the verdict.
type Report struct {
	Claim Claim
	Of    string // published object, in words
	// EntryName names the entry in which the tables differ, in words; empty for recorded releases, which have
	// many entries.
	EntryName string
	Entry     *Entry // nil if no single entry was judged
	Joint     *Joint // nil if no whole tables were judged
	// FalseAlarms is an upper bound on the probability that a mechanism as described is not called consistent,
	// and that one that keeps its promise is called broken.
	FalseAlarms float64
	Tests       []Test
}

// Judge joins the evidence into a report. entry or joint may be nil, but not both. falseAlarms lies in (0, 1). Where
// both bound epsilon for any mechanism, it sets their EpsilonLow so that both hold together with 95 % confidence.
func (c Claim) Judge(entry *Entry, joint *Joint, falseAlarms float64) (*Report, error) {
	r := &Report{Claim: c, Entry: entry, Joint: joint, FalseAlarms: falseAlarms}
	if entry == nil && joint == nil {
		return nil, fmt.Errorf("audit: there are no releases to judge")
	}
	if !(falseAlarms > 0 && falseAlarms < 1) {
		return nil, fmt.Errorf("audit: false alarm rate is %g; it must be above 0 and below 1", falseAlarms)
	}
	if sure := entry.sure(); sure != nil && joint != nil {
		sure.bound(c, level/2)
		joint.bound(c, level/2)
	}
	if entry != nil {
		var err error
		if r.Tests, err = entry.tests(c); err != nil {
			return nil, err
		}
	}
	if joint != nil {
		r.Tests = slices.Grow(r.Tests, len(joint.tests))
		share := falseAlarms / float64(len(r.Tests)+len(joint.tests))
		for _, t := range joint.tests {
			t.P = t.p(share)
			r.Tests = append(r.Tests, t.Test)
		}
	}
	return r, nil
}

// share is the false alarm rate of one test.
func (r *Report) share() float64 { return r.FalseAlarms / float64(len(r.Tests)) }

// Failed returns the tests that the mechanism failed, each at its share of the false alarm rate.
func (r *Report) Failed() []Test {
	var failed []Test
	for _, t := range r.Tests {
		if t.P < r.share() {
			failed = append(failed, t)
		}
	}
	return failed
}

// P is an upper bound on the probability that a mechanism as described looks as bad as this one.
func (r *Report) P() float64 {
	least := 1.0
	for _, t := range r.Tests {
		least = min(least, t.P)
	}
	return min(1, least*float64(len(r.Tests)))
}

// The verdicts.
const (
	Consistent     = "consistent"
	NotAsDescribed = "not as described" // a claim outside (epsilon, delta) failed
	Broken         = "broken"           // the releases contradict (epsilon, delta)
)

// Verdict is the worst verdict of a failed test.
func (r *Report) Verdict() string {
	verdict := Consistent
	for _, t := range r.Failed() {
		if t.Promise {
			return Broken
		}
		verdict = NotAsDescribed
	}
	return verdict
}

// The errors of an audit whose verdict is not Consistent.
var (
	ErrBroken         = errors.New("the promise is broken")
	ErrNotAsDescribed = errors.New("the mechanism is not as described; it may still keep its promise")
)

// Err returns the error of the verdict, nil for Consistent.
func (r *Report) Err() error { return VerdictError(r.Verdict()) }

// VerdictError returns the error of an audit with this verdict, nil for Consistent.
func VerdictError(verdict string) error {
	switch verdict {
	case Broken:
		return ErrBroken
	case NotAsDescribed:
		return ErrNotAsDescribed
	}
	return nil
}

// Why states the strongest evidence for the verdict, or that no test failed.
func (r *Report) Why() string {
	strongest := r.strongest()
	if strongest == nil {
		if len(r.Tests) == 1 {
			return fmt.Sprintf("the test did not fail, at a false alarm rate of %g", r.FalseAlarms) + r.blind()
		}
		return fmt.Sprintf("none of the %d tests failed, at a false alarm rate of %g for all tests "+
			"together", len(r.Tests), r.FalseAlarms) + r.blind()
	}
	return fmt.Sprintf("%s (p %s)", strongest.Finding, strongest.probability())
}

// strongest returns the failed test with the smallest p-value among those that the verdict rests on, or the one of mu,
// which says how large the fault is. It is nil if no test failed.
func (r *Report) strongest() (best *Test) {
	broken := r.Verdict() == Broken
	for _, t := range r.Failed() {
		if broken && !t.Promise {
			continue
		}
		if best == nil || t.P < best.P || t.Name == testOfMu {
			best = &t
		}
		if t.Name == testOfMu {
			break
		}
	}
	return best
}

// blind says how many releases of whole tables it takes to see one entry without noise, if there are fewer.
func (r *Report) blind() string {
	if r.Joint == nil {
		return ""
	}
	allRight := func(p float64) int { return int(math.Ceil(math.Log(p) / math.Log(r.Claim.promisedGuessable()))) }
	needed := allRight(r.share() / float64(r.Joint.Entries))
	if r.Joint.Entries > 1 {
		needed = min(needed, releasesToTry(allRight(r.share())))
	}
	if r.Joint.Releases >= needed {
		return ""
	}
	return fmt.Sprintf("; %d releases of whole tables cannot show that one entry has no noise, which takes %d",
		r.Joint.Releases, needed)
}

// probability writes the p-value. The least that a test can give is written as "at most" or "below".
func (t *Test) probability() string {
	const rounding = 1e-3 // of the least, within which it is written alike
	switch {
	case t.P <= leastSurety:
		return fmt.Sprintf("below %.0e", leastSurety)
	case t.P <= t.least*(1+rounding):
		return fmt.Sprintf("at most %.2g", t.least)
	}
	return fmt.Sprintf("%.2g", t.P)
}

// power is the probability with which a mu of detectable is detected.
const power = 0.9

// detectable is the least mu that fails the test of mu with probability power; NaN if mu was not tested.
func (r *Report) detectable() float64 {
	if r.Entry == nil {
		return math.NaN()
	}
	alarm := distuv.UnitNormal.Quantile(1 - r.share())
	return r.Claim.Mu() + (alarm+distuv.UnitNormal.Quantile(power))*r.Entry.MuStandardError
}
