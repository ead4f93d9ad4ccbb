package screen

import (
	"time"

	"veilpath/cmd/veilpath-view/internal/model"
)

// notice is what was on show when the message was said that stands.
type notice struct {
	text  string
	until time.Time
	of    change
	atS   float64 // where the clock was
}

// dropNotice takes a message away once what it was said of has changed: settings and what is shown, or the moment.
// What went wrong and how far something is stays.
func (s *Screen) dropNotice() {
	m, said := &s.Model.Message, &s.notice
	if m.Text == "" {
		return
	}
	now := notice{m.Text, m.Until, s.change(), s.Model.Clock.TimeS}
	switch {
	case m.Text != said.text || m.Until != said.until:
		*said = now
	case m.Wrong || m.Progress:
	case now.of != said.of || m.Moment && now.atS != said.atS:
		*m = model.Message{}
	}
}
