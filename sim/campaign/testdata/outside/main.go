// Command outside flies a mechanism and observers that veilpath knows nothing of through studies of flights, of costs
// and of leakage, and keeps each in a folder of the one that it is given.
package main

import (
	"context"
	"log"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
	"veilpath/sim/setup"
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

// guess names one place, whatever it sees.
type guess r3.Vec

func (g guess) Foresee(_ *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i := range foreseen {
		foreseen[i] = r3.Sub(r3.Vec(g), origin)
	}
}

// blind learns nothing from moves.
type blind struct{}

func (blind) Reset()                      {}
func (blind) See(_, _ int, _ bool)        {}
func (blind) LogLikelihoods(to []float64) { clear(to) }

func main() {
	ctx, folder := context.Background(), os.Args[1]
	program := campaign.Program{Version: "outside 1", Disk: record.Disk{}, Mechanism: planner.OnReward(laplace{}),
		Observer: adversary.Model{Name: "constant", Meaning: "names a place 20 km east of the target",
			New: func(adversary.Settings) (adversary.Observer, error) { return guess{X: 20}, nil }},
		GoalObservers: []adversary.GoalModel{{Name: "blind", Meaning: "learns nothing from moves",
			New: func(*adversary.Knowledge) (adversary.GoalObserver, error) { return blind{}, nil }}}}

	sets := []string{"planner.reward_weight=3", "adversary.radius_km=25", "study.epsilons=0.4,none", "study.runs=50"}
	_, err := program.Fly(ctx, campaign.Request{Settings: configs.Request{Sets: sets}}, filepath.Join(folder, "study"))
	must(err)

	settings, err := configs.Load(configs.Request{Sets: sets})
	must(err)
	leakage, err := program.NewLeak(ctx, campaign.LeakRequest{Settings: settings, Observers: "blind,moves",
		Epsilons: "0.4", Flights: 20, At: "50km", Radii: "25"})
	must(err)
	must(program.Do(ctx, leakage, filepath.Join(folder, "leak")))

	load := func(name string) (*configs.Loaded, error) {
		return configs.Load(configs.Request{Config: name, Sets: []string{"study.epsilons=0.5,2", "study.runs=50"}})
	}
	given, err := setup.Source{Whole: os.ReadFile, Load: load}.Problem("example1", setup.Choice{})
	must(err)
	costs, err := program.Costs(campaign.CostRequest{Given: given,
		Mechanisms: []planner.Mechanism{planner.Standard(), program.Mechanism}})
	must(err)
	must(program.Do(ctx, costs, filepath.Join(folder, "cost")))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
