package screen

import (
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// keys does what the keys of a frame ask for. What is typed goes to the palette while that is open.
func (s *Screen) keys(pressed []ui.Key) {
	for _, k := range pressed {
		if s.palette.Open {
			s.palette.Key(k, s.offers())
		} else {
			s.key(k)
		}
	}
}

func (s *Screen) toggleHelp() { s.Help.Open = !s.Help.Open }

// close closes what is open: the help, then modes and the story, then what is selected.
func (s *Screen) close() {
	switch {
	case s.Help.Open:
		s.Help.Open = false
	case s.Model.StopPreparing():
	case s.plan.Brushing || s.plan.KeepingOut:
		s.plan.Brushing, s.plan.KeepingOut = false, false
	case s.told > 0:
		s.endStory()
	default:
		s.Choose(answer.Selection{})
	}
}
