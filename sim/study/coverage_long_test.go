//go:build long

package study_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// sampled is many runs of a mission on a wide range of epsilon. Studies are drawn from it, and it is their truth.
type sampled struct {
	study study.Study
	runs  [][]study.Run // pieces of every run
}

// observedMission is a mission and who watches it.
type observedMission struct{ preset, observer string }

var populations = []observedMission{{"paper", "ballistic"}, {"paper", "mechanism"}, {"passage", "ballistic"},
	{"passage", "mechanism"}, {"three-goals", "ballistic"}}

// populationOf flies a population. Its observers of the goal believe in one epsilon, so that its runs have an axis.
func populationOf(t testing.TB, of observedMission, runs int) *sampled {
	t.Helper()
	loaded, err := configs.Load(configs.Request{Config: of.preset,
		Sets: []string{"adversary.observer=" + of.observer, "adversary.epsilon=1"}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := setup.Experiment(loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	p := &sampled{study: setup.Study(loaded.Config, e)}
	p.study.Epsilons, p.study.Axis, p.study.Runs = []float64{1}, study.Range{Low: 0.05, High: 20}, runs
	err = p.study.Do(context.Background(), func(records []study.Run) error {
		for i, r := range records {
			if i == 0 || r.Run != records[i-1].Run {
				p.runs = append(p.runs, nil)
			}
			p.runs[len(p.runs)-1] = append(p.runs[len(p.runs)-1], r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// coverage draws studies of so many runs and returns which share of their bands holds the whole curve of the population
// on a range, which share of the intervals of the means at some epsilons hold theirs, and the mean width of the bands,
// km.
func (p *sampled) coverage(axis study.Range, runs, studies int) (band, mean, widthKm float64) {
	s := p.study
	s.Axis = axis
	at := []float64{axis.Low, axis.High}
	truth := s.NewMeanCurve()
	for _, r := range p.runs {
		truth.Add(r)
	}
	curve := truth.Mean()
	random := rand.New(rand.NewPCG(1, uint64(runs)))
	var records []study.Run
	for range studies {
		drawn := s.NewMeanCurve()
		s.Epsilons = at
		tally, err := s.NewTally()
		if err != nil {
			panic(err)
		}
		for i := range runs {
			records = append(records[:0], p.runs[random.IntN(len(p.runs))]...)
			for k := range records {
				records[k].Run = i
			}
			drawn.Add(records)
			tally.Add(s.Listed(records, nil))
		}
		got := drawn.Curve(study.Confidence)
		inside := true
		for i := range got.Mean {
			inside = inside && (got.Low == nil || got.Low[i] <= curve.Mean[i] && curve.Mean[i] <= got.High[i])
			if got.Low != nil {
				widthKm += (got.High[i] - got.Low[i]) / float64(len(got.Mean)*studies)
			}
		}
		if inside {
			band += 1 / float64(studies)
		}
		for k, m := range tally.Summaries() {
			if want := curve.Mean[k*(len(curve.Mean)-1)]; m.CILowKm <= want && want <= m.CIHighKm {
				mean += 1 / float64(studies*len(at))
			}
		}
	}
	return band, mean, widthKm
}

var coverageRanges = []study.Range{{Low: 0.2, High: 4}, {Low: 0.05, High: 20}, {Low: 4, High: 20}, {Low: 0.2, High: 10}}

// BenchmarkCoverage says which share of b.N studies' bands hold the whole true curve, which share of their intervals
// hold the true means at both ends of the range, and how wide the bands are.
func BenchmarkCoverage(b *testing.B) {
	for _, of := range populations {
		p := populationOf(b, of, 20_000)
		for _, axis := range coverageRanges {
			for _, runs := range []int{10, 20, 30, 50, 100, 200, 256, 257, 300, 1000, 4000} {
				b.Run(fmt.Sprintf("%s/%s/%g..%g/%d", of.preset, of.observer, axis.Low, axis.High, runs), func(b *testing.B) {
					band, mean, width := p.coverage(axis, runs, b.N)
					b.ReportMetric(band, "band")
					b.ReportMetric(mean, "means")
					b.ReportMetric(width, "km")
				})
			}
		}
	}
}

// Bands and intervals hold what they should where runs are few and humps are rare.
func TestCoverageOfFewRuns(t *testing.T) {
	const studies, atLeast = 150, 0.88 // 94 % less three standard errors
	p := populationOf(t, observedMission{"paper", "ballistic"}, 2000)
	for _, axis := range []study.Range{{Low: 0.05, High: 20}, {Low: 4, High: 20}} {
		for _, runs := range []int{10, 20, 30, 300} {
			band, mean, width := p.coverage(axis, runs, studies)
			t.Logf("%g..%g, %d runs: bands %.3f, means %.3f, %.1f km", axis.Low, axis.High, runs, band, mean, width)
			if band < atLeast || mean < atLeast {
				t.Errorf("%g..%g, %d runs: %.3f of the bands hold, and %.3f of the means' intervals", axis.Low, axis.High, runs,
					band, mean)
			}
		}
	}
}

// errorCase is a demand on a population.
type errorCase struct {
	mission string
	demand  func(*study.Experiment) study.Demand
}

// errorCases have mean demands and quantile demands, of missions where the mean falls and where it does not, with
// limits that are crossed once, that are crossed twice, and that a flat part of the curve comes near to.
var errorCases = []errorCase{
	{"preset", func(e *study.Experiment) study.Demand { return e.MeanDistance(56) }},
	{"preset", func(e *study.Experiment) study.Demand { return e.MeanDistance(59.5) }},
	{"preset", func(*study.Experiment) study.Demand { return study.QuantileDistance(59.5, 0.3) }},
	{"preset", func(*study.Experiment) study.Demand { return study.QuantileDistance(30, 0.1) }},
	{"preset", func(e *study.Experiment) study.Demand { return e.MeanCost(0.1) }},
	{"wall", func(e *study.Experiment) study.Demand { return e.MeanDistance(30) }},
	{"wall", func(e *study.Experiment) study.Demand { return e.MeanDistance(39) }},
	{"wall", func(*study.Experiment) study.Demand { return study.QuantileDistance(30, 0.6) }},
	{"wall", func(*study.Experiment) study.Demand { return study.QuantileDistance(30, 0.9) }},
}

// countErrors makes searches of resampled runs and counts those that are wrong about any epsilon.
func countErrors(tb testing.TB, p *population, demand study.Demand, searches, mostRuns int) (wrong int,
	decided float64) {
	tb.Helper()
	truth := p.truth(demand.Of)
	for k := range searches {
		s := p.search(rand.New(rand.NewPCG(uint64(k), 27)), 0.02, mostRuns)
		a := &find(tb, s, demand).Answers[0]
		if truth.wrong(a) {
			wrong++
		}
		for _, r := range slices.Concat(a.Met, a.NotMet) {
			decided += math.Log(r.High/r.Low) / math.Log(p.on.High/p.on.Low) / float64(searches)
		}
	}
	return wrong, decided
}

// An answer is wrong about any epsilon in at most 5 % of the searches. At an error rate of 5 % the test fails for one
// of its nine cases with a probability of 3 %. BenchmarkSearchErrors makes more and longer searches.
func TestSearchSeldomErrs(t *testing.T) {
	const searches, most = 20, 5
	for _, c := range errorCases {
		p := smallPopulations[c.mission](t)
		demand := c.demand(p.experiment)
		wrong, decided := countErrors(t, p, demand, searches, 500)
		t.Logf("%s, %s at most %.3g: %d of %d searches are wrong; %.0f %% of the range is decided", c.mission, demand.Name,
			demand.Limit, wrong, searches, 100*decided)
		if wrong >= most || decided < 0.3 {
			t.Errorf("%s, %s at most %g: %d of %d searches are wrong, want fewer than %d; %.0f %% of the range is decided",
				c.mission, demand.Name, demand.Limit, wrong, searches, most, 100*decided)
		}
	}
}

// BenchmarkSearchErrors makes 1,000 searches of every case, of runs drawn from 20,000.
func BenchmarkSearchErrors(b *testing.B) {
	populations := map[string]*population{}
	for _, c := range errorCases {
		if populations[c.mission] == nil {
			populations[c.mission] = newPopulation(b, c.mission, 20_000)
		}
		p := populations[c.mission]
		demand := c.demand(p.experiment)
		b.Run(fmt.Sprintf("%s/%s<=%.3g", c.mission, demand.Name, demand.Limit), func(b *testing.B) {
			for b.Loop() {
				const searches = 1000
				wrong, decided := countErrors(b, p, demand, searches, 4000)
				b.ReportMetric(100*float64(wrong)/searches, "%wrong")
				b.ReportMetric(100*decided, "%decided")
			}
		})
	}
}
