package model

import (
	"veilpath/configs"
)

// ToggleShown shows a baseline, or the private flight again.
func (m *Model) ToggleShown(baseline Shown) {
	if m.Show == baseline {
		baseline = ShowPrivate
	}
	m.SetShown(baseline)
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

// StopAt goes to a sample of a flight and pauses there.
func (m *Model) StopAt(f *Flight, sample int) { m.Clock.StopAt(f.TimeS(sample)) }
