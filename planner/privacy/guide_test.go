package privacy_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"veilpath/planner/privacy"
)

// The guide's page on choosing an epsilon says what delta is and how much noise it asks for.
func TestGuideSaysWhatDeltaCosts(t *testing.T) {
	text, err := os.ReadFile("../../assets/guide/epsilon.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := strings.Join(strings.Fields(string(text)), " ")
	for name, calibration := range map[string]privacy.Calibration{"classical": privacy.Classical,
		"analytic": privacy.Analytic} {
		row := "| sigma, " + name + " |"
		for _, delta := range []float64{0.1, 0.01, 1e-4, 1e-6} {
			g := privacy.Guarantee{Epsilon: 1, Delta: delta, Adjacency: 1, Calibration: calibration}
			sigma, err := g.Sigma()
			if err != nil {
				t.Fatal(err)
			}
			row += fmt.Sprintf(" %.3f |", sigma)
		}
		if !strings.Contains(guide, row) {
			t.Errorf("the guide does not have %q", row)
		}
	}
}
