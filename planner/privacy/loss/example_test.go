package loss_test

import (
	"fmt"

	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
)

// Two Gaussian releases and two of which only the guarantee is known spend less together than the sum of their
// epsilons, which is 1 + 1 + 0.5 + 0.5 at a delta of 3e-6.
func ExampleEpsilon() {
	sigma, err := privacy.Analytic.Sigma(1, 1e-6, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	gaussian := loss.Gaussian{Mu: 1 / sigma}
	together := []loss.Loss{gaussian, gaussian, loss.Guarantee{Epsilon: 0.5}, loss.Guarantee{Epsilon: 0.5, Delta: 1e-6}}
	epsilon, err := loss.Epsilon(3e-6, together...)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", epsilon)
	// Output: 2.3302
}
