package screen

import (
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
)

// headline asks the question, answers it for all flights, and says what became of the one on show, and why.
func (s *Screen) headline(l *draw.List) {
	t, r := s.Theme(), s.Layout.Headline
	r = r.Trim(4, 0, 4, 0)
	line := func(h float64) (at draw.Rect) {
		at, r = r.CutTop(h)
		return at
	}
	if s.Opening.Running {
		l.TextIn(t.Headline, line(26), draw.Left, t.Ink, answer.TheQuestion)
		l.Paragraph(t.Title, line(20), 3, t.Accent, s.openingText())
		return
	}
	const row, most = 17, 2 // of the flight on show in a wide layout
	if s.Layout.Compact {
		l.TextIn(t.Headline, line(23), draw.Left, t.Ink, s.ShortAnswer())
		if s.Layout.Headline.H < layout.CompactHeadline {
			l.Paragraph(t.Small, line(16), 1, t.Muted, s.ShortStory())
		} else {
			l.Paragraph(t.Small, line(16), 3, t.Muted, s.FlightSentence())
		}
		return
	}
	l.TextIn(t.Headline, line(26), draw.Left, t.Ink, s.Question())
	answers := math.Min(2, float64(len(l.Wrap(t.Title, s.Answer(), r.W))))
	l.Paragraph(t.Title, line(answers*20+3).Trim(0, 0, 0, (answers-1)*20+3), int(answers), t.Accent, s.Answer())
	flight := math.Min(most, float64(len(l.Wrap(t.Body, s.FlightSentence(), r.W))))
	l.Paragraph(t.Body, line(flight*row).Trim(0, 0, 0, (flight-1)*row), most, t.Ink, s.FlightSentence())
	s.stillWhy(l, r)
}

// message shows the model's message at the foot of the map; where there is room, what the pointer does stays there.
func (s *Screen) message(l *draw.List) {
	message := s.Model.Message
	if message.Text == "" && !s.Layout.Compact {
		message.Text = s.plan.ModeText()
	}
	if message.Text == "" {
		return
	}
	t, r := s.Theme(), s.Layout.Map
	const pad, leading = 10, 17
	lines := l.Wrap(t.Body, message.Text, either(s.Layout.Compact, r.W-40, r.W*0.66))
	w := l.Widest(t.Body, lines)
	h := leading*float64(len(lines)) + 2*pad - 4
	const values = 34 // the room of the values under the pointer, at the foot of the map
	box := draw.Rect{X: r.Center().X - w/2 - pad - 3, Y: r.Bottom() - h - either(s.Layout.Compact, 12., 12+values),
		W: w + 2*pad + 6, H: h}
	edge := t.Accent
	if message.Wrong {
		edge = t.Series[1]
	}
	l.Frame(box, 6, 1.5, edge, t.Background)
	l.Lines(t.Body, draw.Rect{X: box.X + pad + 3, Y: box.Y + pad - 3, W: w + 1, H: leading}, draw.Left, t.Ink, lines)
}
