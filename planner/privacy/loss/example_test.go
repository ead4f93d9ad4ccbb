package loss_test

import (
	"fmt"

	"veilpath/planner/privacy"
	"veilpath/planner/privacy/loss"
)

// Two Gaussian releases, one with Laplace noise and one of which only the guarantee is known spend less together
// than the sum of their epsilons, which is 1 + 1 + 0.5 + 0.5 at a delta of 3e-6.
func ExampleBound_Epsilon() {
	sigma, err := privacy.Analytic.Sigma(1, 1e-6, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	gaussian := loss.Gaussian{Mu: 1 / sigma}
	together := []loss.Loss{gaussian, gaussian, loss.Laplace{Epsilon: 0.5}, loss.Guarantee{Epsilon: 0.5, Delta: 1e-6}}
	for _, bound := range []loss.Bound{loss.Upper, loss.Lower} {
		epsilon, err := bound.Epsilon(3e-6, together...)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.4f\n", epsilon)
	}
	// Output:
	// 2.3156
	// 2.3156
}
