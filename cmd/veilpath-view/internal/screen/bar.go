package screen

// configName is the file of the settings that are saved.
const configName = "veilpath.yaml"

// saveConfig saves the settings, and says which command flies the flight on show with them.
func (s *Screen) saveConfig() {
	where, err := s.shell.Save(configName, s.Model.ExportYAML(configName, s.Pictures.Version))
	if err != nil {
		s.Model.Say(true, "the configuration was not saved: %v", err)
		return
	}
	if s.Model.ChangedByHand() {
		s.Model.Say(false, "Saved %s. No settings repeat this flight, which was changed by hand; a link does.", where)
		return
	}
	s.Model.Say(false, "Saved %s. veilpath run --config %s %s flies this flight.", where, configName, s.Model.RunFlags())
}

func (s *Screen) share() {
	s.holdLink()
	linked := s.shell.Share(s.Link(), func(ok bool) {
		if ok {
			s.Model.Say(false, "The address of this page now leads to exactly this, and is in the clipboard.")
		} else {
			s.Model.Say(false, "The address of this page now leads to exactly this. The browser did not let it be copied: "+
				"copy it from the address bar.")
		}
	})
	if !linked {
		s.Model.Say(false, "Links work in a browser: veilpath view serves this as a page.")
	}
}
