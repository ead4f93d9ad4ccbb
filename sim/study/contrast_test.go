package study

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// contrastRuns are runs whose detection distances are bimodal, as the real ones, B a little below A in the same runs.
func contrastRuns(rng *rand.Rand, n int, shift float64) (a, b []Run) {
	for i := range n {
		near := rng.Float64() < 0.25
		km := 60 + rng.NormFloat64()/10
		if near {
			km = 18 + rng.NormFloat64()
		}
		r := Run{Run: i, Epsilon: 1, DetectionKm: km, Detected: true, CostOfPrivacy: rng.Float64(), FlightTimeS: 130,
			Fallback: rng.Float64() < 0.1, Transitions: 10}
		a = append(a, r)
		r.DetectionKm += shift + 0.3*rng.NormFloat64()
		r.Transitions += 2
		b = append(b, r)
	}
	return a, b
}

func contrastOf(t *testing.T, all []Contrast, name string) Contrast {
	t.Helper()
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no contrast of %s", name)
	return Contrast{}
}

// Of the same flights, seen by two observers, what does not depend on the observer is known to be the same. What does
// is compared as ever, and so are flights that differ after all.
func TestContrastsOfTheSameFlights(t *testing.T) {
	a, b := contrastRuns(rand.New(rand.NewPCG(2, 0)), 200, -1)
	how := Pairing{Paired: true, SameFlights: true}
	all := Contrasts(a, b, how, Confidence)
	for _, name := range []string{"cost_of_privacy", "path_overhead", "flight_time_s", "fallback", "timed_out"} {
		if c := contrastOf(t, all, name); c.Difference != 0 || c.Low != 0 || c.High != 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for _, name := range []string{"mean_km", "detected", "transitions"} {
		if c := contrastOf(t, all, name); c.Low == c.High {
			t.Errorf("%s: %+v", name, c)
		}
	}
	apart := Contrasts(a, b, Pairing{SameFlights: true}, Confidence)
	if c := contrastOf(t, apart, "cost_of_privacy"); !(c.Low < 0 && c.High > 0) {
		t.Errorf("not paired: %+v", c)
	}
}

// Every statistic and metric is compared once, by its own value on either side.
func TestContrastsAreOfAllNumbers(t *testing.T) {
	a, b := contrastRuns(rand.New(rand.NewPCG(1, 0)), 300, -1)
	for i := range a {
		a[i].PlannedKm, b[i].PlannedKm = 60, 60
	}
	all := Contrasts(a, b, Pairing{Paired: true}, Confidence)
	left, right := summaryOf(a), summaryOf(b)
	names := map[string]int{}
	for _, c := range all {
		names[c.Name]++
		if c.Difference != c.B-c.A && !math.IsNaN(c.Difference) {
			t.Errorf("%s: difference %g of %g and %g", c.Name, c.Difference, c.A, c.B)
		}
		if c.Low > c.Difference || c.High < c.Difference {
			t.Errorf("%s: interval %g .. %g of %g", c.Name, c.Low, c.High, c.Difference)
		}
	}
	for _, s := range Statistics() {
		if strings.Contains(s.Name, "ci_low") || strings.Contains(s.Name, "ci_high") {
			continue
		}
		if c := contrastOf(t, all, s.Name); c.A != *s.Of(&left) || c.B != *s.Of(&right) {
			t.Errorf("%s: %g and %g, the summaries say %g and %g", s.Name, c.A, c.B, *s.Of(&left), *s.Of(&right))
		}
		names[s.Name] += 10
	}
	for _, m := range Metrics() {
		if m.Label { // a mean of labels is no number of interest
			names[m.Name] += 11
			continue
		}
		names[m.Name] += 10 * (1 - names[m.Name]/10)
	}
	for name, n := range names {
		if n != 11 {
			t.Errorf("%s: %d", name, n)
		}
	}
	if c := contrastOf(t, all, "transitions"); c.A != 10 || c.B != 12 || c.High != 2 || !(c.Low > 1.9 && c.Low < 2) {
		t.Errorf("transitions: %+v, want 2 more in every run and room for others", c)
	}
}

// Swapping the sides turns every contrast round.
func TestContrastsAreAntisymmetric(t *testing.T) {
	for _, paired := range []bool{false, true} {
		a, b := contrastRuns(rand.New(rand.NewPCG(2, 0)), 120, -1)
		there, back := Contrasts(a, b, Pairing{Paired: paired}, Confidence),
			Contrasts(b, a, Pairing{Paired: paired}, Confidence)
		for i, c := range there {
			d := back[i]
			near := func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) || math.Abs(x+y) < 1e-9*(1+math.Abs(x)) }
			if !near(c.Difference, d.Difference) || !near(c.Low, d.High) || !near(c.High, d.Low) {
				t.Errorf("%s, paired %v: %+v, swapped %+v", c.Name, paired, c, d)
			}
		}
	}
}

// The intervals cover the true differences, paired and not, and pairing makes that of the mean many times narrower.
func TestContrastsCover(t *testing.T) {
	const times, runs, shift = 400, 100, -1.0
	// Of 400 intervals at 95 % fewer than 366 cover with probability 0.2 %.
	const fewest = 366
	for _, paired := range []bool{true, false} {
		covered, width := 0, 0.0
		for k := range times {
			rng := rand.New(rand.NewPCG(3, uint64(k)))
			a, b := contrastRuns(rng, runs, shift)
			if !paired {
				_, b = contrastRuns(rng, runs, shift)
			}
			c := MeanContrast(a, b, Pairing{Paired: paired}, Confidence)
			if c.Low <= shift && shift <= c.High {
				covered++
			}
			width += (c.High - c.Low) / times
		}
		if covered < fewest {
			t.Errorf("paired %v: %d of %d intervals cover", paired, covered, times)
		}
		// Student's width of the differences is 4 * 0.3 / sqrt(100), with room for a run of 100 that differs by as much as
		// two runs do; of independent means it is some 4 * 18 * sqrt(2/100).
		if paired && width > 5 || !paired && (width < 8 || width > 13) {
			t.Errorf("paired %v: intervals are %g km wide", paired, width)
		}
	}
}

// The quantiles' difference lies between those of the ends of both intervals at half the error probability. Of nine
// values the median lies between the first and the ninth at 97.5 %, and already between the second and the eighth at
// 95 %: outside with a probability of 2 / 512, and 20 / 512.
func TestContrastOfQuantilesHasTheEndsOfBoth(t *testing.T) {
	var a, b []Run
	for i := range 9 {
		a = append(a, Run{Run: i, DetectionKm: float64(1 + i)})
		b = append(b, Run{Run: i, DetectionKm: 100 + float64(i*i)})
	}
	c := contrastOf(t, Contrasts(a, b, Pairing{Paired: true}, Confidence), "median_km")
	if c.Difference != 116-5 || c.Low != 100-9 || c.High != 164-1 {
		t.Errorf("%g (%g .. %g), want 111 (91 .. 163)", c.Difference, c.Low, c.High)
	}
}

// Runs that lack a number are left out of its pairs. What one side lacks altogether has no difference, and the other
// side's mean stays.
func TestContrastsLeaveOutWhatIsNotGiven(t *testing.T) {
	none := math.NaN()
	a := []Run{{Run: 0, DirectKm: 1, PathOverhead: none}, {Run: 1, DirectKm: 3, PathOverhead: 2},
		{Run: 2, DirectKm: 5, PathOverhead: 4}}
	b := []Run{{Run: 0, DirectKm: none, PathOverhead: 7}, {Run: 1, DirectKm: none, PathOverhead: 5},
		{Run: 2, DirectKm: none, PathOverhead: none}}
	for _, paired := range []bool{true, false} {
		all := Contrasts(a, b, Pairing{Paired: paired}, Confidence)
		if c := contrastOf(t, all, "direct_km"); c.A != 3 || !math.IsNaN(c.B) || !math.IsNaN(c.Difference) ||
			!math.IsNaN(c.Low) || !math.IsNaN(c.High) {
			t.Errorf("paired %v, direct_km: %+v", paired, c)
		}
		wantA, wantB := 2., 5. // run 1 alone
		if !paired {
			wantA, wantB = 3, 6
		}
		if c := contrastOf(t, all, "path_overhead"); c.A != wantA || c.B != wantB || c.Difference != wantB-wantA {
			t.Errorf("paired %v, path_overhead: %+v, want %g and %g", paired, c, wantA, wantB)
		}
	}
}

// A study compared with itself run by run differs in nothing, and no interval of a difference says otherwise.
func TestASameStudyDiffersInNothing(t *testing.T) {
	a, _ := contrastRuns(rand.New(rand.NewPCG(1, 0)), 12, -1)
	for i := range a {
		a[i].PlannedKm = 60
	}
	a[3].PathOverhead, a[3].DirectOverhead, a[3].HandoverKm = math.NaN(), math.NaN(), math.NaN() // it timed out
	for _, c := range Contrasts(a, a, Pairing{Paired: true, Same: true}, Confidence) {
		if c.Difference != 0 || c.Low != 0 || c.High != 0 {
			t.Errorf("%s: %g (%g .. %g)", c.Name, c.Difference, c.Low, c.High)
		}
	}
	// Independent runs that happen to be the same still leave a difference open.
	if c := contrastOf(t, Contrasts(a, a, Pairing{}, Confidence), "mean_km"); c.Difference != 0 ||
		!(c.Low < 0 && c.High > 0) {
		t.Errorf("not paired: %g (%g .. %g)", c.Difference, c.Low, c.High)
	}
}

// Where settings differ, runs that all came to the same leave room for one that does not; a quantity that does not vary
// and one experiment leave none.
func TestDifferencesLeaveRoomForRunsNotSeen(t *testing.T) {
	var a []Run
	for i := range 20 {
		a = append(a, Run{Run: i, DetectionKm: []float64{60, 20}[i/18], PlannedKm: 61, CostOfPrivacy: float64(i) / 100})
	}
	for _, c := range []struct {
		how   Pairing
		name  string
		least float64 // of the half-width
		most  float64
	}{
		{Pairing{Paired: true, FarthestKm: 80}, "mean_km", 5, 20},
		{Pairing{Paired: true}, "mean_km", 2, 10},
		{Pairing{Paired: true, FarthestKm: 80}, "cost_of_privacy", 0.01, 0.05},
		{Pairing{Paired: true, FarthestKm: 80}, "planned_km", 0, 0},
		{Pairing{Paired: true, FarthestKm: 80}, "detection_km", 5, 20},
		{Pairing{Paired: true, Same: true, FarthestKm: 80}, "mean_km", 0, 0},
		{Pairing{Paired: true, Same: true, FarthestKm: 80}, "median_km", 0, 0},
	} {
		d := contrastOf(t, Contrasts(a, a, c.how, Confidence), c.name)
		if d.Difference != 0 || d.High != -d.Low && math.Abs(d.High+d.Low) > 1e-9 || d.High < c.least || d.High > c.most {
			t.Errorf("%+v, %s: %g .. %g, want -x .. x of %g to %g", c.how, c.name, d.Low, d.High, c.least, c.most)
		}
	}
	// A share that no run shows has room up to what as many runs may miss, another number that does not vary none, and
	// the plan without noise needs none.
	share := contrastOf(t, Contrasts(a, a, Pairing{Paired: true}, Confidence), "fallback")
	if !(share.High > 0.1 && share.High < 0.4 && share.Low == -share.High) {
		t.Errorf("fallback: %g .. %g of 20 runs without one", share.Low, share.High)
	}
	planned := slices.Clone(a)
	for i := range planned {
		planned[i] = Run{Run: i, Epsilon: None(), DetectionKm: 60, PlannedKm: 60, Transitions: 9}
	}
	for _, c := range Contrasts(planned, planned, Pairing{Paired: true, FarthestKm: 80}, Confidence) {
		if c.A == c.B && c.Name != "std_km" && c.Low != 0 && !math.IsNaN(c.Low) {
			t.Errorf("without noise, %s: %g .. %g", c.Name, c.Low, c.High)
		}
	}
	for _, name := range []string{"median_km", "p10_km", "std_km", "transitions"} {
		if d := contrastOf(t, Contrasts(a, a, Pairing{Paired: true}, Confidence), name); !math.IsNaN(d.Low) {
			t.Errorf("%s: %g .. %g of runs that do not show how far others differ", name, d.Low, d.High)
		}
	}
}
