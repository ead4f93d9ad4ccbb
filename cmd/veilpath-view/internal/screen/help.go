package screen

import (
	"strconv"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// keys does what the keys of a frame ask for. What is typed goes to the palette or to the number of a run.
func (s *Screen) keys(pressed []ui.Key) {
	for _, k := range pressed {
		switch {
		case s.palette.Open:
			s.palette.Type(k)
		case s.typing:
			s.typeRun(k)
		default:
			s.key(k)
		}
	}
}

func (s *Screen) toggleHelp() { s.ShowHelp = !s.ShowHelp }

// close closes what is open: the help, then modes and the story, then what is selected.
func (s *Screen) close() {
	switch {
	case s.ShowHelp:
		s.ShowHelp = false
	case s.brushing || s.keepingOut:
		s.brushing, s.keepingOut = false, false
	case s.told > 0:
		s.endStory()
	default:
		s.choose(selection{})
	}
}

// typeRun takes a key while the number of a run is typed.
func (s *Screen) typeRun(k ui.Key) {
	const most = 9 // digits
	switch {
	case k == ui.Enter:
		if run, err := strconv.Atoi(s.typed); err == nil {
			s.Model.Select(run)
		}
		s.typing = false
	case k == ui.Escape:
		s.typing = false
	case k == ui.Backspace && s.typed != "":
		s.typed = s.typed[:len(s.typed)-1]
	case len(k) == 1 && k[0] >= '0' && k[0] <= '9' && len(s.typed) < most:
		s.typed += string(k)
	}
}

// whatItIs says what there is to see.
const whatItIs = "The vehicle flies from waypoint to waypoint by a policy. The policy was planned for rewards with " +
	"noise on them, so that nobody can tell the " +
	"true ones: that is ε-differential privacy. An observer extrapolates the flight, and has recognised the target when " +
	"the guess stays within ρ of it. " +
	"A smaller ε is more noise, and as a rule the plan loses more of its value. The planned flight has no noise: " +
	"where no other plan is as good, what differs from it, the noise does. " +
	"From the dashed circle on privacy is disabled and the vehicle flies straight in."

// howToPoint says what the mouse does.
const howToPoint = "Drag the map to move it, a waypoint or the target to change it; turn the wheel to zoom. Click a " +
	"track or a dot to see that flight, drag over the dots to select flights. " +
	"Drop a folder that veilpath study or run wrote, or a configuration, to open it."

// howToTouch says what fingers do.
const howToTouch = "Drag the map to move it, spread two fingers or turn the wheel to zoom, tap twice for the whole. " +
	"Tap a dot of the flights to see that one, a cell of ε × ρ to go there. " +
	"Rest a finger on something to learn what it is. Tap the open panel's name to fold it away. Tap to close this."

// compactHelp covers the view with what there is to see, what fingers do and, where there is room for all, the keys.
func (s *Screen) compactHelp(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	const row = 19
	box := w.Inset(gap)
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(14)
	l.TextIn(t.Headline, draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: 24}, draw.Left, t.Ink,
		"A flight with a secret destination")
	y := inner.Y + 32
	for _, paragraph := range []string{whatItIs, howToTouch} {
		for _, line := range l.Wrap(t.Body, paragraph, inner.W) {
			l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: row}, draw.Left, t.Muted, line)
			y += row
		}
		y += row / 2
	}
	const column = 340
	columns := max(1, int(inner.W/column))
	if keys := inner.Trim(0, y-inner.Y, 0, 0); keys.H >= keyRow*float64(s.keyRows(columns)) {
		s.listKeys(l, keys, columns)
	}
	if over, _, clicked := s.UI.Area("help", w); over && clicked {
		s.ShowHelp = false
	}
}

// keyRow is the height of a key in the help, points.
const keyRow = 20

// keyRows is how many rows the keys take in so many columns.
func (s *Screen) keyRows(columns int) int { return (len(s.strokes()) + columns - 1) / columns }

// listKeys tells the keys and what they do.
func (s *Screen) listKeys(l *draw.List, area draw.Rect, columns int) {
	t, rows, w := s.theme(), s.keyRows(columns), area.W/float64(columns)
	for i, b := range s.strokes() {
		r := draw.Rect{X: area.X + w*float64(i/rows), Y: area.Y + keyRow*float64(i%rows), W: w, H: keyRow}
		l.TextIn(t.Strong, draw.Rect{X: r.X, Y: r.Y, W: 92, H: r.H}, draw.Left, t.Accent, b[0])
		l.TextIn(t.Body, r.Trim(96, 0, 2, 0), draw.Left, t.Ink, b[1])
	}
}

// help covers the view with the keys and what the pointer does.
func (s *Screen) help(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	l.Rect(w, ui.Faded(t.Background, 0.7))
	if s.layout.Compact {
		s.compactHelp(l)
		return
	}
	const width, columns = 780, 2
	listed := keyRow * float64(s.keyRows(columns))
	height := listed + 200
	box := draw.Rect{X: w.Center().X - width/2, Y: w.Center().Y - height/2, W: width, H: height}
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(24)
	l.TextIn(t.Headline, draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: 24}, draw.Left, t.Ink,
		"A flight with a secret destination")
	y := inner.Y + 32
	for _, line := range l.Wrap(t.Body, whatItIs, inner.W) {
		l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: 17}, draw.Left, t.Muted, line)
		y += 17
	}
	y += 12
	s.listKeys(l, inner.Trim(0, y-inner.Y, 0, 0), columns)
	y += listed + 10
	for _, line := range l.Wrap(t.Body, howToPoint, inner.W) {
		l.TextIn(t.Body, draw.Rect{X: inner.X, Y: y, W: inner.W, H: 17}, draw.Left, t.Muted, line)
		y += 17
	}
	if over, _, clicked := s.UI.Area("help", w); over && clicked {
		s.ShowHelp = false
	}
}
