package assets

import "image/color"

// Palette is the one set of colours for figures, pages and the viewer. All colours are opaque.
type Palette struct {
	Background color.NRGBA // of the page
	Ink        color.NRGBA // titles and the lines that matter most: what happens without privacy
	Muted      color.NRGBA // everything that is read second: labels of ticks, notes, thin references
	Grid       color.NRGBA // grid lines and frames

	// Series tell quantities apart, also with the three kinds of colour blindness. The first is for
	// what is computed or flown privately, the second for what was published.
	Series [5]color.NRGBA

	ramp [7]color.NRGBA
}

// LightPalette is for paper and light pages.
func LightPalette() Palette {
	return Palette{
		Background: rgb(0xFFFFFF),
		Ink:        rgb(0x1B1E22),
		Muted:      rgb(0x59616B),
		Grid:       rgb(0xE3E6EA),
		Series:     [5]color.NRGBA{rgb(0x3C5FB7), rgb(0xAD471A), rgb(0x01A3AD), rgb(0xD28307), rgb(0x663559)},
		ramp: [7]color.NRGBA{
			rgb(0xF1F5FA), rgb(0xD0E0EF), rgb(0xA0C6E0), rgb(0x63A3CE), rgb(0x3A77B8), rgb(0x2A4B8D), rgb(0x1B2456),
		},
	}
}

// DarkPalette is for screens with a dark background; its colours mean the same as the light ones.
func DarkPalette() Palette {
	return Palette{
		Background: rgb(0x15181C),
		Ink:        rgb(0xECEEF1),
		Muted:      rgb(0xA6AEB7),
		Grid:       rgb(0x2E343B),
		Series:     [5]color.NRGBA{rgb(0x6F92EB), rgb(0xEC8F39), rgb(0x17D6CE), rgb(0xFAD765), rgb(0xA9788B)},
		ramp: [7]color.NRGBA{
			rgb(0x1C232D), rgb(0x20365A), rgb(0x2A5189), rgb(0x3E77B2), rgb(0x66A2CC), rgb(0xA3CBE1), rgb(0xE4F1F8),
		},
	}
}

// Ramp returns the colour of a magnitude t in [0, 1], from close to the background to farthest from it;
// its lightness changes in one direction only, so that it also reads in grey. Values outside, and NaN,
// give the nearer end.
func (p Palette) Ramp(t float64) color.NRGBA {
	last := len(p.ramp) - 1
	if !(t > 0) {
		return p.ramp[0]
	}
	if t >= 1 {
		return p.ramp[last]
	}
	at := t * float64(last)
	i := int(at)
	return Mix(p.ramp[i], p.ramp[i+1], at-float64(i))
}

// Mix returns the colour a share t in [0, 1] of the way from a to b.
func Mix(a, b color.NRGBA, t float64) color.NRGBA {
	channel := func(x, y uint8) uint8 { return uint8(float64(x) + t*(float64(y)-float64(x)) + 0.5) }
	return color.NRGBA{channel(a.R, b.R), channel(a.G, b.G), channel(a.B, b.B), channel(a.A, b.A)}
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xFF}
}
