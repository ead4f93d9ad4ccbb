package audit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// near compares with a closed form, to what rounding leaves.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

func TestClosedFormsOfClaimsAndShares(t *testing.T) {
	pure := Claim{Epsilon: math.Log(3), Delta: 0.1, Adjacency: 1}
	near(t, "told at epsilon ln 3 and delta 0.1", pure.guessable(), (3+0.1)/4)
	halved := Claim{Epsilon: math.Log(2), Delta: 0.1, Adjacency: 1}
	near(t, "false negatives at 0.1", halved.FalseNegative(0.1), 1-0.1-2*0.1)
	near(t, "false negatives at 0.5", halved.FalseNegative(0.5), (1-0.1-0.5)/2)
	near(t, "false negatives at 0.95", halved.FalseNegative(0.95), 0)
	near(t, "all of three, at least", share{3, 3}.lower(0.125), 0.5)
	near(t, "one of two, at least", share{1, 2}.lower(0.19), 0.1)
	near(t, "none of three, at most", share{0, 3}.upper(0.125), 0.5)
	near(t, "one of two, at most", share{1, 2}.upper(0.19), 0.9)
	near(t, "two or three heads", atLeast(share{2, 3}, 0.5), 0.5)
	near(t, "three heads", atLeast(share{3, 3}, 0.5), 0.125)
	near(t, "three of three with one third", atLeast(share{3, 3}, 1./3), 1./27)
	mu, standardError := muOf(share{50, 100})
	near(t, "mu of half", mu, 0)
	near(t, "its standard error", standardError, 2*math.Sqrt(0.25/100)*math.Sqrt(2*math.Pi))
}

// The probability of two shares as far apart is the sum over all that are.
func TestAsFarApartByEnumeration(t *testing.T) {
	e := event{share{5, 6}, share{2, 7}}
	const p, q = 0.7, 0.35
	apart := func(k, l int) float64 {
		return distuv.UnitNormal.Quantile(share{k, 6}.middle()) - distuv.UnitNormal.Quantile(share{l, 7}.middle())
	}
	want := 0.0
	for k := range 7 {
		for l := range 8 {
			if apart(k, l) >= apart(5, 2)-1e-12 {
				want += distuv.Binomial{N: 6, P: p}.Prob(float64(k)) * distuv.Binomial{N: 7, P: q}.Prob(float64(l))
			}
		}
	}
	near(t, "probability", e.asFarApart(p, q), want)
	if got := e.muBeyond(0.5); got < want/4 || got < (event{share{5, 6},
		share{2, 7}}).asFarApart(distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(2./7)+0.5), 2./7) {
		t.Errorf("mu 0.5 at the most: %g", got)
	}
	if sure := (event{share{1000, 1000}, share{0, 1000}}).muBeyond(0.1); sure < 1e-6 || sure > 1.1e-6 {
		t.Errorf("everything told: %g, want the part left out, 1e-6", sure)
	}
}

// Events are tested by releases that they were not chosen by, each at its share.
func TestEventsAreTestedByTheOtherHalf(t *testing.T) {
	const n = 400
	table, neighbour := make([]float64, n), make([]float64, n)
	for i := range n / 2 {
		neighbour[i] = 1 << 2 // event 2 tells all, in the first half alone
	}
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	events := claim.judgeEvents([]int{0, 1, 2}, table, neighbour)
	if e := events[0]; e.Entry != 2 || e.seen != (event{share{0, n / 2}, share{0, n / 2}}) {
		t.Errorf("%+v", e)
	}
	told := event{share{60, 100}, share{5, 100}}
	alone := claim.testEvents([]Event{{seen: told}}, claim.Epsilon).P
	if three := claim.testEvents([]Event{{}, {seen: told}, {}}, claim.Epsilon).P; alone <= 0 || alone > 0.01 ||
		math.Abs(three/alone-3) > 1e-9 {
		t.Errorf("one event: p %g, of three: %g", alone, three)
	}
}

// Ranks are of the noise, without the raise, and within a scale.
func TestScoresAreRanksOfNoise(t *testing.T) {
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	var releases []Release
	for k, noise := range []float64{0.3, 0.1, 0.2, 0.9, 0.8} {
		raised := k%2 == 0
		r := Release{Raised: []bool{raised, false}, Values: []float64{noise, 7}, Scale: map[bool]float64{true: 2}[k > 2]}
		if raised {
			r.Values[0]++
		}
		releases = append(releases, r)
	}
	s := claim.newScores(releases, rand.New(rand.NewPCG(1, 2)))
	three, two := normalScores(3), normalScores(2)
	for k, want := range []float64{three[2], three[0], three[1], two[1], two[0]} {
		if s.values[k][0] != want || s.values[k][1] != 0 {
			t.Errorf("release %d: %v, want %g, and 0 for what does not vary", k, s.values[k], want)
		}
	}
	near(t, "variance of scores", (three[0]*three[0]+three[1]*three[1]+three[2]*three[2])/3, 1)
}

func TestStatisticsOfScoresByHand(t *testing.T) {
	column := normalScores(4)
	same := &scores{scale: make([]int, 4), sizes: []int{4}}
	for _, v := range column {
		same.values = append(same.values, []float64{v, v, -v})
	}
	near(t, "squared correlations of three equal entries", squaredCorrelations(same, 3), 3)
	j := new(Joint)
	j.together(same, []int{0, 1, 2})
	near(t, "over those of independent entries, of 4 releases 1/3 each", j.Together, 3)
	near(t, "neighbours", neighbouring(same), 0)
	near(t, "two of them", squaredCorrelations(&scores{values: [][]float64{{column[0], column[0]}, {column[1], column[1]},
		{column[2], column[2]}, {column[3], column[3]}}}, 2), 1)
	// Ranks make releases of one scale correlate by less than 0; what is taken off makes up for it.
	random := rand.New(rand.NewPCG(3, 4))
	noise := &scores{scale: make([]int, 5), sizes: []int{5}}
	for _, v := range normalScores(5) {
		noise.values = append(noise.values, []float64{v, v, v, v, v, v, v, v})
	}
	var shuffled *scores
	sum, count := 0.0, 0
	for range 400 {
		shuffled = noise.shuffled(random, shuffled)
		shuffled.correlations(func([]float64) {}, func(_, _ int, r float64) { sum += r; count++ })
	}
	const fourErrors = 4 * 0.35 / 63 // of 4,000 correlations of 8 numbers, ten of each draw
	if mean := sum / float64(count); math.Abs(mean) > fourErrors {
		t.Errorf("mean correlation %g", mean)
	}
}

// Every order of three releases is drawn equally often: of 6,000 draws each a thousand times, in standard deviations of
// 29. Five are exceeded once in 300,000 tests.
func TestEveryOrderIsDrawn(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	s := &scores{scale: make([]int, 3), sizes: []int{3}, values: [][]float64{{1}, {2}, {3}}}
	drawn := map[[3]float64]int{}
	var shuffled *scores
	for range 6000 {
		shuffled = s.shuffled(random, shuffled)
		drawn[[3]float64{shuffled.values[0][0], shuffled.values[1][0], shuffled.values[2][0]}]++
	}
	for order, n := range drawn {
		if len(drawn) != 6 || math.Abs(float64(n)-1000) > 5*29 {
			t.Errorf("%d orders, %v drawn %d times", len(drawn), order, n)
		}
	}
}

// Of each scale one release tells 1 of 4 coins and another 3: two standard deviations off 2, at a probability of one
// half. A scale costs a degree of freedom.
func TestOverdispersionByHand(t *testing.T) {
	var releases []Release
	for _, scale := range []float64{1, 2} {
		for _, right := range []int{1, 3} {
			r := Release{Raised: make([]bool, 4), Values: make([]float64, 4), Scale: scale}
			for i := right; i < 4; i++ {
				r.Values[i] = 1
			}
			releases = append(releases, r)
		}
	}
	for n, freedom := range map[int]float64{2: 1, 4: 2} {
		j := &Joint{Entries: 4}
		j.overdispersed(releases[:n], Claim{Adjacency: 1})
		near(t, "overdispersion", j.Overdispersion, float64(n)/freedom)
		near(t, "its probability", j.tests[0].p(0.01), // that of chi^2 at n
			map[int]float64{2: math.Erfc(1), 4: math.Exp(-2)}[n])
	}
}

// The correlations of entries 1 and 2, and of 2 and 3, are 0.1 over 100 releases.
func TestNeighboursByHand(t *testing.T) {
	s := &scores{scale: make([]int, 100), sizes: []int{100}}
	for k := range 100 {
		row := []float64{1, 1, 1}
		if k >= 55 {
			row[1] = -1
		}
		if k%2 == 1 {
			row[0], row[1], row[2] = -row[0], -row[1], -row[2]
		}
		s.values = append(s.values, row)
	}
	j := new(Joint)
	j.neighbours(s, []int{0, 1, 2})
	near(t, "mean correlation", j.Neighbours, 0.1)
	near(t, "its probability", j.tests[0].p(0.01), math.Erfc(0.2*math.Sqrt(99./2)/math.Sqrt2))
	j = new(Joint)
	j.neighbours(s, []int{0, 2})
	if len(j.tests) > 0 {
		t.Error("entries that do not follow each other are tested as neighbours")
	}
}

// Two releases with the same noise are named, the earlier one first.
func TestReleasesWithTheSameNoiseAreNamed(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	releases := make([]Release, 6)
	for k := range releases {
		releases[k] = Release{Raised: make([]bool, 40), Values: make([]float64, 40)}
		for i := range releases[k].Values {
			releases[k].Values[i] = random.NormFloat64()
		}
	}
	copy(releases[4].Values, releases[1].Values)
	j, err := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}.JudgeJoint(releases)
	if err != nil || j.First != 1 || j.Second != 4 {
		t.Errorf("releases %d and %d, %v; want 1 and 4", j.First, j.Second, err)
	}
}

// Tests of whole tables are drawn out until they can tell their share of the false alarm rate, which those of an entry
// have a part in.
func TestSharesAreOfAllTests(t *testing.T) {
	claim := Claim{Epsilon: 1, Delta: 0.01, Adjacency: 1}
	values := make([]float64, LeastSamples)
	entry, err := claim.JudgeEntry(values, values, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	told := 0.0
	r, err := claim.Judge(entry, &Joint{tests: []jointTest{{p: func(least float64) float64 { told = least; return 1 }}}},
		0.01)
	if err != nil || len(r.Tests) < 2 {
		t.Fatalf("%v, %d tests", err, len(r.Tests))
	}
	near(t, "share", told, 0.01/float64(len(r.Tests)))
}

// A permutation test counts what was observed as one of the draws, and stops once chance has come to as much often
// enough.
func TestPermutationTestCountsTheObserved(t *testing.T) {
	s := &scores{scale: make([]int, 3), sizes: []int{3}, values: [][]float64{{1, 2}, {3, 4}, {5, 6}}}
	never := permutationTest{scores: s, statistic: func(*scores) float64 { return 0 }, observed: 1}
	near(t, "never reached", never.p(0.01), 1./201)
	always := permutationTest{scores: s, statistic: func(*scores) float64 { return 1 }, observed: 1}
	near(t, "always reached", always.p(0.01), 1)
	plainly := permutationTest{scores: s, statistic: func(*scores) float64 { return 0 }, observed: 1, limiting: 0.4}
	near(t, "plainly by chance", plainly.p(0.01), 0.4)
}
