package sim_test

import (
	"encoding/csv"
	"go/parser"
	"go/token"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
)

// public are the packages that programs of other modules may build on, with those below planner and sim/campaign.
var public = []string{"adversary", "configs", "guidance", "planner", "sim", "sim/campaign", "sim/cost", "sim/leak",
	"sim/study"}

// A program of another module flies a mechanism and observers of its own through studies of flights, leakage and costs,
// and writes files, with the public packages alone. What comes of observers that see nothing is known beforehand.
func TestAnotherModuleBringsItsOwnParts(t *testing.T) {
	program := filepath.Join("testdata", "outside")
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(program, "main.go"), nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if name, ours := strings.CutPrefix(path, "veilpath/"); ours && !slices.Contains(public, name) &&
			!strings.HasPrefix(name, "planner/") && !strings.HasPrefix(name, "sim/campaign/") {
			t.Errorf("the program imports %s, which is not public", name)
		}
	}
	folder := t.TempDir()
	cmd := exec.Command("go", "run", ".", folder)
	cmd.Dir, cmd.Env = program, append(os.Environ(), "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	read := func(names ...string) []map[string]string {
		return csvRows(t, filepath.Join(folder, filepath.Join(names...)))
	}

	// A place 20 km off is right to 25 km from the start on and never to 15 km.
	c := configs.Default().Scenario()
	const runs, rounding = 50, 1e-12 // relative
	for suffix, want := range map[string]float64{"": r3.Norm(r3.Sub(c.Start, c.Target)), "-strict": 0} {
		for _, mechanism := range []string{"laplace", "gauss"} {
			all := read(mechanism+suffix, "runs.csv")
			if len(all) != 3*runs {
				t.Errorf("%s%s: %d runs, want %d at each of 3 epsilons", mechanism, suffix, len(all), runs)
			}
			for _, row := range append(all, read(mechanism+suffix, "summary.csv")...) {
				for _, name := range []string{"detection_km", "mean_km", "planned_km", "direct_km"} {
					if text, there := row[name]; there && !(math.Abs(cell(t, text)-want) <= rounding*want) {
						t.Errorf("%s%s: %s is %s km, want %g", mechanism, suffix, name, text, want)
					}
				}
			}
		}
	}

	// What the mechanisms cost differs, falls with epsilon, and is nothing without noise.
	laplace, gauss := read("laplace", "summary.csv"), read("gauss", "summary.csv")
	for i, row := range laplace {
		own, other := cell(t, row["cost_of_privacy"]), cell(t, gauss[i]["cost_of_privacy"])
		private := row["epsilon"] != "none"
		if (own != other) != private || (own > 0) != private || cell(t, row["sigma"]) != 0 {
			t.Errorf("epsilon %s costs %g with Laplace noise, of sigma %s, and %g with normal", row["epsilon"], own,
				row["sigma"], other)
		}
	}
	costs := map[string]float64{}
	for _, row := range read("costs.csv") {
		costs[row["mechanism"]+" "+row["epsilon"]] = cell(t, row["cost_of_privacy"])
	}
	kept := read("kept-costs", "costs.csv")
	if len(kept) != 2 || cell(t, kept[0]["cost_of_privacy"]) <= cell(t, kept[1]["cost_of_privacy"]) {
		t.Errorf("costs in a folder: %v", kept)
	}
	if len(costs) != 4 || costs["laplace 1"] <= costs["laplace 10"] || costs["laplace 1"] == costs["input 1"] {
		t.Errorf("costs %v", costs)
	}

	// The folder names the mechanism, and holds a row for each epsilon.
	manifest, err := os.ReadFile(filepath.Join(folder, "kept", "manifest.json"))
	if err != nil || !strings.Contains(string(manifest), `"mechanism laplace"`) {
		t.Errorf("the manifest does not name the mechanism: %v\n%s", err, manifest)
	}
	if rows := read("kept", "summary.csv"); len(rows) != 2 || rows[0]["runs"] != "20" {
		t.Errorf("the summary of the folder holds %v", rows)
	}

	// Who learns nothing from moves has the prior of three goals before the flight, others learn more.
	for _, mechanism := range []string{"laplace", "gauss"} {
		learned := map[string]float64{}
		for _, row := range read(mechanism, "leakage.csv") {
			learned[row["observer"]+" "+row["flown_km"]] = cell(t, row["bits_learned"])
		}
		if !(math.Abs(learned["blind 0"]) <= rounding) || learned["moves 50"] <= learned["blind 50"] ||
			learned["moves 50"] > math.Log2(3) {
			t.Errorf("%s: learned %v bits", mechanism, learned)
		}
		for _, observer := range []string{"mechanism", "progress", "learned"} { // who know any mechanism there is
			if bits := learned[observer+" 50"]; !(bits > learned["blind 50"] && bits <= math.Log2(3)) {
				t.Errorf("%s: %s has learned %v bits, blind %v", mechanism, observer, bits, learned["blind 50"])
			}
		}
	}
}

// csvRows reads a table with a header.
func csvRows(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func cell(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
