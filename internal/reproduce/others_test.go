package reproduce_test

import (
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/internal/reproduce"
)

var others = sync.OnceValues(func() (worked, error) {
	s, err := presets(100)
	if err != nil {
		return worked{}, err
	}
	return workOn(s, []string{"others"})
})

// What other papers say is judged, and numbers that could not be read are said not to be checked.
func TestStatementsOfOtherPapers(t *testing.T) {
	w, err := others()
	if err != nil {
		t.Fatal(err)
	}
	r := w.results[0]
	got := ""
	for _, s := range r.Statements {
		got += s.Verdict + " "
	}
	const want = "agrees cannot be checked agrees differs agrees agrees cannot be checked "
	if got != want {
		t.Errorf("verdicts %q, want %q", got, want)
	}
	guide, err := os.ReadFile("../../assets/guide/paper.md")
	if err != nil {
		t.Fatal(err)
	}
	nearest, _, _ := strings.Cut(r.Statements[3].Why, " bogus goal")
	if says := "o" + nearest[1:]; !strings.Contains(string(guide), says) {
		t.Errorf("the guide does not say %q", says)
	}
	words := reproduce.Words(w.results)
	for _, says := range []string{"Of 7 statements of other papers 4 agree", "All numbers of its two examples",
		"differs: The radius"} {
		if !strings.Contains(words, says) {
			t.Errorf("%q does not say %q", words, says)
		}
	}
	if strings.Contains(words, "0 numbers") {
		t.Errorf("%q counts numbers of the paper", words)
	}
	if w.done != w.announced {
		t.Errorf("%d units of progress, want %d", w.done, w.announced)
	}
}

// An epsilon is that of the two beta densities whose ratio decides: at it, delta is their excess by quadrature.
func TestEpsilonsOfConcentrations(t *testing.T) {
	w, err := others()
	if err != nil {
		t.Fatal(err)
	}
	s, err := presets(2)
	if err != nil {
		t.Fatal(err)
	}
	least := 1 - s.Example1.Team(1).Obedience
	for _, row := range w.results[0].Findings[1].Rows {
		k, epsilon := float(t, row[0]), float(t, row[2])
		if k < 3 || k > 300 {
			continue // too much at the ends, or too narrow, for the steps below
		}
		alpha, c := k*least, k*0.1/2
		one, two := distuv.Beta{Alpha: alpha + c, Beta: alpha}, distuv.Beta{Alpha: alpha, Beta: alpha + c}
		const steps = 400_000
		delta := 0.0
		for i := range steps { // in a variable that spreads out both ends
			u := (float64(i) + 0.5) / steps
			v := u * u * u * (10 - 15*u + 6*u*u)
			delta += max(0, one.Prob(v)-math.Exp(epsilon)*two.Prob(v)) * 30 * u * u * (1 - u) * (1 - u) / steps
		}
		if math.Abs(delta-0.01) > 3e-4 { // epsilon has three digits
			t.Errorf("k = %s: delta %g at epsilon %s, want 0.01", row[0], delta, row[2])
		}
	}
}
