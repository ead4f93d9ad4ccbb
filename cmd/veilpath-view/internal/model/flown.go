package model

import "veilpath/sim/study"

// ToggleShown shows a baseline, or the private flight again.
func (m *Model) ToggleShown(baseline Shown) {
	if m.Show == baseline {
		baseline = ShowPrivate
	}
	m.SetShown(baseline)
}

// MoveFlownTo moves the waypoint that the flight is sent to now, and goes to where it is sent there, so that it stays
// the one to be moved.
func (m *Model) MoveFlownTo(x, y float64) {
	state, ok := m.FlownTo()
	if !ok {
		return
	}
	m.MoveWaypoint(state, x, y)
	f := &m.Private
	for _, v := range f.Visits {
		if v.Commanded == state {
			m.StopAt(f, v.Sample)
			return
		}
	}
}

// FlownTo returns the waypoint that the private flight is sent to now: after the hand-over, the last one.
func (m *Model) FlownTo() (state int, ok bool) {
	f := &m.Private
	now := f.At(m.Clock.TimeS)
	for _, v := range f.Visits {
		if v.Sample >= f.HandoverSample || ok && v.Sample > now {
			break
		}
		state, ok = v.Commanded, true
	}
	return state, ok && !m.ShowsBaseline()
}

// KeepOutOfNext forbids the cell that the flight is sent to now.
func (m *Model) KeepOutOfNext() {
	if state, ok := m.FlownTo(); ok {
		m.KeepOut(state)
	}
}

// AllowAll allows all cells that were forbidden by hand.
func (m *Model) AllowAll() {
	for state := range m.WhatIf.KeptOut {
		m.KeepOut(state)
	}
}

// ShowExtreme shows the flight of the ensemble that is recognised farthest from its target, or closest to it for -1.
func (m *Model) ShowExtreme(sign float64) {
	var best *study.Run
	for _, m := range m.Ensemble.Members {
		if m != nil && m.Run.Detected && (best == nil || sign*m.Run.DetectionKm > sign*best.DetectionKm) {
			best = &m.Run
		}
	}
	if best == nil {
		m.Say(false, "None of the flights that are there is recognised.")
		return
	}
	m.Select(best.Run)
}

// StopAt goes to a sample of a flight and pauses there.
func (m *Model) StopAt(f *Flight, sample int) { m.Clock.StopAt(f.TimeS(sample)) }
