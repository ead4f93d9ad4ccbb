package layout

import "veilpath/adversary"

// WhyRow is the height of a line of the sentence of why, points.
const WhyRow = 16

// ReadingRow is the height of a number of the moment, points.
const ReadingRow = 17

// ReadingsHeight is the height of the numbers of the moment in so many columns, points.
func ReadingsHeight(columns int) float64 { return ReadingRow*float64(6/columns) + 10 }

// Heights of the panel's title and of what is below the rows, points.
const (
	LeastBeliefRow = 12
	BeliefTitle    = 26
	BeliefFoot     = 6
)

// beliefHeight is the height of the panel with rows of a height for all observers of the goal.
func beliefHeight(row float64) float64 {
	return BeliefTitle + BeliefFoot + row*float64(len(adversary.GoalModels()))
}
