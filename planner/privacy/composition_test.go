package privacy

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// k releases along k orthogonal directions are one release of a vector whose
// sensitivity is sqrt(k) times larger: the definition of the composition.
func TestReleasesAreOneOfLargerSensitivity(t *testing.T) {
	for _, k := range []int{1, 2, 9, 1000} {
		for _, c := range []Calibration{Classical, Analytic} {
			each, err1 := c.ReleasesSigma(k, 1.5, 0.01, 2)
			joint, err2 := c.Sigma(1.5, 0.01, 2*math.Sqrt(float64(k)))
			if err := errors.Join(err1, err2); err != nil || relative(each, joint) > 1e-14 {
				t.Errorf("%s k=%d: %g per release, %g for the vector, %v", c, k, each, joint, err)
			}
		}
	}
}

func TestBudgetOfReleasesInverts(t *testing.T) {
	for _, k := range []int{1, 2, 7, 100, 12345} {
		for _, epsilon := range []float64{0.01, 1, 30} {
			sigma, err1 := Analytic.ReleasesSigma(k, epsilon, 1e-6, 1)
			spent, err2 := ReleasesEpsilon(k, 1e-6, sigma, 1)
			delta, err3 := Delta(epsilon, sigma/math.Sqrt(float64(k)), 1)
			allowed, err4 := ReleasesAllowed(epsilon, 1e-6, sigma, 1)
			less, err5 := ReleasesAllowed(epsilon, 1e-6, sigma*(1-1e-6), 1)
			if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
				t.Fatal(err)
			}
			if relative(spent, epsilon) > 1e-11 || relative(delta, 1e-6) > 1e-11 || allowed != k || less != k-1 {
				t.Errorf("k=%d epsilon=%g: spends %.15g at delta %.15g, allows %d, slightly less noise %d", k, epsilon, spent,
					delta, allowed, less)
			}
		}
	}
}

// Noise below that of one release allows none, and endless noise as many as an int counts.
func TestReleasesAllowedAtItsEnds(t *testing.T) {
	if n, err := ReleasesAllowed(1, 0.1, 0.01, 1); n != 0 || err != nil {
		t.Errorf("too little noise allows %d releases, %v; want 0", n, err)
	}
	if n, err := ReleasesAllowed(1, 0.1, 1e200, 1); n != math.MaxInt || err != nil {
		t.Errorf("endless noise allows %d releases, %v; want the largest int", n, err)
	}
}

func ExampleReleasesEpsilon() {
	sigma, _ := Analytic.Sigma(1, 1e-5, 1)
	for _, flights := range []int{1, 4, 16} {
		epsilon, _ := ReleasesEpsilon(flights, 1e-5, sigma, 1)
		fmt.Printf("%d flights: epsilon %.3f\n", flights, epsilon)
	}
	// Output:
	// 1 flights: epsilon 1.000
	// 4 flights: epsilon 2.155
	// 16 flights: epsilon 4.746
}
