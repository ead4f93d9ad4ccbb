package panel

import (
	"image/color"
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Table is names with their values, a row each. Texts that are too long for a column take more lines.
type Table [][2]string

// tableLine is the height of a line, and tableAir what a row is higher than its lines, points.
const tableLine, tableAir = 16, 3

// row is a row of the table in lines, and the height that it takes.
func (t Table) row(l *draw.List, theme *ui.Theme, i int, width float64) (names, values []string, height float64) {
	first := nameWidth(width)
	names, values = l.Wrap(theme.Small, t[i][0], first-layout.Pad), l.Wrap(theme.Small, t[i][1], width-first)
	return names, values, tableLine*float64(max(len(names), len(values))) + tableAir
}

// nameWidth is how much of a width the names have, points.
func nameWidth(width float64) float64 {
	const share = 0.65
	return math.Floor(share * width)
}

// Draw writes as many rows as an area has room for, and returns how many.
func (t Table) Draw(l *draw.List, theme *ui.Theme, r draw.Rect) int {
	for n := range t {
		names, values, height := t.row(l, theme, n, r.W)
		if height > r.H {
			return n
		}
		write := func(lines []string, area draw.Rect, align draw.Align, ink color.NRGBA) {
			l.Lines(theme.Small, draw.Rect{X: area.X, Y: area.Y, W: area.W, H: tableLine}, align, ink, lines)
		}
		write(names, r, draw.Left, theme.Muted)
		write(values, r.Trim(nameWidth(r.W), 0, 0, 0), draw.Right, theme.Ink)
		r = r.Trim(0, height, 0, 0)
	}
	return len(t)
}
