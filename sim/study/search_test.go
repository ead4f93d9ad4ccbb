package study_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"veilpath/sim/study"
)

// paperSearch searches the paper's study.
func paperSearch(tb testing.TB, resolution float64, mostRuns int) study.Search {
	return study.Search{Study: paperStudy(tb), Between: study.Range{Low: 0.2, High: 8}, Resolution: resolution,
		Confidence: 0.95, MostRuns: mostRuns}
}

func find(tb testing.TB, s study.Search, demands ...study.Demand) *study.Found {
	tb.Helper()
	found, err := s.Find(context.Background(), demands...)
	if err != nil {
		tb.Fatal(err)
	}
	checkAnswers(tb, found, s.Between)
	return found
}

// checkAnswers checks what holds of every answer: the sets divide the range, a crossing lies between neighbours of both
// kinds, and its estimate in its interval.
func checkAnswers(tb testing.TB, found *study.Found, between study.Range) {
	tb.Helper()
	for _, a := range found.Answers {
		all := slices.Concat(a.Met, a.NotMet, a.Undecided)
		slices.SortFunc(all, func(r, o study.Range) int { return int(math.Copysign(1, (r.Low+r.High)-(o.Low+o.High))) })
		end := between.Low
		for _, r := range all {
			if r.Low != end || r.Low > r.High {
				tb.Fatalf("met %v, not met %v, undecided %v: %v does not begin at %v", a.Met, a.NotMet, a.Undecided, r, end)
			}
			end = r.High
		}
		if end != between.High {
			tb.Fatalf("met %v, not met %v, undecided %v: they end at %v", a.Met, a.NotMet, a.Undecided, end)
		}
		for _, c := range a.Crossings {
			met := slices.ContainsFunc(a.Met, func(r study.Range) bool { return r.High == c.Low || r.Low == c.High })
			not := slices.ContainsFunc(a.NotMet, func(r study.Range) bool { return r.High == c.Low || r.Low == c.High })
			if !met || !not || !(c.Low <= c.Value && c.Value <= c.High) {
				tb.Fatalf("met %v, not met %v: crossing %v", a.Met, a.NotMet, c)
			}
		}
	}
}

// The border that a search finds is where a brute-force study on a fine grid has it.
func TestSearchAgreesWithBruteForce(t *testing.T) {
	const limitKm, resolution = 53, 0.4
	s := axisStudy(t, 2000)
	s.Epsilons = nil
	for e := 0.4; e < 0.85; e += 0.1 {
		s.Epsilons = append(s.Epsilons, e)
	}
	sigmas, err := s.Sigmas()
	if err != nil {
		t.Fatal(err)
	}
	tally := study.NewTally(s.Epsilons, sigmas)
	for _, pieces := range manyRuns(t)[:s.Runs] {
		tally.Add(s.Listed(pieces, nil))
	}
	// Where the ends of the brute-force intervals cross the limit is what 2000 runs know about epsilon.
	low, high := math.NaN(), math.NaN()
	for _, m := range tally.Summaries() {
		if m.CIHighKm <= limitKm {
			low = m.Epsilon
		}
		if math.IsNaN(high) && m.CILowKm > limitKm {
			high = m.Epsilon
		}
	}
	found := find(t, paperSearch(t, resolution, 2000), s.Experiment.MeanDistance(limitKm))
	a := found.Answers[0]
	t.Logf("brute force %.2f to %.2f; met %v, not met %v, crossings %.4g, after %d runs", low, high, a.Met, a.NotMet,
		a.Crossings, a.Analyses[len(a.Analyses)-1].Runs)
	if len(a.Met) != 1 || len(a.NotMet) != 1 || a.Met[0].Low != 0.2 || a.NotMet[0].High != 8 ||
		found.Chosen() != a.Met[0].High {
		t.Fatalf("met %v, not met %v, chosen %g; want one range of each, and the end of the one that is met", a.Met, a.NotMet,
			found.Chosen())
	}
	crossing := a.Crossings[0]
	if !(crossing.Value >= low && crossing.Value <= high && crossing.Low < low+0.1 && crossing.High > high-0.1 &&
		crossing.High < crossing.Low*(1+resolution)*(1+resolution)) {
		t.Errorf("the mean crosses at %g, by brute force at %g to %g", crossing, low, high)
	}
}

// Where a mean rises and falls along epsilon, the epsilons that meet a demand are several ranges. The largest is
// chosen. With the wall the mean of the population is at most 30 km up to epsilon 0.16 and from 1.95 on.
func TestSearchWhereTheMeanRisesAndFalls(t *testing.T) {
	p := smallPopulations["wall"](t)
	demand := p.experiment.MeanDistance(30)
	s := p.search(rand.New(rand.NewPCG(1, 27)), 0.1, 20_000)
	found := find(t, s, demand)
	a := found.Answers[0]
	last := a.Analyses[len(a.Analyses)-1]
	t.Logf("met %v, not met %v, crossings %.4g, after %d runs", a.Met, a.NotMet, a.Crossings, last.Runs)
	if len(a.Met) != 2 || len(a.NotMet) != 1 || len(a.Crossings) != 2 || found.Chosen() != p.on.High ||
		last.Runs == s.MostRuns {
		t.Fatalf("met %v, not met %v, crossings %v, chosen %g, after %d runs; want it met, not met and met again", a.Met,
			a.NotMet, a.Crossings, found.Chosen(), last.Runs)
	}
	if truth := p.truth(demand.Of); truth.wrong(&a) {
		t.Errorf("met %v, not met %v: not so in the population", a.Met, a.NotMet)
	}
	// Without the ends of the range, where the demand is met, or in a part of it that begins where it is not.
	for _, part := range []struct {
		between study.Range
		met     int
	}{{study.Range{Low: 0.3, High: 1}, 0}, {study.Range{Low: 0.3, High: 20}, 1}, {study.Range{Low: 0.05, High: 1}, 1}} {
		s := p.search(rand.New(rand.NewPCG(2, 27)), 0.1, 20_000)
		s.Between = part.between
		if a := find(t, s, demand).Answers[0]; len(a.Met) != part.met || len(a.NotMet) != 1 {
			t.Errorf("between %v: met %v, not met %v", part.between, a.Met, a.NotMet)
		}
	}
}

// What a search says of an epsilon is what its runs are there, flown one by one.
func TestSearchIsOfItsRuns(t *testing.T) {
	s := paperSearch(t, 0.3, 500)
	e := s.Study.Experiment
	found := find(t, s, e.MeanDistance(53))
	chosen := found.Chosen()
	flyer, err := e.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	for _, epsilon := range []float64{chosen, 8} { // more runs were flown at the first
		cell, err := found.At(epsilon, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		sigma, err := e.Sigma(epsilon)
		if err != nil {
			t.Fatal(err)
		}
		var distances []float64
		cost := 0.0
		for run := range cell.Runs {
			r := flown(t)(flyer.Fly(study.Draw{Seed: s.Study.Seed, Run: run, Noise: study.Common, Epsilon: epsilon}, sigma))
			distances = append(distances, r.DetectionKm)
			cost += r.CostOfPrivacy / float64(cell.Runs)
		}
		slices.Sort(distances)
		sum := 0.0
		for _, d := range distances {
			sum += d
		}
		// Sums of some hundred numbers in another order.
		if math.Abs(cell.Mean.Value-sum/float64(cell.Runs)) > 1e-10 || math.Abs(cell.CostOfPrivacy.Value-cost) > 1e-12 ||
			cell.Median.Value != study.Quantile(distances, 0.5) {
			t.Errorf("at epsilon %g: %+v; one by one the mean is %g, the cost %g", epsilon, cell, sum/float64(cell.Runs), cost)
		}
		if got := found.Means(&found.Answers[0].Demand, []float64{epsilon}); math.Abs(got[0]-cell.Mean.Value) > 1e-10 {
			t.Errorf("at epsilon %g the mean is %g, want %g", epsilon, got, cell.Mean.Value)
		}
	}
	here, _ := found.At(chosen, 0.95)
	there, _ := found.At(8, 0.95)
	looks := found.Answers[0].Analyses
	if last := looks[len(looks)-1]; here.Runs != last.Runs || !last.Axis.Contains(chosen) || there.Runs >= here.Runs ||
		last.Axis.High >= 8 {
		t.Errorf("%d runs at epsilon %g and %d at 8; the last analysis is %+v", here.Runs, chosen, there.Runs, last)
	}
	// The map is of the same runs.
	cells := found.Map.Cells()
	last := cells[len(cells)-1][0]
	if first := cells[0][0]; first.Epsilon != 0.2 || last.Epsilon != 8 || last.Runs != there.Runs ||
		math.Abs(last.Mean.Value-there.Mean.Value) > 1e-10 {
		t.Errorf("the map goes from %+v to %+v; want the mean %g of %d runs there", first, last, there.Mean.Value, there.Runs)
	}
}

// Any number of workers find the same.
func TestSearchDoesNotDependOnWorkers(t *testing.T) {
	want := ""
	for _, workers := range []int{1, 5} {
		s := paperSearch(t, 0.4, 400)
		s.Study.Workers, s.RadiiKm = workers, []float64{0.5, 0.7}
		found := find(t, s, s.Study.Experiment.MeanDistance(50))
		got := fmt.Sprint(found.Answers[0].Analyses, found.Answers[0].Crossings, found.Map)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers find\n%s\none\n%s", workers, got, want)
		}
	}
}

// A cost falls as epsilon grows, so it is met from an epsilon on; alone, the smallest epsilon is chosen. Beside a
// distance it is followed only until it is decided at that one's answer.
func TestSearchForACost(t *testing.T) {
	p := smallPopulations["preset"](t)
	e := p.experiment
	search := func(demands ...study.Demand) *study.Found {
		return find(t, p.search(rand.New(rand.NewPCG(7, 27)), 0.3, 3000), demands...)
	}
	found := search(e.MeanCost(0.1))
	if a, truth := found.Answers[0], p.truth(e.MeanCost(0.1).Of); len(a.Met) != 1 || a.Met[0].High != p.on.High ||
		len(a.NotMet) != 1 || a.NotMet[0].Low != p.on.Low || found.Chosen() != a.Met[0].Low || truth.wrong(&a) {
		t.Errorf("met %v, not met %v, chosen %g; want it met from an epsilon on", a.Met, a.NotMet, found.Chosen())
	}
	found = search(e.MeanDistance(56), e.MeanCost(0.2))
	if hidden, cheap := found.Answers[0].Met, found.Answers[1].Met; found.Chosen() != hidden[0].High ||
		found.Sets().Met[0].Low != cheap[0].Low || found.Sets().Met[0].High != hidden[0].High {
		t.Errorf("hidden at %v, cheap at %v, both at %v, chosen %g", hidden, cheap, found.Sets().Met, found.Chosen())
	}
	if found = search(e.MeanDistance(50), e.MeanCost(0.05)); len(found.Sets().Met) != 0 ||
		!math.IsNaN(found.Chosen()) {
		t.Errorf("met %v, chosen %g; want none", found.Sets().Met, found.Chosen())
	}
}

// In every run the cost of privacy does not grow with epsilon, whatever the mission.
func TestCostFallsInEveryRun(t *testing.T) {
	for mission := range missions {
		for _, run := range smallPopulations[mission](t).runs {
			for i := range run[1:] {
				const solved = 1e-8 // what plans may lose, of the value
				if run[i+1].CostOfPrivacy > run[i].CostOfPrivacy+solved {
					t.Fatalf("%s: run %d costs %g at epsilon %g and %g at %g", mission, run[i].Run, run[i].CostOfPrivacy,
						run[i].Epsilon, run[i+1].CostOfPrivacy, run[i+1].Epsilon)
				}
			}
		}
	}
}

// Where all of the range meets a demand, or none of it, a few runs show it.
func TestSearchWithoutABorder(t *testing.T) {
	for limit, all := range map[float64]bool{70: true, 5: false, 1000: true} {
		s := paperSearch(t, 0.05, 3000)
		found := find(t, s, s.Study.Experiment.MeanDistance(limit))
		a := found.Answers[0]
		if runs := a.Analyses[len(a.Analyses)-1].Runs; runs > 1200 || len(a.Crossings) > 0 || len(a.Undecided) > 0 {
			t.Errorf("limit %g km: %d runs, crossings %v, undecided %v", limit, runs, a.Crossings, a.Undecided)
		}
		if all && found.Chosen() != 8 || !all && !math.IsNaN(found.Chosen()) {
			t.Errorf("limit %g km: met %v, chosen %g", limit, a.Met, found.Chosen())
		}
	}
}

// Demands share the error probability: each of two is answered as it is alone with half of it.
func TestDemandsShareTheErrorProbability(t *testing.T) {
	p := smallPopulations["preset"](t)
	hidden, cheap := p.experiment.MeanDistance(56), p.experiment.MeanCost(0.1)
	// after 64, 128, 256 and 512 runs, the same ones
	after := func(confidence float64, demands ...study.Demand) study.Sets {
		s := p.search(rand.New(rand.NewPCG(3, 27)), 0.01, 512)
		s.Confidence = confidence
		return find(t, s, demands...).Answers[0].Sets
	}
	together, half, whole := after(0.5, hidden, cheap), after(0.75, hidden), after(0.5, hidden)
	if !reflect.DeepEqual(together, half) || reflect.DeepEqual(half, whole) {
		t.Errorf("together %v, alone with half the error probability %v, with all of it %v", together, half, whole)
	}
}

// A later demand is followed until it is decided at the largest epsilon that meets the first, not to the resolution.
func TestLaterDemandsAreFollowedToTheAnswer(t *testing.T) {
	p := smallPopulations["preset"](t)
	runs := func(demands ...study.Demand) int {
		s := p.search(rand.New(rand.NewPCG(4, 27)), 0.3, 20_000)
		looks := find(t, s, demands...).Answers[0].Analyses
		return looks[len(looks)-1].Runs
	}
	// Up to epsilon 0.5 or so the mean is at most 50 km, and soon shown to be at most 59.5, which it hardly exceeds
	// anywhere.
	near, far := p.experiment.MeanDistance(50), p.experiment.MeanDistance(59.5)
	if alone, together, reverse := runs(near), runs(near, far), runs(far, near); together > 2*alone || reverse < 4*alone {
		t.Errorf("%d runs for the first demand, %d with a later one, %d where that comes first", alone, together, reverse)
	}
}

// The search flies no more once all is as narrow as the resolution, and few more than that takes.
func TestSearchEndsAtTheResolution(t *testing.T) {
	p := smallPopulations["wall"](t)
	for _, resolution := range []float64{0.3, 0.1} {
		s := p.search(rand.New(rand.NewPCG(5, 27)), resolution, 50_000)
		a := &find(t, s, p.experiment.MeanDistance(30)).Answers[0]
		widest, before := 0.0, 0.0
		for _, r := range a.Undecided {
			widest = max(widest, math.Sqrt(r.High/r.Low)-1)
		}
		last := a.Analyses[len(a.Analyses)-2]
		// Bets are laid on runs that are not flown yet.
		if from, positive := a.BetsFrom(); len(from) != len(a.Analyses)-1 || positive < len(from)-1 {
			t.Errorf("bets from runs %v, %d above 0; %d analyses", from, positive, len(a.Analyses))
		} else {
			for i, first := range from {
				if first != a.Analyses[i].Runs {
					t.Errorf("a bet that was tuned to %d runs is laid from run %d on", a.Analyses[i].Runs, first)
				}
			}
		}
		for _, r := range [][2]float64{{last.Met[0].High, last.NotMet[0].Low}, {last.NotMet[0].High, last.Met[1].Low}} {
			before = max(before, math.Sqrt(r[1]/r[0])-1)
		}
		const rounding = 1e-3 // of the ends of the sets
		if widest > resolution+rounding || before < resolution-rounding {
			t.Errorf("resolution %g: undecided to %g, and %g at the analysis before the last", resolution, widest, before)
		}
	}
}

// A range that is narrower than the resolution is decided too.
func TestSearchOfANarrowRange(t *testing.T) {
	p := smallPopulations["preset"](t)
	s := p.search(rand.New(rand.NewPCG(6, 27)), 0.1, 20_000)
	s.Between = study.Range{Low: 1, High: 1.001}
	if a := find(t, s, p.experiment.MeanDistance(50)).Answers[0]; len(a.NotMet) != 1 || a.NotMet[0] != s.Between {
		t.Errorf("met %v, not met %v, after %d runs; want it not met anywhere", a.Met, a.NotMet,
			a.Analyses[len(a.Analyses)-1].Runs)
	}
}

// A flight that strays beyond the bound counts as recognised there, which is said, and the search goes on.
func TestSearchClipsStrayFlights(t *testing.T) {
	s := paperSearch(t, 0.02, 2000)
	d := s.Study.Experiment.MeanDistance(50)
	const strays = 3
	s.Resample(func(run int, on study.Range) []study.Run {
		r := study.Run{Run: run, Epsilon: on.Low, DetectionKm: 30}
		if run < strays {
			r.DetectionKm = 100 * d.Bound
		}
		return []study.Run{r}
	})
	found := find(t, s, d)
	if n := found.Clipped(&d); n != strays {
		t.Errorf("%d runs count as less than they are, want %d", n, strays)
	}
	runs := found.Answers[0].Analyses[len(found.Answers[0].Analyses)-1].Runs
	want := (strays*d.Bound + 30*float64(runs-strays)) / float64(runs)
	if got := found.Means(&d, []float64{1})[0]; math.Abs(got-want) > 1e-9*want {
		t.Errorf("the mean that counts is %g, want %g", got, want)
	}
	n := float64(runs)
	want = (d.Bound - 30) * math.Sqrt(strays*(n-strays)/(n-1)) / n // of two values
	if got := found.StandardErrors(&d, []float64{1})[0]; math.Abs(got-want) > 1e-9*want {
		t.Errorf("its standard error is %g, want %g", got, want)
	}
	if a := &found.Answers[0]; len(a.Met) != 1 || a.Met[0] != s.Between {
		t.Errorf("the demand is met at %v of %v", a.Met, s.Between)
	}
}

// A demand that only useless flights meet is found out after the first runs: no more runs are flown below the smallest
// practical epsilon, and those above are still decided.
func TestSearchLeavesImpracticalEpsilonsOut(t *testing.T) {
	s := study.Search{Study: paperStudy(t), Between: study.Range{0.01, 100}, Resolution: 0.08, Confidence: 0.95,
		MostRuns: 50_000,
		RadiusKm: 2, Practical: func(givesUp, lost float64) bool { return givesUp <= 1.0/3 && lost <= 0.5 }}
	found, err := s.Find(t.Context(), s.Study.Experiment.MeanDistance(50))
	if err != nil {
		t.Fatal(err)
	}
	a := found.Answers[0]
	runs := a.Analyses[len(a.Analyses)-1].Runs
	low := found.Impractical
	if low.Low != 0.01 || low.High < 0.1 || low.High > 0.3 || runs > 1000 {
		t.Errorf("impractical %v, after %d runs", low, runs)
	}
	if len(a.NotMet) != 1 || a.NotMet[0].High != 100 || a.NotMet[0].Low > 0.3 || a.Decision(0.02) == study.NotMet {
		t.Errorf("not met %v, met %v", a.NotMet, a.Met)
	}
	s.RadiusKm = 0.7 // practical epsilons meet it
	s.MostRuns = 200
	if found, err = s.Find(t.Context(), s.Study.Experiment.MeanDistance(56)); err != nil ||
		found.Impractical != (study.Range{}) {
		t.Errorf("%v, %v", found.Impractical, err)
	}
}

// The demands are about the observer of the search's radius: the means are those of an experiment with that radius.
func TestSearchForAnotherRadius(t *testing.T) {
	base := paperStudy(t)
	s := study.Search{Study: base, Between: study.Range{0.2, 8}, Resolution: 1, Confidence: 0.9, MostRuns: 64,
		RadiusKm: 1.4}
	found, err := s.Find(t.Context(), base.Experiment.MeanDistance(50))
	if err != nil {
		t.Fatal(err)
	}
	e := *base.Experiment
	options := e.Options
	options.Adversary.RadiusKm = 1.4
	other, err := study.New(e.Scenario, e.Mission, options)
	if err != nil {
		t.Fatal(err)
	}
	s.Study.Experiment, s.RadiusKm = other, 0
	want, err := s.Find(t.Context(), other.MeanDistance(50))
	if err != nil {
		t.Fatal(err)
	}
	epsilons := []float64{0.2, 1, 3, 8}
	got, expected := found.Means(&found.Answers[0].Demand, epsilons), want.Means(&want.Answers[0].Demand, epsilons)
	if !slices.Equal(got, expected) {
		t.Errorf("means %v, want %v", got, expected)
	}
}
