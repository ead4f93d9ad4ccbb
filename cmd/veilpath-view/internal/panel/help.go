package panel

import (
	"math"
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Help covers the window with what there is to see, what the pointer does, and the keys.
type Help struct {
	*Frame
	Open    bool
	Strokes func() [][2]string // all keys, and what they do
}

// WhatItIs says what there is to see.
const WhatItIs = "The vehicle flies from waypoint to waypoint by a policy. The policy was planned for rewards with " +
	"noise on them, so that nobody can tell the true ones: that is ε-differential privacy. An observer extrapolates " +
	"the flight, and has recognised the target when its guesses lie within ρ of it for some steps in a row. A smaller " +
	"ε is more noise, and as a rule the plan loses more of its value. The planned flight has no noise: where no other " +
	"plan is as good, what differs from it, the noise does. At the dashed circle, the hand-over, privacy ends and the " +
	"vehicle heads for the target."

// HowToPoint says what the mouse does.
const HowToPoint = "Drag the map to move it; turn the wheel to zoom. Click a track or a dot to see that flight. " +
	"Drop a folder that veilpath study or run wrote, or a configuration, to open it."

// HowToTouch says what fingers do.
const HowToTouch = "Drag the map to move it, spread two fingers to zoom, tap twice for the whole. Tap a value to " +
	"type another, a dot of the flights to see that one. Rest a finger on something to learn what it is. Tap the " +
	"open panel's name to fold it away. Tap to close this."

// keyRow is the height of a key in the help, points.
const keyRow = 20

// keyRows is how many rows the keys take in so many columns.
func (hp *Help) keyRows(columns int) int { return (len(hp.Strokes()) + columns - 1) / columns }

// listKeys tells the keys and what they do.
func (hp *Help) listKeys(l *draw.List, area draw.Rect, columns int) {
	t, rows, w := hp.Theme(), hp.keyRows(columns), area.W/float64(columns)
	for i, b := range hp.Strokes() {
		r := draw.Rect{X: area.X + w*float64(i/rows), Y: area.Y + keyRow*float64(i%rows), W: w, H: keyRow}
		l.TextIn(t.Strong, draw.Rect{X: r.X, Y: r.Y, W: 92, H: r.H}, draw.Left, t.Accent, b[0])
		l.TextIn(t.Body, r.Trim(96, 0, 2, 0), draw.Left, t.Ink, b[1])
	}
}

// Draw covers the view with what there is to see, what the pointer does and, where there is room for all, the keys.
func (hp *Help) Draw(l *draw.List) {
	t, w := hp.Theme(), hp.Layout.Window
	const widest, title, row, air, column = 780, 32, 18, 9, 340
	inside := either(hp.Layout.Compact, 14., 24)
	width := math.Min(widest, w.W-2*layout.Gap) - 2*inside
	columns := max(1, int(width/column))
	lines := slices.Concat(l.Wrap(t.Body, WhatItIs, width), []string{""},
		l.Wrap(t.Body, either(hp.Layout.Compact, HowToTouch, HowToPoint), width))
	height, keys := title+row*float64(len(lines)), air+keyRow*float64(hp.keyRows(columns))
	if height+keys > w.H-2*(layout.Gap+inside) {
		keys = 0
	}
	l.Rect(w, ui.Faded(t.Background, 0.7))
	inner := draw.Rect{X: w.Center().X - width/2, Y: w.Center().Y - (height+keys)/2, W: width, H: height + keys}
	l.Frame(inner.Inset(-inside), 8, 1, t.Muted, t.Panel)
	head, rest := inner.CutTop(title)
	l.TextIn(t.Headline, head.Trim(0, 0, 0, title-24), draw.Left, t.Ink, "A flight with a secret destination")
	l.Lines(t.Body, draw.Rect{X: rest.X, Y: rest.Y, W: rest.W, H: row}, draw.Left, t.Muted, lines)
	if keys > 0 {
		hp.listKeys(l, rest.Trim(0, row*float64(len(lines))+air, 0, 0), columns)
	}
	if over, _, clicked := hp.UI.Area("help", w); over && clicked {
		hp.Open = false
	}
}
