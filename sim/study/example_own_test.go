package study_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/study"
)

// laplace adds Laplace noise of scale adjacency over epsilon to every reward.
type laplace struct{}

func (laplace) Name() string    { return "laplace" }
func (laplace) Meaning() string { return "every reward gets Laplace noise" }

func (laplace) Privatize(dst []float64, r *privacy.Rewards, g privacy.Guarantee, noise *privacy.Noise) error {
	for i, reward := range r.Joint {
		u := noise.Uniform() - 0.5
		dst[i] = reward - g.Adjacency/g.Epsilon*math.Copysign(math.Log1p(-2*math.Abs(u)), u)
	}
	return nil
}

// onward supposes that flights end straight ahead, so many km from where they are.
type onward float64

func (o onward) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i, s := range h.Samples {
		foreseen[i] = r3.Sub(r3.Add(s.R, r3.Scale(float64(o), r3.Unit(s.V))), origin)
	}
}

// A mechanism, an observer and a mission of one's own, flown on all cores, with intervals and files.
func Example() {
	settings := configs.Default() // of the paper, except for a wall and the start
	settings.Planner.KeepOut = [][]int{{8, 4, 8, 9}}
	settings.Vehicle.StartKm = [3]float64{-190, -60, 10}
	scenario := settings.Scenario()
	mission, err := planner.NewMission(settings.Mission(), scenario.Start, scenario.Target)
	check(err)
	observer := adversary.Model{Name: "onward", Meaning: "sees the heading and supposes 60 km more",
		New: func(adversary.Settings) (adversary.Observer, error) { return onward(60), nil }}
	experiment, err := study.New(scenario, mission, study.Options{
		Guarantee: settings.Guarantee(),
		Mechanism: planner.OnReward(laplace{}),
		Adversary: study.Adversary{Observer: observer, RadiusKm: 15, Rule: adversary.InARow(3)},
	})
	check(err)
	s := study.Study{Experiment: experiment, Epsilons: []float64{0.4, 4}, Runs: 100, Seed: 1, Noise: study.Common}
	tally, err := s.NewTally()
	check(err)
	var flights []study.Run
	check(s.Do(context.Background(), func(runs []study.Run) error {
		tally.Add(runs)
		flights = append(flights, runs...)
		return nil
	}))
	for _, s := range tally.Summaries() {
		fmt.Printf("epsilon %g: recognised %.0f km before the target (95 %% interval %.0f .. %.0f), at a cost of %.0f %%\n",
			s.Epsilon, s.MeanKm, s.CILowKm, s.CIHighKm, 100*s.CostOfPrivacy)
	}
	file, err := os.CreateTemp("", "runs-*.csv") // study.WriteSummaries writes the means
	check(err)
	defer os.Remove(file.Name())
	check(study.WriteRuns(file, flights))
	check(file.Close())
	// Output:
	// epsilon 0.4: recognised 70 km before the target (95 % interval 67 .. 71), at a cost of 14 %
	// epsilon 4: recognised 72 km before the target (95 % interval 70 .. 73), at a cost of 0 %
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
