package planner

import (
	"errors"
	"slices"

	"veilpath/planner/privacy"
)

// RowMechanism is a mechanism that makes rows of probabilities private by privacy.RowCalibration.Privatize, and
// plans with those. Its rows are the private ones of PrivateRows.
type RowMechanism interface {
	Mechanism
	// Rows returns the rows of a problem that it makes private. One of a single component is public.
	Rows(problem *Solved) []Row
}

// Row is a row of probabilities of a problem.
type Row struct {
	Agent, State, Action int   // Action is -1 for a row of a policy
	Of                   []int // next states, or actions, each once and ascending
	Probabilities        []float64
}

// PrivateRows returns private probabilities of rows. It is an error if there is no row of several components,
// since nothing is hidden then. The calibration remembers mechanisms between calls.
func PrivateRows(rows []Row, g privacy.Guarantee, noise *privacy.Noise, c *privacy.RowCalibration) ([][]float64,
	error) {
	if !slices.ContainsFunc(rows, func(r Row) bool { return len(r.Of) > 1 }) {
		return nil, errors.New("every row of probabilities has a single component, which is public, so nothing is " +
			"hidden; take a problem whose actions may lead to several states, as with planner.slip")
	}
	given, private := make([][]float64, len(rows)), make([][]float64, len(rows))
	for i, r := range rows {
		given[i], private[i] = r.Probabilities, make([]float64, len(r.Of))
	}
	return private, c.Privatize(private, given, g, noise)
}
