package screen

import (
	"veilpath/cmd/veilpath-view/internal/model"
)

// toggleCompare keeps the settings on show to compare with, or ends the comparison.
func (s *Screen) toggleCompare() {
	if s.Model.Pair != nil {
		s.Model.DropWorld()
		s.Model.Say(false, "The comparison has ended. The settings on show stay.")
		return
	}
	s.Model.KeepWorld()
	s.Model.SetShown(model.ShowPrivate)
	s.Model.Say(false, "These settings are kept. Change any of them: both are shown, with the same noise, on one clock.")
}
