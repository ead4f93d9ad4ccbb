package audit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"veilpath/planner/audit"
)

// What is done to releases afterwards may make them differ from their description, and never breaks the promise; nor
// does a mechanism that shows everything with a probability just below delta.
func TestNoMechanismThatKeepsItsPromiseIsBroken(t *testing.T) {
	const audits, rate = 24, 0.1
	claim := gaussian(t, 1)
	average := func(values []float64, raised []bool) {
		// Of the true table a coin is a part too, so that the average is taken of what was released.
		old := append([]float64(nil), values...)
		for i := range values {
			next := (i + 1) % len(values)
			values[i] = (old[i] + old[next]) / 2
		}
	}
	for _, c := range []struct {
		name    string
		claim   audit.Claim
		process func(random *rand.Rand, values []float64, raised []bool)
		other   bool // than consistent, mostly
	}{
		{"moving average", claim, func(_ *rand.Rand, v []float64, r []bool) { average(v, r) }, true},
		{"a normal added to all", claim, func(random *rand.Rand, v []float64, _ []bool) {
			shift := 5 * random.NormFloat64()
			for i := range v {
				v[i] += shift
			}
		}, true},
		{"everything shown, rarely", audit.Claim{Epsilon: 0.1, Delta: 0.05, Adjacency: 1},
			func(random *rand.Rand, v []float64, raised []bool) {
				shows := random.Float64() < 0.049
				for i := range v {
					v[i] = float64(random.IntN(2))
					if shows && raised[i] {
						v[i] = 1
					} else if shows {
						v[i] = 0
					}
				}
			}, true},
	} {
		random := rand.New(rand.NewPCG(5, 6))
		broken, other := 0, 0
		for i := range audits {
			size := [][2]int{{40, 60}, {240, 4}}[i%2] // of which the second is judged by one entry of each release too
			releases := newSource(uint64(i)).tables(size[0], size[1], claim.Sigma, nil)
			for _, r := range releases {
				c.process(random, r.Values, r.Raised)
			}
			r, err := c.claim.JudgeRecorded(audit.Of(releases), rate)
			if err != nil {
				t.Fatal(err)
			}
			switch r.Verdict() {
			case audit.Broken:
				broken++
			case audit.NotAsDescribed:
				other++
			}
		}
		if broken > mostByChance(audits, rate/4) || c.other != (other > audits/4) {
			t.Errorf("%s: %d of %d audits say broken and %d not as described", c.name, broken, audits, other)
		}
	}
}

// A verdict is of the promise only where the promise fails.
func TestVerdictsTellPromiseAndDescription(t *testing.T) {
	for _, c := range []struct {
		name    string
		epsilon float64
		by      float64 // sigma over the promised
		want    string
	}{
		{"as described", 1, 1, audit.Consistent},
		{"half of a sigma that is loose", 0.2, 0.5, audit.NotAsDescribed},
		{"half of a sigma that is tight", 4, 0.5, audit.Broken},
		{"no noise", 1, 0, audit.Broken},
	} {
		claim := gaussian(t, c.epsilon)
		table, neighbour := newSource(11).pair(100_000, scaled(c.by)(claim.Sigma))
		if r := judge(t, claim, table, neighbour, nil); r.Verdict() != c.want {
			t.Errorf("%s: %s, want %s: %s", c.name, r.Verdict(), c.want, r.Why())
		}
	}
	claim := gaussian(t, 1)
	for _, f := range faults {
		want := map[string]string{"one entry of 10 without noise": audit.Broken,
			"one normal for two entries": audit.Broken}[f.name]
		if want == "" {
			want = audit.NotAsDescribed
		}
		rec := audit.Of(newSource(3).tables(300, 10, claim.Sigma,
			func(z [][]float64) { f.spoil(rand.New(rand.NewPCG(1, 2)), z) }))
		if r, err := claim.JudgeRecorded(rec, 0.01); err != nil || r.Verdict() != want {
			t.Errorf("%s: %s, want %s: %s, %v", f.name, r.Verdict(), want, r.Why(), err)
		}
	}
	// Numbers that are pooled over the entries of few releases contradict the description alone, which says that entries
	// have noise of their own.
	none := newSource(5).tables(8, 200, 0, nil)
	if r, err := claim.JudgeRecorded(audit.Of(none), 0.01); err != nil || r.Verdict() != audit.NotAsDescribed {
		t.Errorf("8 releases without noise: %s, %v", r.Why(), err)
	}
}

// Entries of one release may share noise under the promise, so that pooled numbers never break it. One entry of each
// release does.
func TestOneEntryOfEachReleaseBreaksThePromise(t *testing.T) {
	claim := gaussian(t, 1)
	tight := audit.Claim{Epsilon: claim.Epsilon, Delta: claim.Delta, Adjacency: claim.Adjacency}
	for by, want := range map[float64]string{1: audit.Consistent, 0.25: audit.Broken} {
		releases := newSource(8).tables(800, 4, by*claim.Sigma, nil)
		r, err := tight.JudgeRecorded(audit.Of(releases), 0.01)
		if err != nil || r.Verdict() != want {
			t.Errorf("%g of the noise: %s, want %s: %s, %v", by, r.Verdict(), want, r.Why(), err)
		}
		if words := r.Words(); strings.Contains(words, " by one entry per release") != (by < 1) {
			t.Errorf("%g of the noise: the words do not say what the bound rests on: %s", by, words)
		}
	}
}

// Entries of releases that no column names may share noise, so such numbers never break the promise.
func TestEntriesWithoutReleasesNeverBreakThePromise(t *testing.T) {
	claim := audit.Claim{Epsilon: 0.1, Delta: 0.05, Adjacency: 1}
	random := rand.New(rand.NewPCG(3, 4))
	columns := audit.Columns{}
	for range 400 { // releases, of which one in twenty shows its 50 entries as they are
		shows := random.Float64() < 0.049
		for entry := range 50 {
			given := float64(random.IntN(2))
			released := float64(random.IntN(2))
			if shows {
				released = given
			}
			columns["entry"] = append(columns["entry"], float64(entry))
			columns["reward"] = append(columns["reward"], given)
			columns["released"] = append(columns["released"], released)
		}
	}
	rec, err := columns.Record(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := claim.JudgeRecorded(rec, 0.1)
	if err != nil || r.Verdict() == audit.Broken || !strings.Contains(strings.Join(r.Notes(), " "), "independent") {
		t.Errorf("%s: %s, %v", r.Verdict(), r.Words(), err)
	}
}

// A consistent audit says what so few releases can show at most, and how many decide. With as many the fault is found.
func TestTooFewReleasesSayHowManyDecide(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	missing := func(z [][]float64) {
		for _, row := range z {
			row[3] = 0
		}
	}
	for releases, says := range map[int]string{
		8:  "These 8 releases cannot show more than epsilon 0; ",
		30: "These 30 releases cannot show more than epsilon 0.",
		46: "The promise is broken",
	} {
		r, err := claim.JudgeRecorded(audit.Of(newSource(4).tables(releases, 144, 2.5, missing)), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		if found := r.Verdict() == audit.Broken; found != (releases == 46) || !strings.Contains(r.Words(), says) {
			t.Errorf("%d releases: %s: %s", releases, r.Verdict(), r.Words())
		}
	}
}

// How many releases decide does not depend on how many there are: further ones bring further tests.
func TestTheNumberThatDecidesStays(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	needed := map[int]bool{}
	for _, releases := range []int{10, 20, 40, 60} {
		r, err := claim.JudgeRecorded(audit.Of(newSource(4).tables(releases, 30, 2.5, nil)), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		needed[r.Power().Needed] = true
	}
	if len(needed) != 1 {
		t.Errorf("%v", needed)
	}
}

// How many releases decide is said in the unit in which more can be had: samples count released entries of each
// kind, of which a command makes half as many as its tables have, and a file takes releases.
func TestTooFewReleasesSayWhatToDo(t *testing.T) {
	claim := audit.Claim{Epsilon: 4, Delta: 0.01, Adjacency: 1}
	tables, err := claim.JudgeRecorded(audit.Of(newSource(4).tables(30, 10, 2.5, nil)), 0.01)
	if err != nil {
		t.Fatal(err)
	}
	one, two := newSource(1).pair(100, scaled(1)(2.5))
	pairs := judge(t, claim, one, two, nil)
	for _, r := range []*audit.Report{tables, pairs} {
		needed := r.Power().Needed
		for repeatable, want := range map[bool]string{false: fmt.Sprintf("; %d would decide.", needed),
			true: fmt.Sprintf("; {samples} %d would decide.", needed*max(1, r.Entries/2))} {
			if r.Repeatable = repeatable; !strings.HasSuffix(r.Words(), want) {
				t.Errorf("%q, want %q", r.Words(), want)
			}
		}
	}
}

// A mechanism that now and then publishes what it was given is found by the values that come again and again: it breaks
// the promise, and where entries are pooled it is not as described.
func TestValuesPublishedAsTheyAreAreFound(t *testing.T) {
	claim := audit.Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	for _, share := range []float64{0.3, 0.03} {
		table, neighbour := newSource(21).pair(20_000, scaled(4)(1))
		random := rand.New(rand.NewPCG(7, 8))
		for i := range table {
			if random.Float64() < share {
				table[i] = 0
			}
			if random.Float64() < share {
				neighbour[i] = 1
			}
		}
		if r := judge(t, claim, table, neighbour, nil); r.Verdict() != audit.Broken || r.Entry().EpsilonLow < 1 {
			t.Errorf("published in %g of the releases: %s, %s", share, r.Verdict(), r.Why())
		}
	}
}

// Noise that is promised normal and is not is found, and so is noise that entries share.
func TestDescriptionsThatFail(t *testing.T) {
	claim := gaussian(t, 1)
	random := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		spoil          func(row []float64)
		found, verdict string
	}{
		"Cauchy noise": {func(row []float64) {
			for i := range row {
				row[i] = random.NormFloat64() / random.NormFloat64()
			}
		}, "noise_normal", audit.NotAsDescribed},
		"one normal for all": {func(row []float64) {
			for i := range row {
				row[i] = row[0]
			}
		}, "epsilon_low_known_others", audit.Broken},
		"its negative for two far apart": {func(row []float64) { row[31] = -row[2] }, "epsilon_low_known_others",
			audit.Broken},
		"as described": {func([]float64) {}, "", audit.Consistent},
	} {
		r, err := claim.JudgeRecorded(audit.Of(newSource(31).tables(60, 40, claim.Sigma, func(z [][]float64) {
			for _, row := range z {
				c.spoil(row)
			}
		})), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		if by := failed(r); !strings.Contains(by, c.found) || (by == "") != (c.found == "") || r.Verdict() != c.verdict {
			t.Errorf("%s: failed %q, want %q: %s", name, by, c.found, r.Why())
		}
	}
}

// The words begin with the strongest evidence for the verdict. The next sentence has a lower bound on epsilon that the
// same releases give, for any mechanism. A row beyond what is allowed that is no fault says so.
func TestWordsBeginWithTheStrongestEvidence(t *testing.T) {
	claim := gaussian(t, 1)
	without := func(z [][]float64) {
		for _, row := range z {
			row[3] = 0
		}
	}
	for name, c := range map[string]struct {
		releases, entries int
		by                float64
		spoil             func([][]float64)
		want, notes       string
	}{
		"half of the noise": {200, 4, 0.5, nil, "The mechanism is not as described: the noise is about 51 % of what sigma " +
			"2.524 says: its standard deviation is 1.298 (p below 2e-09). Epsilon is at least 0.", "independent"},
		"an entry without noise": {70, 6, 1, without, "The promise is broken: epsilon is at least ", "independent"},
		"as described":           {200, 4, 1, nil, "The releases are consistent with the promise: none of the ", ""},
	} {
		r, err := claim.JudgeRecorded(audit.Of(newSource(8).tables(c.releases, c.entries, c.by*claim.Sigma, c.spoil)), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		words, notes := r.Words(), strings.Join(r.Notes(), " ")
		if !strings.HasPrefix(words, c.want) || strings.Count(words, "95 % confidence") != 1 ||
			strings.Count(words, "1 is promised") != 1 ||
			!strings.Contains(notes, c.notes) || len(r.Notes()) > 2 {
			t.Errorf("%s: %q %q, want %q %q", name, words, notes, c.want, c.notes)
		}
		claims := r.Claims()
		if len(claims.Main) != 8 || len(claims.Columns) > 6 || claims.Rows[0].P > claims.Rows[8].P {
			t.Errorf("%s: %d of %d claims first, %+v", name, len(claims.Main), len(claims.Rows), claims.Rows)
		}
		columns, _ := claims.Shown(0)
		for i, row := range claims.Rows {
			result := columns[4].Cells[i]
			if beyond := !row.Chance && !row.AtLeast && row.Statistic > row.Limit; beyond && result == "holds" {
				t.Errorf("%s: %s measured %g of at most %g: %s", name, row.Measure, row.Statistic, row.Limit, result)
			}
		}
	}
}

// A bound of 0 is said to show nothing.
func TestABoundOfZeroShowsNothing(t *testing.T) {
	claim := gaussian(t, 1)
	r, err := claim.JudgeRecorded(audit.Of(newSource(8).tables(200, 4, 50*claim.Sigma, nil)), 0.01)
	const want = "Epsilon is at least 0 at delta 0.01 with 95 % confidence, which shows nothing; 1 is promised."
	if err != nil || !strings.HasSuffix(r.Words(), want) {
		t.Errorf("%q, %v; want %q", r.Words(), err, want)
	}
}

// The lower bound on epsilon exceeds epsilon with a probability of at most 5 %. Randomised response reveals exactly
// epsilon, so that the bounds are as often too large as they may be.
func TestTheBoundOfTheAnswerHolds(t *testing.T) {
	const audits, releases = 60, 400
	claim := audit.Claim{Epsilon: 1, Delta: 0, Adjacency: 1}
	random := rand.New(rand.NewPCG(11, 12))
	right := math.E / (1 + math.E)
	beyond, sum := 0, 0.0
	for range audits {
		made := make([]audit.Release, releases)
		for k := range made {
			for range 2 {
				raised := random.IntN(2) == 1
				says := raised == (random.Float64() < right)
				made[k].Raised = append(made[k].Raised, raised)
				made[k].Values = append(made[k].Values, map[bool]float64{true: 1}[says])
			}
		}
		r, err := claim.JudgeRecorded(audit.Of(made), 0.01)
		if err != nil {
			t.Fatal(err)
		}
		low := number(t, r, "epsilon_at_least")
		if sum += low; low > claim.Epsilon {
			beyond++
		}
	}
	if mean := sum / audits; beyond > mostByChance(audits, 0.05) || mean < 0.5 {
		t.Errorf("%d of %d bounds are above epsilon, and they are %g on average", beyond, audits, mean)
	}
}

// number returns a number of an answer.
func number(t *testing.T, r *audit.Report, name string) float64 {
	t.Helper()
	for _, q := range r.Answer() {
		if v, is := q.Value.(float64); is && q.Name == name {
			return v
		}
	}
	t.Fatalf("no number %s", name)
	return 0
}
