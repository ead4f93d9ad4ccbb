package adversary_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// Observers that say they keep the altitude foresee that of a level flight, wherever it turns, and go by the present
// sample and the time to go alone.
func TestKeepsAltitude(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const altitude, n = 10., 50
	level := func() *sim.History {
		h := &sim.History{StepS: 0.1}
		for range n {
			around := func(x float64) float64 { return x * (2*random.Float64() - 1) }
			h.Samples = append(h.Samples, sim.Sample{R: r3.Vec{X: around(200), Y: around(200), Z: altitude}, V: r3.Vec{X: around(1.7), Y: around(1.7)}, A: r3.Vec{X: around(0.2), Y: around(0.2)}})
		}
		return h
	}
	origin := r3.Vec{X: 1, Y: 2, Z: 3}
	keeping := 0
	for _, m := range adversary.Models() {
		if m.KeepsAltitude != adversary.KeepsAltitude(m.Name) {
			t.Errorf("%s: KeepsAltitude is %v", m.Name, adversary.KeepsAltitude(m.Name))
		}
		if !m.KeepsAltitude {
			continue
		}
		keeping++
		o, err := m.New(adversary.Settings{LambdaPerS: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		one, other := level(), level()
		other.Samples[n-10] = one.Samples[n-10]
		var foreseen [2][n]r3.Vec
		o.Foresee(one, origin, foreseen[0][:])
		o.Foresee(other, origin, foreseen[1][:])
		for i, f := range foreseen[0] {
			if f.Z != altitude-origin.Z {
				t.Errorf("%s: sample %d: altitude %g, want %g", m.Name, i, f.Z, altitude-origin.Z)
			}
		}
		if foreseen[0][n-10] != foreseen[1][n-10] {
			t.Errorf("%s goes by other samples than the present one", m.Name)
		}
	}
	if keeping != 2 || adversary.KeepsAltitude("nobody") {
		t.Errorf("%d observers keep the altitude", keeping)
	}
}
