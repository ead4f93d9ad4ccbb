package privacy

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"
	"testing"
)

// published is where the numbers of the paper are.
const published = "../../assets/published/"

// readTable reads a CSV of numbers with a header row; an empty cell becomes NaN.
func readTable(t *testing.T, path string) [][]float64 {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table [][]float64
	for _, row := range rows[1:] {
		numbers := make([]float64, len(row))
		for i, cell := range row {
			if numbers[i], err = strconv.ParseFloat(cell, 64); cell == "" {
				numbers[i] = math.NaN()
			} else if err != nil {
				t.Fatal(err)
			}
		}
		table = append(table, numbers)
	}
	return table
}

// relative is the relative error of a number, +Inf for NaN.
func relative(got, want float64) float64 {
	if e := math.Abs(got/want - 1); e >= 0 {
		return e
	}
	return math.Inf(1)
}

// sigma.csv was computed with 60 digits by bisection on the definition
// (testdata/README.md). Qinv, exp and erfc each cost a few units in the last
// place, amplified by at most the 40 of d log sigma/d log Q in the far tail.
const sigmaTolerance = 2e-14

func TestSigmaAgainstReference(t *testing.T) {
	worst := 0.0
	for _, row := range readTable(t, "testdata/sigma.csv") {
		epsilon, delta := row[0], row[1]
		for i, c := range []Calibration{Classical, Analytic} {
			got, err := c.Sigma(epsilon, delta, 1)
			if err != nil {
				t.Fatal(err)
			}
			worst = max(worst, relative(got, row[2+i]))
			if relative(got, row[2+i]) > sigmaTolerance {
				t.Errorf("%s epsilon %g delta %g: sigma %.17g, want %.17g", c, epsilon, delta, got, row[2+i])
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

// delta(sigma(epsilon, delta)) = delta, relative. The curve's slope in the log
// of sigma reaches 300 at epsilon 1e3, which turns the rounding of sigma alone
// into 1e-13.
const roundTripTolerance = 1e-12

func TestDeltaInvertsSigma(t *testing.T) {
	worst := 0.0
	for e := -3.0; e <= 3; e += 0.125 {
		for i, delta := range deltaGrid() {
			epsilon := math.Pow(10, e)
			for k, sensitivity := range []float64{1, 0.37} {
				if k > 0 && i%4 > 0 { // sigma and sensitivity scale alike whatever delta is
					continue
				}
				sigma, err1 := Analytic.Sigma(epsilon, delta, sensitivity)
				got, err2 := Delta(epsilon, sigma, sensitivity)
				back, err3 := Analytic.Epsilon(delta, sigma, sensitivity)
				if err := errors.Join(err1, err2, err3); err != nil {
					t.Fatal(err)
				}
				worst = max(worst, relative(got, delta))
				if relative(got, delta) > roundTripTolerance {
					t.Errorf("epsilon %g: delta %g came back as %.17g", epsilon, delta, got)
				}
				// epsilon = a x + a^2/2 cancels for delta near its largest.
				if !(math.Abs(back-epsilon) <= 1e-12*math.Max(1, epsilon)) {
					t.Errorf("delta %g: epsilon %g came back as %.17g", delta, epsilon, back)
				}
			}
		}
	}
	t.Logf("largest relative error %.2g", worst)
}

func deltaGrid() []float64 {
	var grid []float64
	for d := -12.0; d < -0.4; d += 0.25 {
		grid = append(grid, math.Pow(10, d))
	}
	return append(grid, 0.4)
}

func TestClassicalEpsilonInvertsSigma(t *testing.T) {
	for _, epsilon := range []float64{1e-3, 0.2, 1, 17, 1e3} {
		for _, delta := range []float64{1e-12, 0.01, 0.4, 0.49} {
			sigma, err1 := Classical.Sigma(epsilon, delta, 2)
			back, err2 := Classical.Epsilon(delta, sigma, 2)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			if relative(back, epsilon) > 1e-13 {
				t.Errorf("epsilon %g came back as %.17g", epsilon, back)
			}
		}
	}
}

// At epsilon 0 the curve is the total variation distance 2 Phi(a/2) - 1.
func TestDeltaAtZeroEpsilon(t *testing.T) {
	for _, sigma := range []float64{1e-2, 0.3, 1, 10, 1e6} {
		got, err := Delta(0, sigma, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Erf(1 / (2 * math.Sqrt2 * sigma)); relative(got, want) > 1e-14 {
			t.Errorf("sigma %g: %.17g, want %.17g", sigma, got, want)
		}
	}
}

func TestEpsilonIsZeroWhenTotalVariationSuffices(t *testing.T) {
	if got, err := Epsilon(0.1, 13.194, 1); got != 0 || err != nil {
		t.Errorf("got %g, %v; want 0", got, err)
	}
}

// Far beyond the promised range the answers stay finite and in order.
func TestCurveExtremes(t *testing.T) {
	for _, c := range []struct{ epsilon, delta float64 }{
		{1e-300, 0.01}, {1e-12, 1e-12}, {1e5, 1e-300}, {1e-3, 1e-300}, {700, 0.999}, {1e-9, 1 - 1e-9},
	} {
		sigma, err1 := Analytic.Sigma(c.epsilon, c.delta, 1)
		if err1 != nil || !(sigma > 0) || math.IsInf(sigma, 0) {
			t.Errorf("%+v: sigma %g, %v", c, sigma, err1)
			continue
		}
		if got, err := Delta(c.epsilon, sigma, 1); err != nil || relative(got, c.delta) > 1e-8 {
			t.Errorf("%+v: delta came back as %g, %v", c, got, err)
		}
	}
	if got, err := Delta(1e6, 1e3, 1); got != 0 || err != nil {
		t.Errorf("hopelessly small delta is %g, %v; want 0", got, err)
	}
}
