package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Test is one way in which a claim could have shown to be wrong.
type Test struct {
	Name  string
	Claim string // what is claimed, as a sentence without a full stop
	// Promise says that the claim follows from (epsilon, delta) for every mechanism that keeps it. Otherwise it is of how
	// the mechanism is described: its sigma, the law of its noise, noise of its own for every entry and release.
	Promise   bool
	Statistic float64 // what was measured
	Limit     float64 // what it may be, on average or at most
	// P is the probability, at most, that a mechanism which keeps the claim shows as much.
	P float64
}

// Report is the evidence about a claim and what follows from it.
type Report struct {
	Claim Claim
	Of    string // what is published, in words
	// EntryName names the entry that differs, in words; empty for recorded releases, which are of many.
	EntryName string
	Entry     *Entry // nil where no entry was judged alone
	Joint     *Joint // nil where no whole tables were
	// FalseAlarms is the probability, at most, with which a mechanism that is as described is called anything but
	// consistent, and one that keeps its promise is called broken.
	FalseAlarms float64
	Tests       []Test
}

// Judge gathers the evidence; either kind may be nil, not both. falseAlarms lies in (0, 1).
func (c Claim) Judge(entry *Entry, joint *Joint, falseAlarms float64) (*Report, error) {
	r := &Report{Claim: c, Entry: entry, Joint: joint, FalseAlarms: falseAlarms}
	if entry == nil && joint == nil {
		return nil, fmt.Errorf("audit: no releases to judge by")
	}
	if !(falseAlarms > 0 && falseAlarms < 1) {
		return nil, fmt.Errorf("audit: false alarm rate is %g; it must be above 0 and below 1", falseAlarms)
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

// P is the probability, at most, with which a mechanism that is as described looks as bad as this one.
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
	NotAsDescribed = "not as described" // a claim failed that is no part of (epsilon, delta)
	Broken         = "broken"           // the releases contradict (epsilon, delta)
)

// Verdict is one of those, the worst that a failed test gives.
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

// What an audit ends with where the verdict is not Consistent.
var (
	ErrBroken         = errors.New("the promise is broken")
	ErrNotAsDescribed = errors.New("the mechanism is not as described; this does not show whether it keeps its promise")
)

// Err returns the error of the verdict, nil for Consistent.
func (r *Report) Err() error { return VerdictError(r.Verdict()) }

// VerdictError returns the error that an audit with this verdict ends with, nil for Consistent.
func VerdictError(verdict string) error {
	switch verdict {
	case Broken:
		return ErrBroken
	case NotAsDescribed:
		return ErrNotAsDescribed
	}
	return nil
}

// Why says which claims failed and how surely, or what is not visible.
func (r *Report) Why() string {
	failed := r.Failed()
	if len(failed) == 0 {
		return fmt.Sprintf("no test of %d saw a claim fail, at a false alarm rate of %g for all together", len(r.Tests),
			r.FalseAlarms)
	}
	var reasons []string
	seen := map[string]int{}
	for _, t := range failed {
		reason := fmt.Sprintf("%s is %.4g where the claim allows %.4g (p %s)", t.Name, t.Statistic, t.Limit, probability(t.P))
		if i, told := seen[t.Claim]; told {
			reasons[i] += ", " + reason
			continue
		}
		seen[t.Claim] = len(reasons)
		reasons = append(reasons, fmt.Sprintf("not true that %s: %s", t.Claim, reason))
	}
	return strings.Join(reasons, "; ")
}

// probability writes a probability, or that it is smaller than is told.
func probability(p float64) string {
	if p <= leastSurety {
		return fmt.Sprintf("below %.0e", leastSurety)
	}
	return fmt.Sprintf("%.2g", p)
}

// power is the probability with which detectable is detected.
const power = 0.9

// detectable is the least mu that the test of mu would have failed with probability 0.9; NaN where none was made.
func (r *Report) detectable() float64 {
	if r.Entry == nil {
		return math.NaN()
	}
	alarm := distuv.UnitNormal.Quantile(1 - r.share())
	return r.Claim.Mu() + (alarm+distuv.UnitNormal.Quantile(power))*r.Entry.MuStandardError
}
