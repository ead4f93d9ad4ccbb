package screen

import (
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// keypadKeys are the keys of the pad by which fingers type a number, row by row, with what is on them.
var keypadKeys = []struct {
	key   ui.Key
	label string
}{{"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}, {"5", "5"}, {"6", "6"}, {"7", "7"}, {"8", "8"}, {"9", "9"},
	{ui.Backspace, "Delete"}, {"0", "0"}, {ui.Enter, "Go"}}

// keypadShown reports whether a number is typed where there may be no keyboard.
func (s *Screen) keypadShown() bool { return s.typing && (s.layout.Compact || s.UI.Input.Touch) }

// keypad draws the pad over the view. A tap beside it ends the typing.
func (s *Screen) keypad(l *draw.List) {
	t, w := s.theme(), s.layout.Window
	const width, height, between = 76, 50, 6
	box := draw.Rect{W: 3*width + 2*between + 2*pad, H: 5*height + 4*between + 2*pad}
	box.X, box.Y = w.Center().X-box.W/2, w.Center().Y-box.H/2
	l.Rect(w, ui.Faded(t.Background, 0.6))
	l.Frame(box, 8, 1, t.Muted, t.Panel)
	inner := box.Inset(pad)
	l.TextIn(t.Title, draw.Rect{X: inner.X, Y: inner.Y, W: inner.W, H: height}, draw.Center, t.Ink, "run "+s.typed+"_")
	for i, k := range keypadKeys {
		r := draw.Rect{X: inner.X + (width+between)*float64(i%3), Y: inner.Y + (height+between)*float64(1+i/3), W: width,
			H: height}
		if s.UI.Button("key."+k.label, r, k.label, "") {
			s.typeRun(k.key)
		}
	}
	if over, _, clicked := s.UI.Area("keypad", w); over && clicked && !box.Contains(s.UI.Input.Pointer) {
		s.typing = false
	}
}
