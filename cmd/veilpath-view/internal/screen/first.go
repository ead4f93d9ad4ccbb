package screen

// showReacting shows the flight that epsilon changes most.
func (s *Screen) showReacting() {
	if run, known := s.Reacting(); known {
		s.Model.Select(run)
		return
	}
	s.Model.Say(false, "The flights along epsilon are still being flown.")
}
