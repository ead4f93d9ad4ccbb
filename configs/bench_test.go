package configs

import "testing"

// BenchmarkLoad is the settings of one call of the program.
func BenchmarkLoad(b *testing.B) {
	r := Request{Sets: []string{"privacy.epsilon=0.4"}, Overrides: []Override{{"vehicle.speed_km_s", "sweep", "1.75"}}}
	for b.Loop() {
		if _, err := Load(r); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWith is one more point of a sweep of the same settings.
func BenchmarkWith(b *testing.B) {
	base, err := Load(Request{Sets: []string{"privacy.epsilon=0.4"}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := base.With(Override{"vehicle.speed_km_s", "sweep", "1.75"}); err != nil {
			b.Fatal(err)
		}
	}
}
