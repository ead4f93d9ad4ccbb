package campaign_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/campaign"
	"veilpath/sim/record"
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
	program := &campaign.Program{Version: "my laplace 1", Disk: record.Disk{}, Mechanism: planner.OnReward(laplace{}),
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
	_, err = os.Stat(filepath.Join(folder, record.RunsName))
	fmt.Println("all runs are kept:", err == nil)
	// Output:
	// epsilon 0.4: recognised 70 km before the target (95 % interval 67 .. 71), at a cost of 14 %
	// epsilon 4: recognised 72 km before the target (95 % interval 70 .. 73), at a cost of 0 %
	// all runs are kept: true
}

// A program of another module flies mechanisms and observers of its own through studies of flights, costs and leakage.
// What comes of observers that see nothing is known beforehand.
func TestAnotherModuleBringsItsOwnParts(t *testing.T) {
	folder := t.TempDir()
	cmd := exec.Command("go", "run", "-mod=mod", ".", folder)
	cmd.Dir, cmd.Env = filepath.Join("testdata", "outside"), append(os.Environ(), "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for verb, files := range map[string]string{
		"study": "runs.parquet summary.csv figure.png figure.svg attribution.png",
		"leak":  "leakage.csv leakage.parquet recognition.csv leakage.json leakage.html figure.png",
		"cost":  "costs.csv costs.parquet figure.png request.json",
	} {
		m, err := record.ReadManifest(record.Disk{}, filepath.Join(folder, verb))
		if err != nil || !m.Complete || !strings.HasPrefix(m.Own, "mechanism laplace, observer constant") {
			t.Errorf("%s: %+v, %v", verb, m, err)
		}
		if err := record.CheckFiles(context.Background(), record.Disk{}, filepath.Join(folder, verb), m); err != nil {
			t.Error(err)
		}
		for name := range strings.FieldsSeq(files) {
			if m.Files[name] == "" {
				t.Errorf("%s: no %s", verb, name)
			}
		}
	}
	// A place 20 km off is right to 25 km from the third sample on, three steps of 0.17 km into the flight.
	from := configs.Default().Vehicle.StartKm
	start := r3.Norm(r3.Vec{X: from[0], Y: from[1], Z: from[2]})
	for _, row := range rows(t, filepath.Join(folder, "study", "summary.csv")) {
		for _, name := range []string{"mean_km", "direct_km"} {
			if km := number(t, row[name]); km > start || km < start-3*0.17 {
				t.Errorf("epsilon %s: %s is %g, the flights begin %g km from the target", row["epsilon"], name, km, start)
			}
		}
	}
	// Who learns nothing from moves knows no more than the prior before the hand-over could have come.
	for _, row := range rows(t, filepath.Join(folder, "leak", "leakage.csv")) {
		if row["observer"] == "blind" && row["flown_km"] == "0" && math.Abs(number(t, row["bits_learned"])) > 1e-9 {
			t.Errorf("who sees nothing learns %s bits", row["bits_learned"])
		}
	}
	costs := map[string]float64{}
	for _, row := range rows(t, filepath.Join(folder, "cost", "costs.csv")) {
		costs[row["mechanism"]+" "+row["epsilon"]] = number(t, row["cost_of_privacy"])
	}
	if c := costs; len(c) != 4 || !(c["laplace 0.5"] > c["laplace 2"]) || c["laplace 2"] == c["input 2"] {
		t.Errorf("costs %v", c)
	}
	// Only a program with the same parts goes on with the folder.
	var manifest struct {
		Version string `json:"version"`
	}
	text, err := os.ReadFile(filepath.Join(folder, "study", record.ManifestName))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	without := &campaign.Program{Version: manifest.Version, Disk: record.Disk{}}
	_, err = without.Fly(context.Background(), campaign.Request{}, filepath.Join(folder, "study"))
	if err == nil || !strings.Contains(err.Error(), "mechanism laplace") {
		t.Errorf("a program without the mechanism: %v", err)
	}
	if _, err = without.Read(context.Background(), filepath.Join(folder, "study")); err == nil ||
		!strings.Contains(err.Error(), "mechanism laplace") {
		t.Errorf("read by a program without the mechanism: %v", err)
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
