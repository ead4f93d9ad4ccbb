package audit

import (
	"math/rand/v2"
	"testing"
)

// Normals of any mean and deviation are called others as seldom as the probability says, and others are found.
func TestNormalLaw(t *testing.T) {
	const samples, rate = 400, 0.1
	random := rand.New(rand.NewPCG(3, 4))
	alarms := 0
	for range samples {
		values := make([]float64, 60)
		for i := range values {
			values[i] = 1e6 + 1e-3*random.NormFloat64()
		}
		if normalLaw(values).P < rate {
			alarms++
		}
	}
	const most = 58 // of 400 at 0.1, with a probability of 0.999
	if alarms > most || alarms < 22 {
		t.Errorf("%d of %d samples of a normal are called others at %g", alarms, samples, rate)
	}
	for name, draw := range map[string]func() float64{
		"uniform":     random.Float64,
		"exponential": random.ExpFloat64,
		"one value":   func() float64 { return 3 },
		"Cauchy":      func() float64 { return random.NormFloat64() / random.NormFloat64() },
	} {
		values := make([]float64, 2000)
		for i := range values {
			values[i] = draw()
		}
		if law := normalLaw(values); law.P > 2e-4 {
			t.Errorf("%s: p %g, %g from a normal", name, law.P, law.Statistic)
		}
	}
	if normalLaw(make([]float64, fewestNormal-1)) != nil {
		t.Error("a few values are judged")
	}
}
