package screen

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// whatItIs says what there is to see, and how to work it.
const whatItIs = "The vehicle flies from waypoint to waypoint by a policy that was planned for rewards with noise on " +
	"them, so that nobody can tell the true ones: that is ε-differential privacy. An observer extrapolates the flight, " +
	"and has recognised the target when its guesses lie within ρ of it for some steps in a row. At the dashed circle " +
	"privacy ends and the vehicle heads for the target. The map shows where flights are recognised, the chart below it " +
	"why: how far off the guess is. At the right ε is chosen, with what it costs."

const howTo = "Drag the orange line for the radius, the chart at the right for ε, the green line for a demand; click " +
	"a line or a dot to see that flight; drag in the chart of the guess to go to a moment. Drop a folder that veilpath " +
	"study or run wrote, or a configuration, to open it."

// drawHelp covers the view with what there is to see, how to work it, and the keys. A click closes it.
func (s *Screen) drawHelp(l *draw.List) {
	const row, keyRow, widest, inside = 18., 20., 780., 20.
	t, w := s.Theme(), s.Layout.Window
	width := math.Min(widest, w.W-2*inside-8)
	lines := slices.Concat(l.Wrap(t.Body, whatItIs, width), []string{""}, l.Wrap(t.Body, howTo, width), []string{""})
	strokes := s.strokes()
	columns := max(1, int(width/300))
	rows := (len(strokes) + columns - 1) / columns
	height := 30 + row*float64(len(lines)) + keyRow*float64(rows)
	if height+2*inside > w.H {
		height, strokes = 30+row*float64(len(lines)), nil
	}
	l.Rect(w, ui.Faded(t.Background, 0.7))
	inner := draw.Rect{X: w.Center().X - width/2, Y: math.Max(inside, w.Center().Y-height/2), W: width, H: height}
	l.Frame(inner.Inset(-inside+2), 8, 1, t.Muted, t.Panel)
	head, rest := inner.CutTop(30)
	l.TextIn(t.Headline, head, draw.Left, t.Ink, "A flight with a secret destination")
	l.Lines(t.Body, draw.Rect{X: rest.X, Y: rest.Y, W: rest.W, H: row}, draw.Left, t.Muted, lines)
	for i, stroke := range strokes {
		at := draw.Rect{X: rest.X + width/float64(columns)*float64(i/rows), W: width / float64(columns), H: keyRow,
			Y: rest.Y + row*float64(len(lines)) + keyRow*float64(i%rows)}
		l.TextIn(t.Strong, draw.Rect{X: at.X, Y: at.Y, W: 88, H: at.H}, draw.Left, t.Accent, stroke[0])
		l.TextIn(t.Body, at.Trim(92, 0, 4, 0), draw.Left, t.Ink, stroke[1])
	}
	if over, _, clicked := s.UI.Area("help", w); over && clicked {
		s.help = false
	}
}
