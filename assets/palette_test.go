package assets

import (
	"fmt"
	"image/color"
	"math"
	"testing"
)

const (
	textContrast  = 4.5  // WCAG 2.2, success criterion 1.4.3
	lineContrast  = 2.95 // criterion 1.4.11 asks for 3; less half a step of an 8-bit channel
	leastDistance = 0.13 // in OKLab: some six just noticeable differences of about 0.02
)

// visions are the matrices of Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB.
var visions = map[string][3][3]float64{
	"full":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
	"tritanopia":   {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}},
}

var palettes = map[string]Palette{"light": LightPalette(), "dark": DarkPalette()}

func TestSeriesAreToldApartByEveryEye(t *testing.T) {
	for name, p := range palettes {
		for vision, matrix := range visions {
			for i, a := range p.Series {
				for j, b := range p.Series[:i] {
					if d := distance(oklab(seen(matrix, linear(a))), oklab(seen(matrix, linear(b)))); d < leastDistance {
						t.Errorf("%s palette, %s: series %d and %d are %.3f apart, want %v", name, vision, i, j, d, leastDistance)
					}
				}
			}
		}
	}
}

func TestContrastWithBackground(t *testing.T) {
	for name, p := range palettes {
		check := func(what string, c color.NRGBA, least float64) {
			if got := contrast(c, p.Background); got < least {
				t.Errorf("%s palette: %s has contrast %.2f, want %v", name, what, got, least)
			}
		}
		check("ink", p.Ink, textContrast)
		check("muted", p.Muted, textContrast)
		for i, c := range p.Series {
			check(fmt.Sprint("series ", i), c, lineContrast)
		}
	}
}

func TestRampLeavesTheBackgroundSteadily(t *testing.T) {
	const steps = 100
	for name, p := range palettes {
		background := oklab(linear(p.Background))[0]
		last := 0.0
		for i := range steps + 1 {
			away := math.Abs(oklab(linear(p.Ramp(float64(i) / steps)))[0] - background)
			if away <= last {
				t.Errorf("%s ramp at %d %%: lightness %.4f from the background, no farther than %.4f before", name, i, away, last)
			}
			last = away
		}
	}
}

func TestRampOutsideItsRange(t *testing.T) {
	p := LightPalette()
	for _, c := range []struct{ at, like float64 }{{math.NaN(), 0}, {math.Inf(-1), 0}, {-1, 0}, {2, 1}, {math.Inf(1), 1}} {
		if got, want := p.Ramp(c.at), p.Ramp(c.like); got != want {
			t.Errorf("Ramp(%v) = %v, want %v", c.at, got, want)
		}
	}
}

func linear(c color.NRGBA) [3]float64 {
	decode := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return [3]float64{decode(c.R), decode(c.G), decode(c.B)}
}

func seen(m [3][3]float64, c [3]float64) (out [3]float64) {
	for i, row := range m {
		for j, v := range row {
			out[i] += v * c[j]
		}
		out[i] = max(0, out[i])
	}
	return out
}

// oklab is Ottosson's (2020) perceptual space: lightness, green-red, blue-yellow.
func oklab(c [3]float64) [3]float64 {
	l := math.Cbrt(.4122214708*c[0] + .5363325363*c[1] + .0514459929*c[2])
	m := math.Cbrt(.2119034982*c[0] + .6806995451*c[1] + .1073969566*c[2])
	s := math.Cbrt(.0883024619*c[0] + .2817188376*c[1] + .6299787005*c[2])
	return [3]float64{
		.2104542553*l + .7936177850*m - .0040720468*s,
		1.9779984951*l - 2.4285922050*m + .4505937099*s,
		.0259040371*l + .7827717662*m - .8086757660*s,
	}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func contrast(a, b color.NRGBA) float64 {
	luminance := func(c color.NRGBA) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
