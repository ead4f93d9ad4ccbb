package study

import "context"

// Study is runs of an experiment at every epsilon of a list, and of a range if there is one.
type Study struct {
	Experiment *Experiment
	Epsilons   []float64 // each above 0, all different; None() is the plan without noise
	Runs       int       // per epsilon, >= 1
	Seed       uint64
	Noise      Noise
	// Axis is the range of epsilon on which every piece of every run is found and flown; zero for only the listed
	// epsilons, which otherwise must lie in it or be None(). The records are then those of the pieces, see
	// Listed.
	Axis    Range
	Workers int // goroutines; 0 for the number of cores
	// HiddenUntilKm is the distance for Summary.HiddenShare; 0 chooses it, see there. No record depends on it.
	HiddenUntilKm float64
}

// Sigmas returns the sigma of every epsilon.
func (s *Study) Sigmas() ([]float64, error) {
	sigmas := make([]float64, len(s.Epsilons))
	for i, epsilon := range s.Epsilons {
		sigma, err := s.Experiment.Sigma(epsilon)
		if err != nil {
			return nil, err
		}
		sigmas[i] = sigma
	}
	return sigmas, nil
}

// Do flies the study and passes its records to emit: all epsilons, or pieces, of run 0, then of run 1 and so
// on, in slices that end with a run and are reused after emit returns. The records are those of the Adversary;
// Watch also has those of further observers. Sweep.Fly explains order and errors.
func (s *Study) Do(ctx context.Context, emit func([]Run) error) error {
	return s.Watch(ctx, func(seen [][]Run) error { return emit(seen[0]) })
}

// Watch is Do with the records of every observer of the experiment: first the Adversary, then the Others.
func (s *Study) Watch(ctx context.Context, emit func(seen [][]Run) error) error {
	sweep := Sweep{Points: []Study{*s}, Workers: s.Workers}
	return sweep.Fly(ctx, sweep.Batches(), func(_ Batch, seen [][]Run) error { return emit(seen) })
}

// SeenBy returns the study as seen by one of the experiment's observers, see Experiment.SeenBy.
func (s *Study) SeenBy(observer int) Study {
	seen := *s
	seen.Experiment = s.Experiment.SeenBy(observer)
	return seen
}
