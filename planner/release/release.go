package release

import (
	"errors"
	"fmt"
	"io"

	"veilpath/planner/privacy"
	"veilpath/planner/reward"
)

// Release is a private version of a reward table.
type Release struct {
	table  *reward.Table // for its layout; its values are not published
	agents []privacy.Released
}

// New releases every agent's table with the guarantee, on a grid of the given step; 0 asks for the step that
// the guarantee suggests. See privacy.Release for what it asks of them. Every call spends the guarantee again.
func New(table *reward.Table, guarantee privacy.Guarantee, grid float64, entropy *privacy.Entropy) (*Release, error) {
	if grid == 0 {
		var err error
		if grid, err = guarantee.Grid(); err != nil {
			return nil, err
		}
	}
	r := &Release{table: table, agents: make([]privacy.Released, len(table.Values))}
	for agent, values := range table.Values {
		var err error
		if r.agents[agent], err = privacy.Release(values, guarantee, grid, entropy); err != nil {
			return nil, placed(table, agent, err)
		}
	}
	return r, nil
}

// placed names an entry by where it stands in the table.
func placed(table *reward.Table, agent int, err error) error {
	var entry *privacy.EntryError
	if !errors.As(err, &entry) {
		return err
	}
	row, column := table.Place(agent, entry.Entry)
	return fmt.Errorf("row %d, column %d: the reward is %s", row, column, entry.Problem)
}

// Values returns the private rewards, one slice per agent.
func (r *Release) Values() [][]float64 {
	values := make([][]float64, len(r.agents))
	for i := range r.agents {
		values[i] = r.agents[i].Values()
	}
	return values
}

// Write writes the private table as CSV.
func (r *Release) Write(w io.Writer) error { return r.table.Write(w, r.Values()) }
