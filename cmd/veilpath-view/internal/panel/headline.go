package panel

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Headline asks the question above the map and answers it, and says what becomes of the flight on show, and why.
type Headline struct {
	*Frame
	Plan *Plan
}

// Draw asks the question, answers it for all flights, and says what became of the one on show, and why.
func (hl *Headline) Draw(l *draw.List) {
	t, r := hl.Theme(), hl.Layout.Headline
	r = r.Trim(4, 0, 4, 0)
	line := func(h float64) (at draw.Rect) {
		at, r = r.CutTop(h)
		return at
	}
	low := hl.Layout.Headline.H < layout.CompactHeadline
	const row, most = 17, 2 // of the flight on show in a wide layout
	if hl.Layout.Compact {
		l.TextIn(t.Headline, line(23), draw.Left, t.Ink, hl.ShortAnswer())
		if low {
			l.Paragraph(t.Small, line(16), 1, t.Muted, hl.ShortStory())
		} else {
			l.Paragraph(t.Small, line(16), 3, t.Muted, hl.FlightSentence())
		}
		return
	}
	l.TextIn(t.Headline, line(26), draw.Left, t.Ink, hl.Question())
	style, leading, answers := t.Title, 20., len(l.Wrap(t.Title, hl.Answer(), r.W))
	if answers > 2 { // with remarks
		style, leading, answers = t.Body, 17, min(3, len(l.Wrap(t.Body, hl.Answer(), r.W)))
	}
	h := float64(answers) * leading
	l.Paragraph(style, line(h+3).Trim(0, 0, 0, h-leading+3), answers, t.Accent, hl.Answer())
	flight := math.Min(most, float64(len(l.Wrap(t.Body, hl.FlightSentence(), r.W))))
	l.Paragraph(t.Body, line(flight*row).Trim(0, 0, 0, (flight-1)*row), most, t.Ink, hl.FlightSentence())
	hl.drawWhy(l, r)
}

// message is a notice as it is shown at the foot of the map.
type message struct {
	lines     []string
	box, text draw.Rect
	stop      draw.Rect // the button that ends what it tells of; empty for none
	edge      colour
}

// messageLine is the height of a line of a message, points.
const messageLine = 17

// message lays out the model's message; where there is room and none, it is what the pointer does.
func (hl *Headline) message() (m message, ok bool) {
	said, t, r := hl.Model.Message, hl.Theme(), hl.Layout.Map
	if said.Text == "" && !hl.Layout.Compact {
		said.Text = hl.Plan.ModeText()
	}
	if said.Text == "" {
		return message{}, false
	}
	const side, between = layout.Pad + 3, 12
	room := 0. // of the button, and of the air beside it
	if said.Progress {
		m.stop.W, m.stop.H = 52, hl.touchable(24)
		room = m.stop.W + between
	}
	m.lines = hl.UI.List.Wrap(t.Body, said.Text, either(hl.Layout.Compact, r.W-40, r.W*0.66)-room)
	m.text.W, m.text.H = hl.UI.List.Widest(t.Body, m.lines)+1, messageLine*float64(len(m.lines))
	m.box.W, m.box.H = m.text.W+2*side-1+room, math.Max(m.text.H+2*layout.Pad-4, m.stop.H+8)
	const values = 34 // the room of the values under the pointer, at the foot of the map
	m.box.X = r.Center().X - m.box.W/2
	m.box.Y = r.Bottom() - m.box.H - either(hl.Layout.Compact, 12., 12+values)
	if hl.Layout.Compact && hl.Plan.ModeText() != "" { // a finger works the map
		m.box.Y = r.Bottom() + 6
	}
	m.text.X, m.text.Y = m.box.X+side, m.box.Center().Y-m.text.H/2
	m.stop.X, m.stop.Y = m.box.Right()-side-m.stop.W, m.box.Center().Y-m.stop.H/2
	m.edge = either(said.Wrong, t.Series[1], t.Accent)
	return m, true
}

// Operate lets what is under way be stopped by its notice.
func (hl *Headline) Operate() {
	m, ok := hl.message()
	if !ok || m.stop.Empty() {
		return
	}
	if _, clicked := hl.UI.Spot("message.stop", m.stop, "Keep what is on show (Esc)"); clicked {
		hl.Model.StopPreparing()
	}
}

// DrawMessage shows what there is to be said at the foot of the map.
func (hl *Headline) DrawMessage(l *draw.List) {
	m, ok := hl.message()
	if !ok {
		return
	}
	t := hl.Theme()
	l.Frame(m.box, 6, 1.5, m.edge, t.Background)
	line := m.text
	line.H = messageLine
	l.Lines(t.Body, line, draw.Left, t.Ink, m.lines)
}

// DrawStop draws the button that ends what the message tells of, if it has one.
func (hl *Headline) DrawStop(l *draw.List) {
	if m, ok := hl.message(); ok && !m.stop.Empty() {
		l.RoundRect(m.stop, ui.Corner, hl.Theme().Raised)
		l.TextIn(hl.Theme().Body, m.stop, draw.Center, hl.Theme().Ink, "Stop")
	}
}
