package privacy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
)

// publishedTolerance is for numbers printed with 15 or more digits.
const publishedTolerance = 1e-9

func TestCorollary1Figure(t *testing.T) {
	const agents, entries, delta, b = 2, 8, 0.01, 1.0
	c, err := MaxErrorBound(agents, entries)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range readTable(t, published+"fig_cor1_min_eps_vs_error.csv") {
		a := row[0]
		literal := 2*c*c*b*b/(4*a*a) + c*b*normalTailInverse(delta)/a
		got, err := CorollaryEpsilon(a, delta, b, agents, entries)
		if err != nil || relative(got, row[1]) > publishedTolerance || relative(got, literal) > 1e-14 {
			t.Errorf("A=%g: %.15g, %v; formula %.15g, published %.15g", a, got, err, literal, row[1])
		}
	}
}

// E max |z_j| of k standard normals: sqrt(2/pi) for one, 2/sqrt(pi) for two;
// the others were integrated with 30 digits.
func TestMaxErrorIndependent(t *testing.T) {
	for entries, want := range map[int]float64{1: 0.797884560802865356, 2: 1.12837916709551257, 3: 1.32638675527860946,
		8: 1.78336707788136325, 256: 3.04422549860844745, 6400: 3.91191123418973366, 1e12: 7.20753460082659586} {
		got, err := MaxErrorIndependent(1, entries)
		if err != nil || relative(got, want) > 1e-13 {
			t.Errorf("%d entries: %.17g, %v; want %.17g", entries, got, err, want)
		}
	}
}

// The bound, the exact value for independent entries, the correlated truth and
// the logarithmic bound, to the decimals computed independently (Monte Carlo
// standard error of that column at most 0.003).
func TestMaxErrorTable(t *testing.T) {
	draws := 20000
	if testing.Short() {
		draws = 2000
	}
	var n Noise
	for i, c := range []struct {
		states                               int
		actions                              []int
		bound, independent, correlated, logs float64
	}{
		{2, []int{2, 2}, 1.692, 1.261, 1.201, 1.665},
		{4, []int{2, 2}, 2.215, 1.469, 1.423, 1.862},
		{16, []int{4, 4}, 7.371, 2.153, 2.113, 2.498},
		{256, []int{5, 5}, 34.66, 2.766, 2.757, 3.075},
		{4, []int{2, 1}, 1.692, 1.261, 1.2358, 1.665},
	} {
		s := shape(t, c.states, c.actions)
		bound, err1 := MaxErrorBound(s.Agents(), s.JointEntries())
		independent, err2 := MaxErrorIndependent(s.Agents(), s.JointEntries())
		logs, err3 := MaxErrorLogBound(s.Agents(), s.JointEntries())
		n.Seek(Address{Seed: 3, Run: uint64(i)})
		limited := draws
		if c.states == 256 {
			limited = draws / 10
		}
		correlated, err4 := s.SimulatedMaxError(context.Background(), limited, &n, nil)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
		if relative(bound, c.bound) > 5e-4 || relative(independent, c.independent) > 5e-4 || relative(logs, c.logs) > 5e-4 {
			t.Errorf("%+v: bound %.4f, independent %.4f, logarithmic %.4f", c, bound, independent, logs)
		}
		if !(math.Abs(correlated.Mean-c.correlated) <= 3*math.Hypot(correlated.StandardError, 0.003)) {
			t.Errorf("%+v: correlated %.4f +- %.4f", c, correlated.Mean, correlated.StandardError)
		}
		if correlated.Mean > independent+3*correlated.StandardError || independent > math.Min(bound, logs) {
			t.Errorf("%+v: out of order", c)
		}
	}
}

func TestEpsilonForErrorInvertsSigma(t *testing.T) {
	for _, c := range []Calibration{Classical, Analytic} {
		for _, epsilon := range []float64{0.1, 1, 7} {
			sigma, err1 := c.Sigma(epsilon, 0.01, 2)
			back, err2 := EpsilonForError(c, 1.5, 1.5*sigma, 0.01, 2)
			if err := errors.Join(err1, err2); err != nil || relative(back, epsilon) > 1e-11 {
				t.Errorf("%s: epsilon %g came back as %.15g, %v", c, epsilon, back, err)
			}
		}
	}
}

func shape(t *testing.T, states int, actions []int) Shape {
	t.Helper()
	s, err := NewShape(states, actions)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ExampleMaxErrorBound() {
	// Example 2 of the paper: two agents, 256 joint states, 25 joint actions.
	bound, _ := MaxErrorBound(2, 6400)
	exact, _ := MaxErrorIndependent(2, 6400)
	logs, _ := MaxErrorLogBound(2, 6400)
	fmt.Printf("Theorem 3 %.2f sigma, exact %.3f sigma, logarithmic bound %.3f sigma\n", bound, exact, logs)
	// Output: Theorem 3 34.66 sigma, exact 2.766 sigma, logarithmic bound 3.075 sigma
}
