package study

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// Study is runs of an experiment at every epsilon of a list.
type Study struct {
	Experiment *Experiment
	Epsilons   []float64 // each finite and above 0
	Runs       int       // per epsilon, >= 1
	Seed       uint64
	Noise      Noise
	Workers    int // goroutines; 0 for as many as there are cores
}

// chunkRecords is about how many records a worker flies between two hand-overs: some 25 ms of work, so
// that neither the channel nor a cancellation is noticed.
const chunkRecords = 256

// Sigmas returns the noise level of every epsilon.
func (s *Study) Sigmas() ([]float64, error) {
	sigmas := make([]float64, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		sigma, err := s.Experiment.Mechanism.Sigma(epsilon)
		if err != nil {
			return nil, err
		}
		sigmas[i] = sigma
	}
	return sigmas, nil
}

// Do flies the study and passes its records to emit, all epsilons of run 0, then of run 1 and so on, in
// slices that end with a run and are reused after emit returns. The records and their order are the same
// whatever the number of workers. When the context ends, Do stops soon, having emitted the runs up to
// some number without a gap, and returns the context's error; an error of emit ends it likewise.
func (s *Study) Do(ctx context.Context, emit func([]Run) error) error {
	if len(s.Epsilons) == 0 || s.Runs < 1 {
		return fmt.Errorf("study: %d epsilons x %d runs, want at least one of each", len(s.Epsilons), s.Runs)
	}
	sigmas, err := s.Sigmas()
	if err != nil {
		return err
	}
	workers := s.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	flyers := make([]*Flyer, workers)
	for i := range flyers {
		if flyers[i], err = s.Experiment.NewFlyer(); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := newLine(max(1, chunkRecords/len(s.Epsilons)), s.Runs, workers)
	var working sync.WaitGroup
	for _, f := range flyers {
		working.Go(func() { s.work(ctx, l, f, sigmas) })
	}
	go func() { working.Wait(); close(l.done) }()
	return l.deliver(ctx, cancel, emit)
}

// work flies chunks until none are left or the context ends.
func (s *Study) work(ctx context.Context, l *line, f *Flyer, sigmas []float64) {
	for {
		c, ok := l.take(ctx)
		if !ok {
			return
		}
		for run := c.first; run < c.end; run++ {
			for i, epsilon := range s.Epsilons {
				draw := Draw{Seed: s.Seed, Run: run, Noise: s.Noise, Epsilon: epsilon}
				c.records = append(c.records, f.Fly(draw, sigmas[i]))
			}
		}
		l.done <- c
	}
}
