package screen

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
)

// stepEvent goes to the next event or to the one before, pauses there and says what it is.
func (s *Screen) stepEvent(on bool) {
	m := s.Model
	f, events := m.Flight(), s.Why().Events
	now := f.At(m.Clock.TimeS)
	found := -1
	for i, e := range events {
		if on && e.Sample > now && (found < 0 || e.Sample < events[found].Sample) {
			found = i
		}
		if !on && e.Sample < now && (found < 0 || e.Sample >= events[found].Sample) {
			found = i
		}
	}
	if found < 0 {
		m.Say(false, "%s", either(on, "Nothing more happens on this flight.", "Nothing happens before."))
		return
	}
	s.stopAt(f, events[found].Sample)
	m.Say(false, "%s", s.MomentText(events[found].Sample))
}

// stopAt goes to a sample of a flight and pauses there.
func (s *Screen) stopAt(f *model.Flight, sample int) {
	s.Model.Clock.Playing = false
	s.Model.Clock.Seek(f.TimeS(sample))
}

// hintMoment tells the values of the strips where the pointer is.
func (s *Screen) hintMoment(t *panel.Timeline) {
	f, at := s.Model.Flight(), s.UI.Input.Pointer
	i := f.At(t.Times.Value((at.X - t.Line.X) / t.Line.W))
	text := fmt.Sprintf("%s s: altitude %s km, turn %s m/s², %s off the line of sight", fixed(f.TimeS(i), 1),
		fixed(f.Samples[i].R.Z, 2),
		fixed(1000*r3.Norm(f.Samples[i].A), 0), answer.Degrees(f.OffDeg(i, f.Target)))
	if v := s.View(); v != nil && s.Inferring() {
		if b := v.At(i); b != nil {
			text += fmt.Sprintf("; %s has %s bits left to learn", v.Name, fixed(b.Entropy, 1))
		}
	}
	s.UI.Hint(true, draw.Rect{X: at.X - 4, Y: at.Y - 8, W: 8, H: 16}, text)
}

// stillWhy draws the sentence of why in an area.
func (s *Screen) stillWhy(l *draw.List, r draw.Rect) {
	t := s.Theme()
	l.Paragraph(t.Small, draw.Rect{X: r.X, Y: r.Y, W: r.W, H: layout.WhyRow}, max(1, int(r.H/layout.WhyRow)), t.Ink, s.Why().Sentence)
}
