package leak_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"veilpath/sim/leak"
)

// releasesCovered is how many of some studies of several flights to one goal have a mean within two standard errors of
// the truth, the mean of all, by the number of flights.
func releasesCovered(tb testing.TB, observer string, policies, studies, flights int, counts []int) []int {
	w := fewGoals(tb, nil, 16, 13, 10, 19, 6, 15)
	var all [][]leak.ReleasesRow
	truth := make([]float64, len(counts))
	for seed := range uint64(studies) {
		s := leak.Releases{Study: leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: w}),
			Observers: observers(observer),
			Flights:   flights, Policies: policies, Seed: seed}, Counts: counts}
		rows, err := s.Fly(context.Background(), ignore)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, rows)
		for k, row := range rows {
			truth[k] += row.Fresh.Mean / float64(studies)
		}
	}
	covered := make([]int, len(counts))
	for _, rows := range all {
		for k, row := range rows {
			if math.Abs(row.Fresh.Mean-truth[k]) <= 2*row.Fresh.StandardError {
				covered[k]++
			}
		}
	}
	return covered
}

// BenchmarkReleasesCoverage measures how often what several releases leave to learn lies within two standard errors of
// the truth, which 95 % of normal means do: in percent of 400 studies of 30 goals each, for one flight to a goal and
// for four.
func BenchmarkReleasesCoverage(b *testing.B) {
	for _, c := range []struct {
		observer string
		policies int
	}{{"moves", 0}, {"mechanism", 20}} {
		b.Run(c.observer, func(b *testing.B) {
			for range b.N {
				const studies = 400
				counts := []int{1, 4}
				for k, covered := range releasesCovered(b, c.observer, c.policies, studies, 30, counts) {
					b.ReportMetric(100*float64(covered)/studies, fmt.Sprintf("%%covered-%d", counts[k]))
				}
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}

// The standard errors of what several releases leave to learn are as large as the means scatter.
func TestReleasesCoverage(t *testing.T) {
	const studies = 40
	for k, covered := range releasesCovered(t, "moves", 0, studies, 15, []int{1, 4}) {
		// Of 95 % of 40, 33 or fewer come by chance in less than one case of 200.
		if covered <= 33 {
			t.Errorf("count %d: %d of %d means lie within two standard errors", k, covered, studies)
		}
	}
}

// BenchmarkLeakCoverage measures how many of 400 studies of flights at epsilon 1 have the bits that observers leave
// within two standard errors of the truth, in percent: the least over observers and distances flown.
func BenchmarkLeakCoverage(b *testing.B) {
	w := world(b, 80, nil)
	bits := func(flights int, seed uint64) []leak.Row {
		return fly(b, leak.Study{Ways: leak.Ways([]float64{1}, leak.Way{World: w}),
			Observers: slices.Concat(observers("geometry"), observers("moves"), observers("heading")), Flights: flights,
			FlownKm: []float64{20, 50, 100}, Seed: seed}).Rows()
	}
	for _, flights := range []int{20, 50, 100, 200, 400} {
		b.Run(fmt.Sprint(flights), func(b *testing.B) {
			truth := bits(20_000, 1<<40)
			for range b.N {
				const studies = 400
				hits := make([]int, len(truth))
				for seed := range uint64(studies) {
					for i, row := range bits(flights, seed) {
						if math.Abs(row.BitsLeft-truth[i].BitsLeft) <= 1.96*row.StandardError {
							hits[i]++
						}
					}
				}
				b.ReportMetric(100*float64(slices.Min(hits))/studies, "%covered")
				b.ReportMetric(0, "ns/op")
			}
		})
	}
}
