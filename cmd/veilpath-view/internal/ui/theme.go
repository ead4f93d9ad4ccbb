package ui

import (
	"image/color"
	"math"

	"veilpath/assets"
	"veilpath/cmd/veilpath-view/internal/draw"
)

// Theme is the colours and type of the viewer, made from the palette that figures and pages share.
type Theme struct {
	assets.Palette
	Dark     bool
	Panel    color.NRGBA // behind widgets and charts
	Raised   color.NRGBA // a button
	Hover    color.NRGBA // a button under the pointer
	Accent   color.NRGBA // what is switched on
	OnAccent color.NRGBA // text on it

	// Marks are the series' colours where they draw signs and write names: darkened or lightened until they can
	// be read on the background and on a panel.
	Marks [5]color.NRGBA

	Body, Small, Strong, Title, Headline draw.Style
}

// NewTheme returns the dark or the light theme.
func NewTheme(dark bool) Theme {
	t := Theme{
		Dark: dark, Palette: assets.LightPalette(),
		Body: draw.Style{Size: 13}, Small: draw.Style{Size: 12}, Strong: draw.Style{Bold: true, Size: 13},
		Title: draw.Style{Bold: true, Size: 15}, Headline: draw.Style{Bold: true, Size: 18},
	}
	t.Panel, t.OnAccent = rgb(0xF5F6F8), rgb(0xFFFFFF)
	if dark {
		t.Palette = assets.DarkPalette()
		t.Panel, t.OnAccent = rgb(0x1B1F24), rgb(0x10141A)
	}
	t.Accent = t.Series[0]
	t.Raised = assets.Mix(t.Panel, t.Ink, 0.08)
	t.Hover = assets.Mix(t.Panel, t.Ink, 0.16)
	for i, c := range t.Series {
		t.Marks[i] = t.Legible(c)
	}
	return t
}

// The colours of what is drawn, the same everywhere: of private flights, of what the observer makes of them, of
// waypoints, of where flights are recognised, and of settings that are compared with.
func (t *Theme) PrivateInk() color.NRGBA  { return t.Marks[0] }
func (t *Theme) ObserverInk() color.NRGBA { return t.Marks[1] }
func (t *Theme) WaypointInk() color.NRGBA { return t.Marks[2] }
func (t *Theme) CaughtInk() color.NRGBA   { return t.Marks[3] }
func (t *Theme) KeptInk() color.NRGBA     { return t.Marks[4] }

// textContrast is the least contrast of text, as WCAG 2.2 asks for at level AA.
const textContrast = 4.5

// Legible brings a colour as near to the ink as it takes to be read as text.
func (t *Theme) Legible(c color.NRGBA) color.NRGBA {
	for share := 0.0; share < 1; share += 0.02 {
		mixed := assets.Mix(c, t.Ink, share)
		if Contrast(mixed, t.Background) >= textContrast && Contrast(mixed, t.Panel) >= textContrast {
			return mixed
		}
	}
	return t.Ink
}

// Contrast returns the contrast of two opaque colours, from 1 to 21, as WCAG defines it.
func Contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a)+0.05, luminance(b)+0.05
	return math.Max(x/y, y/x)
}

func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// Faded returns a colour with the given opacity in [0, 1].
func Faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(float64(c.A)*opacity + 0.5)
	return c
}
