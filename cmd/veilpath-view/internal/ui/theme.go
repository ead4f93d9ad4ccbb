package ui

import (
	"image/color"

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

	Body, Small, Strong, Title, Headline draw.Style
}

// NewTheme returns the dark or the light theme.
func NewTheme(dark bool) Theme {
	t := Theme{
		Dark: dark, Palette: assets.LightPalette(),
		Body: draw.Style{Size: 12}, Small: draw.Style{Size: 10.5}, Strong: draw.Style{Size: 12, Bold: true},
		Title: draw.Style{Size: 14, Bold: true}, Headline: draw.Style{Size: 17, Bold: true},
	}
	t.Panel, t.OnAccent = rgb(0xF5F6F8), rgb(0xFFFFFF)
	if dark {
		t.Palette = assets.DarkPalette()
		t.Panel, t.OnAccent = rgb(0x1B1F24), rgb(0x10141A)
	}
	t.Accent = t.Series[0]
	t.Raised = assets.Mix(t.Panel, t.Ink, 0.08)
	t.Hover = assets.Mix(t.Panel, t.Ink, 0.16)
	return t
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xFF}
}

// Faded returns a colour with the given opacity in [0, 1].
func Faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(float64(c.A)*opacity + 0.5)
	return c
}
