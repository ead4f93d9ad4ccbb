package privacy

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
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

func relative(got, want float64) float64 { return math.Abs(got/want - 1) }

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

// Both calibrations and what the classical one truly attains, absolute to the
// three decimals that were computed independently.
func TestSigmaTable(t *testing.T) {
	const tolerance = 1e-3
	cases := []struct{ epsilon, delta, classical, analytic, attained float64 }{
		{0.1, 0.01, 23.476, 9.542, 0.017}, {0.2, 0.01, 11.843, 6.053, 0.070},
		{0.5, 0.01, 4.859, 3.147, 0.274}, {1, 0.01, 2.524, 1.878, 0.673},
		{2, 0.01, 1.349, 1.116, 1.554}, {4, 0.01, 0.749, 0.669, 3.430},
		{10, 0.01, 0.368, 0.350, 9.285},
		{0.1, 0.1, 13.194, 2.847, 0}, {0.2, 0.1, 6.777, 2.299, 0},
		{0.5, 0.1, 2.907, 1.556, 0.092}, {1, 0.1, 1.595, 1.086, 0.475},
		{2, 0.1, 0.914, 0.732, 1.360}, {4, 0.1, 0.548, 0.486, 3.261},
		{10, 0.1, 0.297, 0.282, 9.164}, {1.3, 0.1, 1.2851, 0.9381, 0.7306},
	}
	for _, c := range cases {
		classical, err1 := Classical.Sigma(c.epsilon, c.delta, 1)
		analytic, err2 := Analytic.Sigma(c.epsilon, c.delta, 1)
		attained, err3 := Epsilon(c.delta, classical, 1)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if math.Abs(classical-c.classical) > tolerance || math.Abs(analytic-c.analytic) > tolerance ||
			math.Abs(attained-c.attained) > tolerance {
			t.Errorf("epsilon %g delta %g: classical %.5f analytic %.5f attained %.5f, want %g %g %g",
				c.epsilon, c.delta, classical, analytic, attained, c.classical, c.analytic, c.attained)
		}
	}
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
				if math.Abs(back-epsilon) > 1e-12*math.Max(1, epsilon) {
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

// More privacy needs more noise; the exact calibration never needs more than
// the classical one; noise is proportional to sensitivity.
func TestSigmaOrder(t *testing.T) {
	for _, delta := range deltaGrid() {
		previous := math.Inf(1)
		for e := -3.0; e <= 3; e += 0.25 {
			epsilon := math.Pow(10, e)
			analytic, err1 := Analytic.Sigma(epsilon, delta, 1)
			double, err2 := Analytic.Sigma(epsilon, delta, 2)
			classical, err3 := Classical.Sigma(epsilon, delta, 1)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if !(analytic < previous) || !(analytic < classical) || double != 2*analytic {
				t.Errorf("epsilon %g delta %g: analytic %g, before %g, classical %g, doubled %g", epsilon, delta, analytic,
					previous, classical, double)
			}
			previous = analytic
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

// At the delta that epsilon 0 attains, epsilon is 0 exactly, not by a root that rounding moves; and next to it
// never negative.
func TestEpsilonAtTheDeltaOfZero(t *testing.T) {
	exact := 0
	for sigma := 0.1; sigma < 1e4; sigma *= 1.07 {
		a := 1 / sigma
		log := logDelta(-a/2, a)
		delta := math.Exp(log)
		got, err := Epsilon(delta, sigma, 1)
		if err != nil || !(got >= 0 && got < 1e-12) {
			t.Errorf("sigma %g: epsilon %g, %v", sigma, got, err)
		}
		if math.Log(delta) == log {
			exact++
			if got != 0 {
				t.Errorf("sigma %g: epsilon %g, want 0", sigma, got)
			}
		}
	}
	if exact == 0 {
		t.Error("no sigma of the test has a delta that is exact")
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

func TestCalibrationRefusesBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct {
		calibration                 Calibration
		epsilon, delta, sensitivity float64
		want                        string
	}{
		{"gaussian", 1, 0.1, 1, "calibration"},
		{Classical, 0, 0.1, 1, "epsilon"}, {Classical, -1, 0.1, 1, "epsilon"},
		{Analytic, nan, 0.1, 1, "epsilon"}, {Analytic, inf, 0.1, 1, "epsilon"},
		{Classical, 1, 0, 1, "delta"}, {Classical, 1, 0.5, 1, "delta"}, {Analytic, 1, 1, 1, "delta"},
		{Analytic, 1, nan, 1, "delta"}, {Analytic, 1, 0.1, 0, "sensitivity"},
		{Analytic, 1, 0.1, nan, "sensitivity"}, {Classical, 1, 0.1, inf, "sensitivity"},
		{Classical, 1e-300, 0.1, 1e300, "range"},
	}
	for _, c := range cases {
		_, err := c.calibration.Sigma(c.epsilon, c.delta, c.sensitivity)
		checkOneLine(t, err, c.want)
	}
	for _, sigma := range []float64{0, -1, nan, inf} {
		_, err := Delta(1, sigma, 1)
		checkOneLine(t, err, "sigma")
		_, err = Epsilon(0.1, sigma, 1)
		checkOneLine(t, err, "sigma")
		_, err = Classical.Epsilon(0.1, sigma, 1)
		checkOneLine(t, err, "sigma")
	}
	_, err := Delta(-1, 1, 1)
	checkOneLine(t, err, "epsilon")
	_, err = Classical.Epsilon(0.6, 1, 1)
	checkOneLine(t, err, "delta")
	_, err = Delta(1, 1e-300, 1e300)
	checkOneLine(t, err, "range")
	err = Calibration("Analytic").check()
	checkOneLine(t, err, "calibration")
}

// checkOneLine wants an error on one line that names the culprit.
func checkOneLine(t *testing.T, err error, culprit string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), culprit) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got error %v, want one line naming %q", err, culprit)
	}
}

// Noise so much larger or smaller than the sensitivity that their ratio is no number is refused, and not taken for
// a promise that costs nothing, or for none.
func TestRatiosThatLeaveTheFloatingPointRangeAreRefused(t *testing.T) {
	for _, c := range []struct{ sigma, sensitivity float64 }{{1e300, 1e-300}, {1e-300, 1e300},
		{math.MaxFloat64, math.SmallestNonzeroFloat64}} {
		if delta, err := Delta(1, c.sigma, c.sensitivity); err == nil {
			t.Errorf("sigma %g, sensitivity %g: delta %g, want an error", c.sigma, c.sensitivity, delta)
		}
		if epsilon, err := Epsilon(1e-6, c.sigma, c.sensitivity); err == nil {
			t.Errorf("sigma %g, sensitivity %g: epsilon %g, want an error", c.sigma, c.sensitivity, epsilon)
		}
	}
	if _, err := Delta(1, 1e150, 1e-150); err != nil {
		t.Error(err)
	}
}
