// Command outside flies a mechanism and observers that veilpath knows nothing of through studies of flights, of leakage
// and of costs, beside the Gaussian mechanism. It writes what comes of them as CSV into the folder that it is given,
// and studies of flights and of costs as whole folders of files.
package main

import (
	"context"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/campaign"
	"veilpath/sim/cost"
	"veilpath/sim/leak"
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

// constant names one place, whatever it sees.
type constant r3.Vec

func (c constant) Foresee(_ *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i := range foreseen {
		foreseen[i] = r3.Sub(r3.Vec(c), origin)
	}
}

// blind learns nothing from moves.
type blind struct{}

func (blind) Reset()                      {}
func (blind) See(_, _ int, _ bool)        {}
func (blind) LogLikelihoods(to []float64) { clear(to) }

var mechanisms = map[string]planner.Mechanism{"laplace": planner.OnReward(laplace{}), "gauss": planner.Standard()}

func main() {
	folder, settings := os.Args[1], configs.Default()
	for name, m := range mechanisms {
		flights(settings, m, 25, filepath.Join(folder, name))
		flights(settings, m, 15, filepath.Join(folder, name+"-strict"))
		leakage(settings, m, filepath.Join(folder, name))
	}
	corridor(filepath.Join(folder, "costs.csv"))
	kept(filepath.Join(folder, "kept"))
	keptCosts(filepath.Join(folder, "kept-costs"))
}

// flights has an observer of some radius guess that they end 20 km from the target.
func flights(c configs.Config, m planner.Mechanism, radiusKm float64, folder string) {
	scenario := c.Scenario()
	mission, err := planner.NewMission(c.Mission(), scenario.Start, scenario.Target)
	must(err)
	guess := adversary.Model{Name: "constant", Meaning: "names a place 20 km east of the target",
		New: func(adversary.Settings) (adversary.Observer, error) {
			return constant(r3.Add(scenario.Target, r3.Vec{X: 20})), nil
		}}
	e, err := study.New(scenario, mission, study.Options{Guarantee: c.Guarantee(), Mechanism: m,
		Adversary: study.Adversary{Observer: guess, RadiusKm: radiusKm, Rule: adversary.Stays}})
	must(err)
	s := study.Study{Experiment: e, Epsilons: []float64{0.4, 4, study.None()}, Runs: 50, Seed: 1, Noise: study.Common}
	tally, err := s.NewTally()
	must(err)
	var all []study.Run
	must(s.Do(context.Background(), func(runs []study.Run) error {
		tally.Add(runs)
		all = append(all, runs...)
		return nil
	}))
	write(filepath.Join(folder, "runs.csv"), func(w io.Writer) error { return study.WriteRuns(w, all) })
	write(filepath.Join(folder, "summary.csv"),
		func(w io.Writer) error { return study.WriteSummaries(w, tally.Summaries()) })
}

// kept makes the study of flights with Laplace noise a folder that an interrupted study goes on in.
func kept(folder string) {
	program := &campaign.Program{Version: "outside 1", Mechanism: mechanisms["laplace"]}
	settings := configs.Request{Sets: []string{"study.epsilons=0.4,4", "study.runs=20"}}
	_, err := program.Fly(context.Background(), campaign.Request{Settings: settings}, folder)
	must(err)
}

// keptCosts measures in a folder what Laplace noise costs the paper's Example 1.
func keptCosts(folder string) {
	program := &campaign.Program{Version: "outside 1", Mechanism: mechanisms["laplace"]}
	given, err := campaign.Problem("example1", configs.Request{Sets: []string{"study.epsilons=1,100", "study.runs=50"}})
	must(err)
	work, err := campaign.NewCosts(program, campaign.CostRequest{Given: given,
		Mechanisms: []planner.Mechanism{program.Mechanism}})
	must(err)
	must(program.Do(context.Background(), work, folder))
}

// leakage says what observers learn about which of three goals is flown to.
func leakage(c configs.Config, m planner.Mechanism, folder string) {
	ctx := context.Background()
	setting := leak.Setting{Scenario: c.Scenario(), Spec: c.Mission(), Guarantee: c.Guarantee(), Mechanism: m}
	cell := func(column, row int) int { return row*c.Planner.Columns + column }
	world, err := leak.NewWorld(ctx, setting, []int{cell(16, 11), cell(3, 15), cell(15, 3)}, nil, 0, func(int) {})
	must(err)
	observers := []adversary.GoalModel{{Name: "blind", Meaning: "learns nothing from moves",
		New: func(*adversary.Knowledge) (adversary.GoalObserver, error) { return blind{}, nil }}}
	for _, name := range []string{"moves", "mechanism", "progress", "learned"} {
		model, err := adversary.FindGoalModel(name)
		must(err)
		observers = append(observers, model)
	}
	s := leak.Study{Ways: leak.Ways([]float64{0.4}, leak.Way{World: world}), Observers: observers, Flights: 30,
		FlownKm: []float64{0, 50}, RadiiKm: []float64{25}, InARow: 3, Policies: 20, Training: 100, Seed: 1}
	result, err := s.Fly(ctx, func(int) {})
	must(err)
	for _, sheet := range result.Sheets() {
		write(filepath.Join(folder, sheet.Name+".csv"), sheet.WriteCSV)
	}
}

// corridor measures what the mechanisms cost in a corridor of five rooms.
func corridor(path string) {
	const rooms = 5
	law, err := mdp.NewModel(rooms, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: min(s+a, rooms-1), Probability: 1}}
	})
	must(err)
	rewards := []float64{-1, -1, -1, -1, -1, -1, -1, -1, 0, 0}
	p, err := planner.NewProblem(law, [][]float64{rewards}, 0.9, 0, []int32{rooms - 1})
	must(err)
	solved, err := p.Solve(1e-9, 0)
	must(err)
	s := cost.Study{Problem: solved, Mechanisms: []planner.Mechanism{mechanisms["laplace"], mechanisms["gauss"]},
		Guarantee: privacy.Guarantee{Delta: 1e-3, Adjacency: 0.5, Calibration: privacy.Analytic},
		Epsilons:  []float64{1, 10}, Seed: 1}
	facts, err := s.Facts()
	must(err)
	tally := cost.NewTally(facts, 0)
	for rows, err := range s.Rows(context.Background(), 0, 200) {
		must(err)
		tally.Add(rows)
	}
	write(path, cost.Table(tally.Summaries()).WriteCSV)
}

// write writes a file in a folder that need not be there.
func write(path string, content func(io.Writer) error) {
	must(os.MkdirAll(filepath.Dir(path), 0o777))
	file, err := os.Create(path)
	must(err)
	must(content(file))
	must(file.Close())
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
