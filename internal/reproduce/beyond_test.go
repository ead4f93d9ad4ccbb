package reproduce_test

import (
	"math"
	"strings"
	"sync"
	"testing"

	"veilpath/internal/reproduce"
)

// beyond returns the result of the item beyond with few agents.
var beyond = sync.OnceValues(func() (worked, error) {
	s, err := presets(150)
	if err != nil {
		return worked{}, err
	}
	s.Example1.Agents = []int{2, 3}
	return workOn(s, []string{"beyond"})
})

// finding returns the rows of the finding of beyond whose title begins with title.
func finding(t *testing.T, title string) [][]string {
	t.Helper()
	w, err := beyond()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range w.results[0].Findings {
		if strings.HasPrefix(f.Title, title) {
			return f.Rows
		}
	}
	t.Fatalf("no finding is called %q", title)
	return nil
}

// reference compares a column of a finding with the numbers of another program.
func reference(t *testing.T, rows [][]string, column int, want []float64, tolerance float64) {
	t.Helper()
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		if got := leading(t, row[column]); math.Abs(got-want[i]) > tolerance {
			t.Errorf("row %d, column %d: %v, want %v", i, column, row[column], want[i])
		}
	}
}

// leading returns the number at the start of a cell.
func leading(t *testing.T, cell string) float64 {
	t.Helper()
	number, _, _ := strings.Cut(cell, " ")
	return float(t, number)
}

func TestBeyondAgainstAnotherProgram(t *testing.T) {
	const printed, simulated = 6e-4, 0.012 // three decimals; three standard errors of the simulations
	tight := finding(t, "How tight")
	reference(t, tight, 4, []float64{1.692, 2.215, 7.371, 34.66}, 6e-3)
	reference(t, tight, 5, []float64{1.665, 1.862, 2.498, 3.075}, printed)
	reference(t, tight, 6, []float64{1.261, 1.469, 2.153, 2.766}, printed)
	reference(t, tight, 7, []float64{1.201, 1.423, 2.113, 2.757}, simulated)

	noise := finding(t, "How much noise")
	reference(t, noise, 1, []float64{23.476, 11.843, 4.859, 2.524, 1.983, 1.349, 0.749, 0.368}, printed)
	reference(t, noise, 2, []float64{9.542, 6.053, 3.147, 1.878, 1.542, 1.116, 0.669, 0.350}, printed)
	reference(t, noise, 8, []float64{0, 0, 0.092, 0.475, 0.731, 1.360, 3.261, 9.1635}, printed)

	survival := finding(t, "What Theorem 5")
	reference(t, survival, 2, []float64{0.6261, 0.9961, 0.9995, 1, 0.9969}, 6e-5)
	reference(t, survival, 3, []float64{0.0032, 0.6663, 0.8999, 0.9988, 0.7011}, 6e-5)
	reference(t, survival, 5, []float64{0.0016, 0.9217, 0.9938, 1, 0.9371}, 0.025)

	few := finding(t, "Theorem 6 as stated")
	for i, want := range map[int]float64{0: 166.1, 1: 224.2, 2: 259.1, 3: 282.4, 4: 299.3, 8: 339.4} {
		const theirs = 0.6 // three standard errors of the other program
		if got := leading(t, few[i][1]); math.Abs(got-want) > theirs {
			t.Errorf("nm = %s: %v extra sweeps, want %v", few[i][0], got, want)
		}
		if violated := few[i][4] == "violated"; violated != (i <= 3) {
			t.Errorf("nm = %s: %s", few[i][0], few[i][4])
		}
	}
}

// At 2000 draws, output perturbation costs 43.4 % in Example 1 with two agents, and 20.9 % with the exact sensitivity.
func TestArtefactAgainstAnotherProgram(t *testing.T) {
	rows := finding(t, "How much of output")
	for column, want := range map[int]float64{2: 16.1, 3: 43.4, 4: 20.9} {
		mean, rest, _ := strings.Cut(rows[0][column], " ± ")
		const deviations = 4
		if d := math.Abs(float(t, mean) - want); d > deviations*1.1*float(t, rest) {
			t.Errorf("N = 2, column %d: %s, want %v", column, rows[0][column], want)
		}
	}
	// Example 2 with slips to other actions, gamma = 0.95, from the far corner, at epsilon 5 and 10, 300 draws
	for row, want := range map[int]map[int]float64{5: {2: 0.42, 4: 0.58}, 6: {2: 0.30, 4: 0.41}} {
		for column, w := range want {
			mean, rest, _ := strings.Cut(rows[row][column], " ± ")
			const deviations, rounding = 4, 0.005
			if d := math.Abs(float(t, mean) - w); d > deviations*1.2*float(t, rest)+rounding {
				t.Errorf("%s, column %d: %s, want %v", rows[row][1], column, rows[row][column], w)
			}
		}
	}
	if first := rows[2]; !strings.Contains(first[0], "Example 2") || leading(t, first[3]) < leading(t, first[4]) ||
		leading(t, first[4]) < leading(t, first[2]) {
		t.Errorf("Example 2 at ε = 1: %q; want output above exact above input", first)
	}
}

// Figures of findings are included among all figures.
func TestAllFigures(t *testing.T) {
	names := map[string]bool{}
	for _, r := range named(t) {
		for _, f := range r.AllFigures() {
			if names[f.Name] {
				t.Errorf("two figures are called %s", f.Name)
			}
			names[f.Name] = true
		}
	}
	for _, item := range reproduce.Items() {
		if !names[item.Name] && item.Name != "scalars" && item.Name != "beyond" && item.Name != "others" {
			t.Errorf("%s has no figure", item.Name)
		}
	}
	if !names["calibration"] || !names["counterexample"] {
		t.Errorf("figures %v", names)
	}
}
