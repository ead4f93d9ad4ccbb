package audit

import (
	"errors"
	"fmt"
	"math"
	"slices"
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
	AtLeast   bool    // Limit is the least value that the claim allows
	Chance    bool
	// P is an upper bound on the probability that a mechanism that keeps the claim has such a statistic.
	P float64
}

// beyond reports whether the measured value is beyond what the claim allows, by chance or not.
func (t *Test) beyond() bool {
	return !t.Chance && (!t.AtLeast && t.Statistic > t.Limit || t.AtLeast && t.Statistic < t.Limit)
}

// Report is the evidence about a claim, with the tests and the verdict.
type Report struct {
	Claim Claim
	Of    string // published object, in words
	// EntryName names the entry in which the tables differ, in words; empty for recorded releases, which have
	// many entries.
	EntryName string
	// Evidence is the evidence of pairs of inputs, of which the first is the one that figures show. There is none if
	// there are too few releases.
	Evidence []*Evidence
	// Releases and Entries are the numbers of whole tables and of their entries; 0 for none.
	Releases, Entries int
	// FalseAlarms is an upper bound on the probability that a mechanism as described is not called consistent,
	// and that one that keeps its promise is called broken.
	FalseAlarms float64
	Tests       []Test
	// Repeatable says that more releases can be made, with --samples.
	Repeatable bool
}

// Entry is the first evidence, nil if there is none.
func (r *Report) Entry() *Evidence {
	if len(r.Evidence) == 0 {
		return nil
	}
	return r.Evidence[0]
}

// findings collects what an audit finds.
type findings struct {
	evidence []*Evidence
	tests    []Test
	releases []Release
	err      error
}

// add compares two inputs. name is added to the names of their tests; by says what is compared, and short says it in
// tables.
func (f *findings) add(c Claim, s Samples, name, by, short string) {
	e, err := c.Compare(s)
	if err != nil {
		f.err = errors.Join(f.err, err)
		return
	}
	e.name, e.by, e.short = name, by, short
	f.evidence = append(f.evidence, e)
}

// addTables judges releases of whole tables.
func (f *findings) addTables(c Claim, releases []Release) {
	if f.err = errors.Join(f.err, checkReleases(releases)); f.err != nil {
		return
	}
	f.releases = releases
	if s, found := c.readings(releases); found {
		f.add(c, s, "known_others", " with all others known", ", others known")
	}
	if len(releases[0].Values) > 1 {
		f.tests = append(f.tests, testReuse(releases, c.Adjacency))
	}
}

// judge joins what was found into a report. falseAlarms lies in (0, 1). The lower bounds that hold for any mechanism
// share the 5 %, so that the largest of them holds with 95 % confidence.
func (f *findings) judge(c Claim, falseAlarms float64) (*Report, error) {
	if f.err != nil {
		return nil, f.err
	}
	if !(falseAlarms > 0 && falseAlarms < 1) {
		return nil, fmt.Errorf("audit: false alarm rate is %g; it must be above 0 and below 1", falseAlarms)
	}
	r := &Report{Claim: c, FalseAlarms: falseAlarms, Evidence: f.evidence, Tests: f.tests, Releases: len(f.releases)}
	if r.Releases > 0 {
		r.Entries = len(f.releases[0].Values)
	}
	sure := 0
	for _, e := range r.Evidence {
		if !e.Pooled {
			sure++
		}
	}
	for _, e := range slices.Backward(r.Evidence) {
		if !e.Pooled {
			e.bound(c, level/float64(sure))
		}
		r.Tests = append(e.tests(c), r.Tests...)
	}
	if len(r.Tests) == 0 {
		return nil, errors.New("audit: there are too few releases to judge")
	}
	for _, t := range r.Tests {
		if math.IsNaN(t.P) {
			return nil, fmt.Errorf("audit: the releases do not decide whether %s", t.Claim)
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
func (r *Report) Err() error {
	return map[string]error{Broken: ErrBroken, NotAsDescribed: ErrNotAsDescribed}[r.Verdict()]
}

// ErrorOf returns the error of a verdict with this text, or a new one.
func ErrorOf(text string) error {
	for _, err := range []error{ErrBroken, ErrNotAsDescribed} {
		if err.Error() == text {
			return err
		}
	}
	return errors.New(text)
}

// Why states the strongest evidence for the verdict, or that no test failed.
func (r *Report) Why() string {
	if strongest := r.strongest(); strongest != nil {
		return fmt.Sprintf("%s (p %s)", strongest.Finding, strongest.probability())
	}
	if len(r.Tests) == 1 {
		return fmt.Sprintf("the test did not fail, at a false alarm rate of %g", r.FalseAlarms)
	}
	return fmt.Sprintf("none of the %d tests failed, at a false alarm rate of %g for all tests together", len(r.Tests),
		r.FalseAlarms)
}

// strongest returns the failed test with the smallest p-value among those that the verdict rests on; of equal ones the
// first. It is nil if no test failed.
func (r *Report) strongest() (best *Test) {
	broken := r.Verdict() == Broken
	for _, t := range r.Failed() {
		if (!broken || t.Promise) && (best == nil || t.P < best.P) {
			best = &t
		}
	}
	return best
}

// Power says what the releases could show at most.
type Power struct {
	Releases int     // of each input, or of whole tables
	Ceiling  float64 // largest lower bound on epsilon, with 95 % confidence, that they can show
	// Needed is how many releases decide: so many show that a mechanism without noise breaks its promise.
	Needed int
}

// Enough reports whether there are enough releases to show that a mechanism without noise breaks its promise.
func (p Power) Enough() bool { return p.Releases >= p.Needed }

// mostTests is the largest number of tests of releases of whole tables: epsilon and mu of all entries, of entries whose
// others are known, and of one entry per release; the noise that releases share; and three of the law of the noise.
const mostTests = 10

// Power returns what the releases could show at most. A mechanism without noise is never wrong. Under (epsilon, delta)
// that has the largest probability where it is always right otherwise: (1 - (1-delta)/exp(epsilon))^n for n releases of
// the wrong input.
func (r *Report) Power() Power {
	right := math.Exp(math.Log1p(-r.Claim.Delta) - r.Claim.Epsilon)
	e, tests := r.Entry(), len(r.Tests)
	whole := e == nil || e.Pooled
	if whole {
		tests = mostTests // further releases bring further tests, which take a share of the false alarm rate
	}
	kept := math.Ceil(math.Log(r.FalseAlarms/float64(tests)) / math.Log1p(-right))
	p := Power{Releases: r.Releases}
	_, p.Ceiling, _ = r.bound(false)
	each := kept
	if kept > LeastSamples*(trained-1)/trained { // others choose the event
		each = math.Ceil(kept * trained / (trained - 1))
	}
	if !whole {
		p.Releases = e.Samples
	} else {
		// Coins give half of the releases to each input, up to two standard deviations. A reading, which a quarter of the
		// releases choose, needs fewer than one entry of each release.
		half := kept * 4 / 3
		each = math.Ceil(2 * (half + math.Sqrt(half)))
		each = max(each, 2*leastLearnt, 2*fewestSamples+leastLearnt)
	}
	p.Needed = int(min(each, math.MaxInt32))
	return p
}

// probability writes the p-value. The least that a test can give is written as "below".
func (t *Test) probability() string {
	if t.P <= 2*outside {
		return fmt.Sprintf("below %.0e", 2*outside)
	}
	return fmt.Sprintf("%.2g", t.P)
}
