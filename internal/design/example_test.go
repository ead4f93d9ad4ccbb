package design_test

import (
	"context"
	"fmt"

	"veilpath/internal/design"
	"veilpath/planner/privacy"
)

// The noise of a guarantee by Lemma 1 of the paper, and the least noise that keeps it.
func ExampleQuestion() {
	q := design.Question{
		Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: 1, Calibration: privacy.Analytic},
		Releases:  1,
	}
	answers, err := q.Answer(context.Background(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range answers {
		if a.Name == "sigma_classical" || a.Name == "sigma_analytic" {
			fmt.Printf("%s %.3f: %s\n", a.Name, a.Value, a.Meaning)
		}
	}
	// Output: sigma_classical 4.856: noise that the paper's Lemma 1 requires
	// sigma_analytic 4.225: least noise that keeps the guarantee
}
