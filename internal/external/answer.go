package external

import (
	"errors"
	"fmt"
	"math"
)

// answer is the line with which a command answers a request. It has one field.
type answer struct {
	Rewards    *numbers `json:"rewards"`    // of a mechanism: states x actions
	Policy     []int32  `json:"policy"`     // the action of every state
	Stochastic *numbers `json:"stochastic"` // the probability of every action: states x actions
	Path       []int32  `json:"path"`       // the states that are visited, the start first
	Goal       []int    `json:"goal"`       // column and row of a cell that is planned for in place of the goal

	Points    *numbers `json:"points"`    // of an observer: a place for every sample asked, km
	Posterior *numbers `json:"posterior"` // the probability of every goal for every sample asked

	Error string  `json:"error"` // why there is no answer
	ID    *uint64 `json:"id"`    // of the request, which the answer may repeat
}

// parseAnswer reads the answer to a request, which has one of the fields of a role.
func parseAnswer(line []byte, role Role, id int) (*answer, error) {
	a := new(answer)
	if err := decode(line, a); err != nil {
		return nil, wrong(line, err)
	}
	if a.ID != nil && *a.ID != uint64(id) {
		return nil, wrong(line, fmt.Errorf("it is the answer to request %d; want that to request %d", *a.ID, id))
	}
	if a.Error != "" {
		return nil, errors.New("it says: " + a.Error)
	}
	given := 0
	for _, there := range []bool{a.Rewards != nil, a.Policy != nil, a.Stochastic != nil, a.Path != nil, a.Goal != nil} {
		if there {
			given++
		}
	}
	want := `"rewards", "policy", "stochastic", "path" or "goal"`
	if role == ObserverRole {
		if given == 0 && (a.Points != nil) != (a.Posterior != nil) {
			return a, nil
		}
		want = `"points" or "posterior"`
	} else if given == 1 && a.Points == nil && a.Posterior == nil {
		return a, nil
	}
	return nil, wrong(line, errors.New("want one of "+want))
}

// checkPoints refuses what are no places for so many samples.
func (a *answer) checkPoints(samples int) error {
	if a.Points == nil {
		return fmt.Errorf("its hello says that it answers %q; want those", Points)
	}
	if err := a.Points.check(Points, samples, 3); err != nil {
		return err
	}
	for i, x := range a.Points.values {
		if math.IsInf(x, 0) || math.IsNaN(x) {
			return fmt.Errorf("coordinate %d of point %d is not a finite number", i%3, i/3)
		}
	}
	return nil
}

// sumTolerance is how far probabilities may sum from 1: people print them with few digits.
const sumTolerance = 1e-6

// checkPosterior refuses what are no probabilities of so many goals for so many samples, and makes those of every
// sample sum to 1.
func (a *answer) checkPosterior(samples, goals int) error {
	if a.Posterior == nil {
		return fmt.Errorf("its hello says that it answers %q; want that", Posterior)
	}
	if err := a.Posterior.check(Posterior, samples, goals); err != nil {
		return err
	}
	for i := range samples {
		row := a.Posterior.values[i*goals : (i+1)*goals]
		sum := 0.0
		for goal, p := range row {
			if !(p >= 0) {
				return fmt.Errorf("row %d of the posterior gives goal %d probability %v; want 0 or more", i, goal, p)
			}
			sum += p
		}
		if !(math.Abs(sum-1) <= sumTolerance) {
			return fmt.Errorf("row %d of the posterior sums to %v; want 1", i, sum)
		}
		for goal := range row {
			row[goal] /= sum
		}
	}
	return nil
}
