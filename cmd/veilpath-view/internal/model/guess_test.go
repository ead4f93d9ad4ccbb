package model

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/sim"
)

// The curve of a flight on show has a fraction of its samples, and where the error is looked up between its places it
// is that of the flight. All flights of the ensemble have one that begins and ends where the flight does.
func TestGuessCurves(t *testing.T) {
	c := configs.Default()
	c.Study.Runs = 5
	m, err := New(c, Workers{}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	m.Work()
	m.Advance(0)
	f := m.Flight()
	curve := f.Guess()
	if len(curve) > len(f.Samples)/4 {
		t.Errorf("%d places of %d samples", len(curve), len(f.Samples))
	}
	left := 0.0
	for i := len(f.Samples) - 2; i > 0; i-- {
		left += r3.Norm(r3.Sub(f.Samples[i+1].R, f.Samples[i].R))
		want, nearest := math.Log10(math.Max(leastErrorKm, f.Errors.ErrorKm[i])), math.Inf(1)
		for k := 1; k < len(curve); k++ {
			a, b := &curve[k-1], &curve[k]
			if left > float64(a.LeftKm)+guessOffKm || left < float64(b.LeftKm)-guessOffKm {
				continue
			}
			share := 0.0
			if d := float64(b.LeftKm - a.LeftKm); d != 0 {
				share = math.Max(0, math.Min(1, (left-float64(a.LeftKm))/d))
			}
			at := func(p *GuessPoint) float64 { return math.Log10(math.Max(leastErrorKm, float64(p.ErrorKm))) }
			nearest = math.Min(nearest, math.Abs(at(a)+share*(at(b)-at(a))-want))
		}
		const steep = 0.1 // decades, within guessOffKm of where the error jumps
		if before := math.Log10(math.Max(leastErrorKm, f.Errors.ErrorKm[i-1])); nearest > steep &&
			math.Abs(before-want) < 0.01 {
			t.Errorf("%.2f km before the end the curve is %.3f decades off", left, nearest)
		}
	}
	for run, member := range m.Ensemble.Members {
		curve := member.Guess()
		if len(curve) < 2 || curve[len(curve)-1].LeftKm != 0 || curve[0].DistanceKm < 100 {
			t.Errorf("run %d has %d places", run, len(curve))
		}
	}
}

// A moment without a guess breaks the curve.
func TestCurveBreaksWithoutAGuess(t *testing.T) {
	var samples []sim.Sample
	for x := range 5 {
		samples = append(samples, sim.Sample{R: r3.Vec{X: float64(10 * x)}})
	}
	inf := math.Inf(1)
	curve := guessOf(samples, []float64{1, 1, inf, 2, 2}, r3.Vec{X: 40})
	var errors []float32
	for _, p := range curve {
		errors = append(errors, p.ErrorKm)
	}
	if len(curve) != 5 || !math.IsInf(float64(errors[2]), 1) || errors[1] != 1 || errors[3] != 2 || curve[3].LeftKm != 10 {
		t.Errorf("%v", curve)
	}
}
