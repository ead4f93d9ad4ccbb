package loss

import "testing"

func BenchmarkEpsilon(b *testing.B) {
	losses := []Loss{Gaussian{0.3}, Guarantee{0.2, 1e-7}, Guarantee{0.3, 1e-7}}
	for b.Loop() {
		if _, err := Epsilon(1e-6, losses...); err != nil {
			b.Fatal(err)
		}
	}
}
