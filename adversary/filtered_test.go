package adversary

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// The gains of position, velocity and acceleration after some steps. They were computed by another program, which
// updates the covariance in Joseph's form.
func TestGainsOfTheFilter(t *testing.T) {
	for _, c := range []struct {
		lambda, step, noise float64
		steps               int
		want                [3]float64
	}{
		{0.1, 0.5, 0.01, 1, [3]float64{0.999900020407, 1.99960817398, 3.18321806726e-05}},
		{0.1, 0.5, 0.01, 40, [3]float64{0.616160705088, 0.578439571166, 0.257505268688}},
		{0, 1, 0.02, 40, [3]float64{0.653915236736, 0.339010753236, 0.0878770551308}}, // driven as if it decayed in a minute
	} {
		f := newFilter(Ballistic{c.lambda}, c.step, c.noise)
		var gain [3]float64
		for range c.steps {
			f.advance(r3.Vec{}, r3.Vec{}, r3.Vec{})
			gain = f.update()
		}
		for i, want := range c.want {
			if !(math.Abs(gain[i]/want-1) <= 1e-9) { // of so many steps, and of the digits of want
				t.Errorf("%+v: gain %d is %.12g, want %.12g", c, i, gain[i], want)
			}
		}
	}
	// A step of the state: a velocity of 1 and an acceleration that decays to half in it.
	f := newFilter(Ballistic{math.Ln2}, 1, 0.1)
	r, v, a := f.advance(r3.Vec{X: 1}, r3.Vec{X: 2}, r3.Vec{X: 4})
	wantV := 2 + 4*0.5/math.Ln2
	wantR := 1 + 2 + 4*(1/math.Ln2-0.5/(math.Ln2*math.Ln2))
	if !(math.Abs(r.X-wantR) <= 1e-14) || !(math.Abs(v.X-wantV) <= 1e-14) || !(math.Abs(a.X-2) <= 1e-15) {
		t.Errorf("a step leads to %v, %v, %v, want %v, %v, 2", r.X, v.X, a.X, wantR, wantV)
	}
}
