//go:build unix

package study_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"veilpath/sim/study"
)

// BenchmarkTarget flies studies of the sizes that speed is stated for, on one worker, each with an experiment that
// remembers nothing yet. It tells user time too, which others on the machine disturb less. .ci/speed runs it on two
// versions.
func BenchmarkTarget(b *testing.B) {
	for _, at := range []struct {
		name           string
		runs, epsilons int
	}{
		{"flights=4000", 200, 20}, {"flights=100000", 5000, 20}, {"flights=1000000", 50000, 20}, {"epsilons=65", 1000, 65},
	} {
		b.Run(at.name, func(b *testing.B) {
			var used time.Duration
			for b.Loop() {
				b.StopTimer()
				s := paperStudy(b)
				s.Runs, s.Workers = at.runs, 1
				s.Epsilons = make([]float64, 0, at.epsilons)
				for i := range at.epsilons {
					s.Epsilons = append(s.Epsilons, 0.2+3.8*float64(i)/float64(at.epsilons-1))
				}
				before := userTime(b)
				b.StartTimer()
				if err := s.Do(context.Background(), func([]study.Run) error { return nil }); err != nil {
					b.Fatal(err)
				}
				used += userTime(b) - before
			}
			b.ReportMetric(used.Seconds()/float64(b.N), "user-s/op")
		})
	}
}

// userTime returns how long the processors have worked for this process.
func userTime(tb testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}
