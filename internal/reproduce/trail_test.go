package reproduce

import "testing"

func TestLinesAreForetoldExactly(t *testing.T) {
	at := func(sigma float64) []float64 { return []float64{1 + 2*sigma, -3 * sigma, 5} }
	var trail trail
	plain := at(0)
	if &trail.guess(4, plain)[0] != &plain[0] {
		t.Error("the first guess is not the values without noise")
	}
	for _, sigma := range []float64{8, 4, 2, 0.5} {
		if trail.known > 0 {
			for i, got := range trail.guess(sigma, plain) {
				if want := at(sigma)[i]; got != want {
					t.Errorf("sigma %g, state %d: %v, want %v", sigma, i, got, want)
				}
			}
		}
		trail.add(sigma, at(sigma))
	}
	trail.add(0.5, at(0.5))
	if got := trail.guess(3, plain); got[0] != at(0.5)[0] {
		t.Errorf("after twice the same sigma the guess is %v, want the values there", got)
	}
}
