package privacy

import (
	"math"
	"testing"
)

// References were computed with 60 digits; 1e-14 relative is some fifty units
// in the last place, erfc and exp taking a few each.
const normalTolerance = 1e-14

func TestMills(t *testing.T) {
	cases := []struct{ t, ratio, deficit, logTail float64 }{
		{-3.5, 1145.6252961089604123, 4010.6885363813614431, -0.00023265614137680455218},
		{-1, 3.4770518117036944669, 4.4770518117036944669, -0.17275377902344988953},
		{0, 1.2533141373155002512, 1, -0.69314718055994530942},
		{0.3, 1.0018374009921557474, 0.69944877970235328691, -0.96210281816885065666},
		{1.9, 0.43764692878712088236, 0.16847083530447036238, -3.5502813255421345827},
		{2, 0.42136922928805447322, 0.15726154142389105355, -3.7831843336820319488},
		{2.5, 0.35426511132979366678, 0.11433722167551583304, -5.0816482772786904984},
		{5, 0.19280810471531576488, 0.035959476423421175613, -15.064998393988725736},
		{8.1, 0.1216552130764484768, 0.014592774080767381109, -35.830502890801471824},
		{30, 0.033296419072497213382, 0.0011074278250835985439, -454.32124395634319711},
		{200, 0.00499987500937382833, 0.000024998125234333993601, -20006.217280898190402},
	}
	for _, c := range cases {
		if got := mills(c.t); relative(got, c.ratio) > normalTolerance {
			t.Errorf("mills(%g) = %.17g, want %.17g", c.t, got, c.ratio)
		}
		if got := millsDeficit(c.t); relative(got, c.deficit) > normalTolerance {
			t.Errorf("millsDeficit(%g) = %.17g, want %.17g", c.t, got, c.deficit)
		}
		// log Q is near 0 on the left: absolute there, relative elsewhere.
		if got := logNormalTail(c.t); !(math.Abs(got-c.logTail) <= normalTolerance*math.Max(0.1, -c.logTail)) {
			t.Errorf("logNormalTail(%g) = %.17g, want %.17g", c.t, got, c.logTail)
		}
	}
}

func TestNormalTailInverse(t *testing.T) {
	for delta, want := range map[float64]float64{
		1e-300: 37.047096299361199237, 1e-12: 7.0344838253011319326, 0.001: 3.0902323061678135354,
		0.01: 2.3263478740408410931, 0.1: 1.2815515655446004353, 0.4: 0.25334710313579974132,
		0.5: 0, 0.75: -0.6744897501960817432, 0.999: -3.0902323061678132778,
	} {
		if got := normalTailInverse(delta); !(math.Abs(got-want) <= 1e-15*math.Max(1, math.Abs(want))) {
			t.Errorf("Qinv(%g) = %.17g, want %.17g", delta, got, want)
		}
	}
}

// A 16-point Gauss rule is exact for polynomials up to degree 31.
func TestGaussLegendreIsExactForPolynomials(t *testing.T) {
	for degree := range 32 {
		got := gaussLegendre(func(x float64) float64 { return math.Pow(x, float64(degree)) }, 0, 2)
		want := math.Pow(2, float64(degree+1)) / float64(degree+1)
		if relative(got, want) > 1e-14 {
			t.Errorf("degree %d: %.17g, want %.17g", degree, got, want)
		}
	}
}

func TestIntegrate(t *testing.T) {
	cases := []struct {
		name      string
		f         func(float64) float64
		low, high float64
		want      float64
	}{
		{"narrow peak", func(x float64) float64 { return normalDensity((x - 3) * 50) }, 0, 10, 0.02},
		{"kink", func(x float64) float64 { return math.Abs(x - math.Pi) }, 0, 4,
			(math.Pi*math.Pi + (4-math.Pi)*(4-math.Pi)) / 2},
		{"step", func(x float64) float64 { return math.Copysign(1, x-1.25) }, 0, 4, 1.5},
	}
	for _, c := range cases {
		if got := integrate(c.f, c.low, c.high, 0.5, 1e-13); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: %.17g, want %.17g", c.name, got, c.want)
		}
	}
}
