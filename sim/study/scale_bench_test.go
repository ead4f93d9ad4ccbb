package study_test

import (
	"context"
	"fmt"
	"testing"

	"veilpath/sim/study"
)

// BenchmarkCommonNoise measures by what factor sharing noise reduces the variance of the difference of
// the mean detection distance between neighbouring epsilons: as many flights fewer are needed to see it.
func BenchmarkCommonNoise(b *testing.B) {
	for _, pair := range [][2]float64{{0.2, 0.4}, {1, 1.2}, {3.8, 4}} {
		b.Run(fmt.Sprintf("epsilon=%g-%g", pair[0], pair[1]), func(b *testing.B) {
			var variance [2]float64
			for b.Loop() {
				for i, noise := range []study.Noise{study.Independent, study.Common} {
					s := paperStudy(b)
					s.Epsilons, s.Runs, s.Noise = pair[:], 2000, noise
					variance[i] = varianceOfDifference(b, s)
				}
			}
			b.ReportMetric(variance[0]/variance[1], "times-less-variance")
		})
	}
}

// varianceOfDifference returns the sample variance of the difference between a study's two epsilons.
func varianceOfDifference(b *testing.B, s study.Study) float64 {
	var n, sum, squares float64
	err := s.Do(context.Background(), func(records []study.Run) error {
		for i := 0; i < len(records); i += 2 {
			d := records[i+1].DetectionKm - records[i].DetectionKm
			n, sum, squares = n+1, sum+d, squares+d*d
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return (squares - sum*sum/n) / (n - 1)
}

// BenchmarkTally counts and condenses the paper's records.
func BenchmarkTally(b *testing.B) {
	s := paperStudy(b)
	var records []study.Run
	if err := s.Do(context.Background(), func(r []study.Run) error {
		records = append(records, r...)
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	sigmas, err := s.Sigmas()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			study.NewTally(s.Epsilons, sigmas).Add(records)
		}
	})
	b.Run("summarise", func(b *testing.B) {
		t := study.NewTally(s.Epsilons, sigmas)
		t.Add(records)
		for b.Loop() {
			t.Summaries()
		}
	})
}
