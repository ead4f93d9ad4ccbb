package setup_test

import (
	"context"
	"fmt"

	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// The paper's study at two epsilons, in memory, with another recognition radius.
func ExampleStudy() {
	settings := configs.Default()
	settings.Adversary.RadiusKm = 1
	settings.Study.Epsilons, settings.Study.Axis, settings.Study.Runs = []float64{0.4, 4}, configs.Axis{}, 100

	experiment, err := setup.Experiment(settings)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := setup.Study(settings, experiment)
	sigmas, err := s.Sigmas()
	if err != nil {
		fmt.Println(err)
		return
	}
	tally := study.NewTally(s.Epsilons, sigmas)
	err = s.Do(context.Background(), func(runs []study.Run) error {
		tally.Add(runs)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("without privacy %.0f km\n", experiment.Baselines.Direct.DetectionKm)
	for _, s := range tally.Summaries() {
		fmt.Printf("epsilon %g, sigma %.2f: mean %.0f km, median %.0f km\n", s.Epsilon, s.Sigma, s.MeanKm, s.MedianKm)
	}
	// Output:
	// without privacy 112 km
	// epsilon 0.4, sigma 6.02: mean 53 km, median 63 km
	// epsilon 4, sigma 0.75: mean 60 km, median 63 km
}
