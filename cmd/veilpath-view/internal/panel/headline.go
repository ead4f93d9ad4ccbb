package panel

import (
	"fmt"
	"math"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/chart"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
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
	if hl.Opening.Running {
		l.TextIn(t.Headline, line(26), draw.Left, t.Ink, answer.TheQuestion)
		l.Paragraph(t.Title, line(20), 3, t.Accent, hl.OpeningText())
		return
	}
	const row, most = 17, 2 // of the flight on show in a wide layout
	if hl.Layout.Compact {
		l.TextIn(t.Headline, line(23), draw.Left, t.Ink, hl.ShortAnswer())
		if hl.Layout.Headline.H < layout.CompactHeadline {
			l.Paragraph(t.Small, line(16), 1, t.Muted, hl.ShortStory())
		} else {
			l.Paragraph(t.Small, line(16), 3, t.Muted, hl.FlightSentence())
		}
		return
	}
	l.TextIn(t.Headline, line(26), draw.Left, t.Ink, hl.Question())
	answers := math.Min(2, float64(len(l.Wrap(t.Title, hl.Answer(), r.W))))
	l.Paragraph(t.Title, line(answers*20+3).Trim(0, 0, 0, (answers-1)*20+3), int(answers), t.Accent, hl.Answer())
	flight := math.Min(most, float64(len(l.Wrap(t.Body, hl.FlightSentence(), r.W))))
	l.Paragraph(t.Body, line(flight*row).Trim(0, 0, 0, (flight-1)*row), most, t.Ink, hl.FlightSentence())
	hl.drawWhy(l, r)
}

// DrawMessage shows the model's message at the foot of the map; where there is room, what the pointer does stays there.
func (hl *Headline) DrawMessage(l *draw.List) {
	message := hl.Model.Message
	if message.Text == "" && !hl.Layout.Compact {
		message.Text = hl.Plan.ModeText()
	}
	if message.Text == "" {
		return
	}
	t, r := hl.Theme(), hl.Layout.Map
	const leading = 17
	lines := l.Wrap(t.Body, message.Text, either(hl.Layout.Compact, r.W-40, r.W*0.66))
	w := l.Widest(t.Body, lines)
	h := leading*float64(len(lines)) + 2*layout.Pad - 4
	const values = 34 // the room of the values under the pointer, at the foot of the map
	box := draw.Rect{X: r.Center().X - w/2 - layout.Pad - 3, W: w + 2*layout.Pad + 6, H: h,
		Y: r.Bottom() - h - either(hl.Layout.Compact, 12., 12+values)}
	edge := t.Accent
	if message.Wrong {
		edge = t.Series[1]
	}
	l.Frame(box, 6, 1.5, edge, t.Background)
	text := draw.Rect{X: box.X + layout.Pad + 3, Y: box.Y + layout.Pad - 3, W: w + 1, H: leading}
	l.Lines(t.Body, text, draw.Left, t.Ink, lines)
}

// OpeningText says what the opening shows now.
func (hl *Headline) OpeningText() string {
	at := hl.Opening.AtS
	direct, planned := &hl.Model.Nominal.Run, &hl.Model.Planned.Run
	switch sum := hl.Model.Ensemble.Summary(); {
	case at < openingDirect:
		return "A flight is to reach its target without giving it away."
	case at < openingPlanned:
		return "Flying " + hl.Model.DirectWay() + ", it is " + answer.Recognised(direct, 1) + "."
	case at < OpeningFan:
		return "Following its plan of waypoints, it is " + answer.Recognised(planned, 1) + "."
	case sum.Runs == 0:
		return "Flying …"
	default:
		return fmt.Sprintf("%d private flights, each with noise of its own, on average %s km.", sum.Runs,
			chart.Fixed(sum.MeanKm, 1))
	}
}
