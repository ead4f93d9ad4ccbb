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
	for _, other := range []struct {
		name string
		draw func() float64
		most float64 // of p; a uniform is found with such a p by 500 values in all but some of a thousand samples
	}{
		{"uniform", random.Float64, 0.01},
		{"exponential", random.ExpFloat64, 2e-4},
		{"one value", func() float64 { return 3 }, 2e-4},
		{"Cauchy", func() float64 { return random.NormFloat64() / random.NormFloat64() }, 2e-4},
	} {
		values := make([]float64, 2000)
		for i := range values {
			values[i] = other.draw()
		}
		if law := normalLaw(values); law.P > other.most {
			t.Errorf("%s: p %g, %g from a normal", other.name, law.P, law.Statistic)
		}
	}
	if normalLaw(make([]float64, fewestNormal-1)) != nil {
		t.Error("a few values are judged")
	}
}
