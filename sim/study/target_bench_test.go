package study_test

import (
	"context"
	"testing"

	"veilpath/sim/study"
)

// BenchmarkTarget flies studies of the sizes that speed is stated for, on one worker.
func BenchmarkTarget(b *testing.B) {
	for _, at := range []struct {
		name string
		runs int
	}{{"flights=4000", 200}, {"flights=100000", 5000}, {"flights=1000000", 50000}} {
		b.Run(at.name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := paperStudy(b)
				s.Runs, s.Workers = at.runs, 1
				b.StartTimer()
				if err := s.Do(context.Background(), func([]study.Run) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
