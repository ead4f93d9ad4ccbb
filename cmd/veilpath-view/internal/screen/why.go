package screen

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
	s.Model.StopAt(f, events[found].Sample)
	m.Say(false, "%s", s.MomentText(events[found].Sample))
}
