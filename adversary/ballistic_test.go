package adversary_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// lagTolerance is relative. The closed form is at its worst just above the switch to the series, where
// x + expm1(-x) has lost a factor 2/x = 200 of its 1.1e-16.
const lagTolerance = 1e-13

// lagIntegral is the double integral of exp(-lambda t) as a single one. Its points suffice for
// exp(-100 t/T) to rounding.
func lagIntegral(lambda, T float64) float64 {
	const points = 120
	return quad.Fixed(func(t float64) float64 { return (T - t) * math.Exp(-lambda*t) }, 0, T, points, quad.Legendre{}, 0)
}

func TestLagIsTheModelsDoubleIntegral(t *testing.T) {
	for _, lambda := range []float64{0, 1e-9, 1e-4, 0.01, 0.03, 0.1, 0.5, 2} {
		for _, T := range []float64{1e-3, 0.1, 1, 7.3, 50} {
			want := lagIntegral(lambda, T)
			if got := (adversary.Ballistic{LambdaPerS: lambda}).Lag(T); !(math.Abs(got-want) <= lagTolerance*want) {
				t.Errorf("lambda %g, T %g: lag %.17g, integral %.17g", lambda, T, got, want)
			}
		}
	}
	if got := (adversary.Ballistic{LambdaPerS: 0.1}).Lag(0); got != 0 {
		t.Errorf("the lag over no time is %g", got)
	}
}

// distanceTolerance is absolute, km: a few roundings of positions of hundreds of km and of products of
// 100 s with velocities.
const distanceTolerance = 1e-11

// A flight that obeys the observer's model is foreseen exactly from its first step, so the prediction
// error stays at what the flight itself misses by.
func TestObserveForeseesItsOwnModel(t *testing.T) {
	const h, lambda, steps = 0.1, 0.07, 900
	r0, v0, a0 := r3.Vec{X: -150, Y: 20, Z: 8}, r3.Vec{X: 1.5, Y: 0.3, Z: -0.2}, r3.Vec{X: 0.02, Y: -0.05, Z: 0.01}
	target := r3.Vec{X: 1, Y: 2, Z: 3}
	history := sim.History{StepS: h}
	for i := range steps {
		s := float64(i) * h
		lag := s/lambda + math.Expm1(-lambda*s)/(lambda*lambda)
		history.Samples = append(history.Samples, sim.Sample{
			R: r3.Add(r0, r3.Add(r3.Scale(s, v0), r3.Scale(lag, a0))),
			V: r3.Sub(v0, r3.Scale(math.Expm1(-lambda*s)/lambda, a0)),
			A: r3.Scale(math.Exp(-lambda*s), a0),
		})
	}
	var errors adversary.PredictionErrors
	errors.Fill(adversary.NewBallisticObserver(lambda), &history, target)
	if len(errors.ErrorKm) != steps || len(errors.DistanceKm) != steps {
		t.Fatalf("%d errors and %d distances for %d samples", len(errors.ErrorKm), len(errors.DistanceKm), steps)
	}
	miss := r3.Norm(r3.Sub(history.Samples[steps-1].R, target))
	for i, s := range history.Samples {
		if !(math.Abs(errors.ErrorKm[i]-miss) <= distanceTolerance) {
			t.Fatalf("sample %d: prediction error %.15g, the flight misses by %.15g", i, errors.ErrorKm[i], miss)
		}
		if want := r3.Norm(r3.Sub(s.R, target)); !(math.Abs(errors.DistanceKm[i]-want) <= distanceTolerance) {
			t.Fatalf("sample %d: distance %.15g, want %.15g", i, errors.DistanceKm[i], want)
		}
	}
}

// On real flights prediction errors are Predict from every sample to the end of the flight. One observer watches
// flights of different steps and lengths, and changes its decay rate in between.
func TestObserveIsPredictAtEverySample(t *testing.T) {
	target := r3.Vec{}
	observer := adversary.NewBallisticObserver(0.1)
	var errors adversary.PredictionErrors
	for _, c := range []struct{ lambda, step float64 }{{0.1, 0.1}, {0.1, 0.25}, {0.03, 0.25}, {0, 0.1}} {
		observer.LambdaPerS = c.lambda
		for i, history := range flights(t, c.step) {
			errors.Fill(observer, history, target)
			for j, s := range history.Samples {
				T := history.Duration() - float64(j)*c.step
				want := r3.Norm(r3.Sub(observer.Predict(s.R, s.V, s.A, T), target))
				if !(math.Abs(errors.ErrorKm[j]-want) <= distanceTolerance*(1+T)) {
					t.Fatalf("%+v, flight %d, sample %d: error %.15g, predicted %.15g", c, i, j, errors.ErrorKm[j], want)
				}
			}
			last := len(history.Samples) - 1
			if errors.ErrorKm[last] != errors.DistanceKm[last] {
				t.Errorf("%+v, flight %d: at the end the error is %g, the distance %g", c, i, errors.ErrorKm[last],
					errors.DistanceKm[last])
			}
		}
	}
}

func TestObserveAllocatesNothingInSteadyState(t *testing.T) {
	all := flights(t, 0.1)
	observer := adversary.NewBallisticObserver(0.1)
	var errors adversary.PredictionErrors
	var curve adversary.Curve
	watch := func() {
		for _, history := range all {
			errors.Fill(observer, history, r3.Vec{})
			curve.Fill(&errors, 3, 0)
			curve.Detect(0.7)
		}
	}
	watch()
	if allocations := testing.AllocsPerRun(10, watch); allocations != 0 {
		t.Errorf("%g allocations", allocations)
	}
}

func ExampleBallistic_Predict() {
	observer := adversary.Ballistic{LambdaPerS: 0.1}
	r := observer.Predict(r3.Vec{X: -50}, r3.Vec{X: 1.5}, r3.Vec{Y: 0.1}, 20)
	fmt.Printf("%.3f %.3f %.3f km\n", r.X, r.Y, r.Z)
	// Output: -20.000 11.353 0.000 km
}

// Where the series of the lag takes over from the closed form it is exact to rounding: it is the sum over k of
// (-x)^k/(k+2)! times T^2.
func TestLagBelowTheSwitchIsExact(t *testing.T) {
	for _, x := range []float64{0.00999, 5e-3, 1e-3, 1e-5, 0} {
		const seconds = 2.
		term, sum := 0.5, 0.0
		for k := 1; k < 20; k++ {
			sum += term
			term *= -x / float64(k+2)
		}
		want := seconds * seconds * sum
		if got := (adversary.Ballistic{LambdaPerS: x / seconds}).Lag(seconds); !(math.Abs(got/want-1) <= 1e-15) {
			t.Errorf("lambda T of %g: a lag of %.17g s^2, want %.17g", x, got, want)
		}
	}
}
