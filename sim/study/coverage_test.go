package study_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
