package reproduce_test

import (
	"math"
	"slices"
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

// found returns the values of a quantity of a finding, in settings that end with one of the given texts.
func found(t *testing.T, name, quantity string, settings ...string) (values []reproduce.Finding) {
	t.Helper()
	w, err := beyond()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range reproduce.Findings(w.results) {
		fits := func(setting string) bool { return strings.HasSuffix(f.Setting, setting) }
		if f.Name == name && f.Quantity == quantity && (len(settings) == 0 || slices.ContainsFunc(settings, fits)) {
			values = append(values, f)
		}
	}
	return values
}

// All numbers are those of another program: see the columns of the table for the draws of its simulations.
func TestBeyondAgainstAnotherProgram(t *testing.T) {
	const printed, simulated = 6e-4, 0.012 // three decimals; three standard errors of the simulations
	const tight, noise, goal, sweeps = "tightness of Theorem 3", "noise of Lemma 1", "Theorem 5 in Example 2",
		"extra sweeps of Theorem 6"
	for _, test := range []struct {
		name, quantity string
		tolerance      float64
		want           []float64
		settings       []string
	}{
		{tight, "Theorem 3", 6e-3, []float64{1.692, 2.215, 7.371, 34.66}, nil},
		{tight, "logarithmic bound", printed, []float64{1.665, 1.862, 2.498, 3.075}, nil},
		{tight, "independent, exact", printed, []float64{1.261, 1.469, 2.153, 2.766}, nil},
		{tight, "as they are, simulated", simulated, []float64{1.201, 1.423, 2.113, 2.757}, nil},
		{noise, "σ of Lemma 1", printed, []float64{23.476, 11.843, 4.859, 2.524, 1.349, 0.749, 0.368, 13.194, 6.777, 2.907,
			1.595, 0.914, 0.548, 0.297}, []string{"ε = 0.1", "ε = 0.2", "ε = 0.5", "ε = 1", "ε = 2", "ε = 4", "ε = 10"}},
		{noise, "σ, exact", printed, []float64{9.542, 6.053, 3.147, 1.878, 1.116, 0.669, 0.350, 2.847, 2.299, 1.556, 1.086,
			0.732, 0.486, 0.282}, []string{"ε = 0.1", "ε = 0.2", "ε = 0.5", "ε = 1", "ε = 2", "ε = 4", "ε = 10"}},
		{noise, "ε that Lemma 1 attains", printed, []float64{0, 0, 0.092, 0.475, 0.731, 1.360, 3.261, 9.1635},
			[]string{"δ = 0.1, ε = 0.1", "δ = 0.1, ε = 0.2", "δ = 0.1, ε = 0.5", "δ = 0.1, ε = 1", "δ = 0.1, ε = 1.3",
				"δ = 0.1, ε = 2", "δ = 0.1, ε = 4", "δ = 0.1, ε = 10"}},
		{goal, "Theorem 5", 6e-5, []float64{0.6261, 0.9961, 0.9995, 1, 0.9969}, nil},
		{goal, "one agent, exact", 6e-5, []float64{0.0032, 0.6663, 0.8999, 0.9988, 0.7011}, nil},
		{goal, "joint goal, simulated", 0.025, []float64{0.0016, 0.9217, 0.9938, 1, 0.9371}, nil},
		// three standard errors of the other program
		{sweeps, "exact", 0.6, []float64{166.1, 224.2, 259.1, 282.4, 299.3, 339.4},
			[]string{"= 1", "= 2", "= 4", "= 8", "= 16", "= 256"}},
		{sweeps, "as stated", 0.5, []float64{1, 195, 243, 282, 318, 456},
			[]string{"= 1", "= 2", "= 4", "= 8", "= 16", "= 256"}},
		{sweeps, "as proved", 0.5, []float64{219, 270, 296, 321, 347, 464},
			[]string{"= 1", "= 2", "= 4", "= 8", "= 16", "= 256"}},
	} {
		got := found(t, test.name, test.quantity, test.settings...)
		if len(got) != len(test.want) {
			t.Errorf("%s, %s: %d numbers, want %d", test.name, test.quantity, len(got), len(test.want))
			continue
		}
		for i, f := range got {
			if !(math.Abs(f.Value-test.want[i]) <= test.tolerance) {
				t.Errorf("%s, %s, %s: %v, want %v", f.Name, f.Quantity, f.Setting, f.Value, test.want[i])
			}
		}
	}
}

// The costs of output perturbation are those of another program, which drew 2000 and 300 samples.
func TestArtefactAgainstAnotherProgram(t *testing.T) {
	const world = "slip to other-actions, γ = 0.95, start (15, 15), b = 1, ε = "
	const deviations, rounding = 4.5, 0.005
	for quantity, want := range map[string]map[string]float64{
		"input (%)":            {"N = 2": 16.1, "N = 3": 16.1, world + "5": 0.42, world + "10": 0.30},
		"output, L1 bound (%)": {"N = 2": 43.4, "N = 3": 85.2, world + "3": 61.6, world + "5": 16.1, world + "10": 1.59},
		"output, exact L2 (%)": {"N = 2": 20.9, "N = 3": 38.6, world + "5": 0.58, world + "10": 0.41},
	} {
		for setting, mean := range want {
			got := found(t, "cost of output perturbation", quantity, setting)
			if len(got) != 1 || !(math.Abs(got[0].Value-mean) <= deviations*1.2*got[0].SE+rounding) {
				t.Errorf("%s, %s: %+v, want %v", quantity, setting, got, mean)
			}
		}
	}
}
