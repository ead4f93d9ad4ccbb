package model

import (
	"veilpath/configs"
	"veilpath/sim/study"
)

// ToggleShown shows a baseline, or the private flight again.
func (m *Model) ToggleShown(baseline Shown) {
	if m.Show == baseline {
		baseline = ShowPrivate
	}
	m.SetShown(baseline)
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

// KeepOut adds cells to those that the mission keeps out of, or allows them again: all flights are planned around them.
func (m *Model) KeepOut(cells map[int]bool, out bool) {
	g, kept := m.Experiment.Mission.Grid, [][]int{}
	for state := range g.States() {
		if cells[state] && out || !cells[state] && g.KeptOut(state) {
			at := g.Cell(state)
			kept = append(kept, []int{at.Column, at.Row})
		}
	}
	m.change(func(c *configs.Config) { c.Planner.KeepOut = kept })
}

// AllowAll has the mission keep out of no cell.
func (m *Model) AllowAll() { m.change(func(c *configs.Config) { c.Planner.KeepOut = [][]int{} }) }

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
