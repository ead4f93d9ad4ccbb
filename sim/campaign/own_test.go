package campaign_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/record"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/campaign"
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

// onward supposes that flights end as far ahead of where they are as the observer says, km.
type onward float64

func (o onward) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	for i, s := range h.Samples {
		ahead := r3.Scale(float64(o)/r3.Norm(s.V), s.V)
		foreseen[i] = r3.Sub(r3.Add(s.R, ahead), origin)
	}
}

// A mechanism, an observer and a mission of one's own: flown on all cores, with intervals, into a folder that every
// verb of the command line reads.
func ExampleProgram_own() {
	folder, err := os.MkdirTemp("", "own")
	check(err)
	defer os.RemoveAll(folder)
	program := &campaign.Program{Version: "my laplace 1", Mechanism: planner.OnReward(laplace{}),
		Observer: adversary.Model{Name: "onward", Meaning: "sees the heading and supposes 60 km more",
			New: func(adversary.Settings) (adversary.Observer, error) { return onward(60), nil }}}
	mission := configs.Request{Sets: []string{"planner.keep_out=[[8,4,8,9]]", "vehicle.start_km=-190,-60,10",
		"adversary.radius_km=15", "study.epsilons=0.4,4", "study.runs=100"}}
	result, err := program.Fly(context.Background(), campaign.Request{Settings: mission}, folder)
	check(err)
	for _, s := range result.Summaries[0] {
		fmt.Printf("epsilon %g: recognised %.0f km before the target (95 %% interval %.0f .. %.0f), at a cost of %.0f %%\n",
			s.Epsilon, s.MeanKm, s.CILowKm, s.CIHighKm, 100*s.CostOfPrivacy)
	}
	_, err = os.Stat(filepath.Join(folder, "runs.parquet"))
	fmt.Println("all runs are kept:", err == nil)
	// Output:
	// epsilon 0.4: recognised 70 km before the target (95 % interval 67 .. 71), at a cost of 14 %
	// epsilon 4: recognised 72 km before the target (95 % interval 70 .. 73), at a cost of 0 %
	// all runs are kept: true
}

// blind learns nothing from moves.
type blind struct{}

func (blind) Reset()                      {}
func (blind) See(_, _ int, _ bool)        {}
func (blind) LogLikelihoods(to []float64) { clear(to) }

// Studies of flights, leakage and costs with parts of one's own are kept in folders, which say so, and only a program
// with the same parts goes on with them.
func TestOwnPartsAreKept(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	program := &campaign.Program{Version: "own 1", Mechanism: planner.OnReward(laplace{}),
		Observer: adversary.Model{Name: "onward",
			New: func(adversary.Settings) (adversary.Observer, error) { return onward(60), nil }},
		GoalObservers: []adversary.GoalModel{{Name: "blind",
			New: func(*adversary.Knowledge) (adversary.GoalObserver, error) { return blind{}, nil }}}}
	const own = "mechanism laplace, observer onward, observer of the goal blind"
	sets := []string{"study.epsilons=0.4,none", "study.runs=20"}
	if _, err := program.Fly(ctx, campaign.Request{Settings: configs.Request{Sets: sets}}, in("study")); err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(configs.Request{Sets: sets})
	if err != nil {
		t.Fatal(err)
	}
	leakage, err := campaign.NewLeak(ctx, program, campaign.LeakRequest{Settings: settings, Observers: "blind,moves",
		Epsilons: "0.4", Flights: 10, At: "50km", Radii: "25"})
	if err == nil {
		err = program.Do(ctx, leakage, in("leak"))
	}
	if err != nil {
		t.Fatal(err)
	}
	given, err := campaign.Problem("example1", configs.Request{Sets: []string{"study.epsilons=0.5,2", "study.runs=50"}})
	if err != nil {
		t.Fatal(err)
	}
	costs, err := campaign.NewCosts(program, campaign.CostRequest{Given: given,
		Mechanisms: []planner.Mechanism{planner.Standard(), program.Mechanism}})
	if err == nil {
		err = program.Do(ctx, costs, in("cost"))
	}
	if err != nil {
		t.Fatal(err)
	}
	for verb, name := range map[string]string{"study": "runs.parquet", "leak": "leakage.parquet",
		"cost": "costs.parquet"} {
		m, err := record.ReadManifest(in(verb))
		if err == nil {
			err = record.CheckFiles(ctx, in(verb), m)
		}
		if err != nil || !m.Complete || m.Own != own || m.Files[name] == "" {
			t.Errorf("%s: %+v, %v", verb, m, err)
		}
	}
	// Who learns nothing from moves knows no more than the prior before the hand-over could have come.
	for _, row := range rows(t, in("leak/leakage.csv")) {
		if row["observer"] == "blind" && row["flown_km"] == "0" && math.Abs(number(t, row["bits_learned"])) > 1e-9 {
			t.Errorf("who sees nothing learns %s bits", row["bits_learned"])
		}
	}
	if err := program.Do(ctx, leakage, in("cost")); !strings.Contains(fmt.Sprint(err), "holds other work") {
		t.Errorf("into the folder of another answer: %v", err)
	}
	without := &campaign.Program{Version: program.Version}
	if _, err := without.Fly(ctx, campaign.Request{}, in("study")); err == nil || !strings.Contains(err.Error(), own) {
		t.Errorf("gone on with by a program without them: %v", err)
	}
	if _, err := without.Read(ctx, in("study")); err == nil || !strings.Contains(err.Error(), own) {
		t.Errorf("read by a program without them: %v", err)
	}
}

// rows reads a table with a header.
func rows(t *testing.T, path string) (all []map[string]string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		all = append(all, row)
	}
	return all
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A program with an observer of its own has that one watch: several observers that settings name are refused, since it
// would stand for each of them under another name.
func TestOwnObserverIsOne(t *testing.T) {
	p := &campaign.Program{Version: "1", Observer: adversary.Model{Name: "onward",
		New: func(adversary.Settings) (adversary.Observer, error) { return onward(60), nil }}}
	_, err := p.Study(context.Background(), campaign.Request{Sweep: []record.Swept{{Key: "adversary.observer",
		Values: []any{"ballistic", "heading"}}}})
	var wrong *campaign.RequestError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "onward") {
		t.Errorf("two observers beside the program's own: %v", err)
	}
}
