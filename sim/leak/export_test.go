package leak

import (
	"context"

	"veilpath/adversary"
)

// Counts returns how often the actions of a state are taken, for tests.
func (t *Tables) Counts() (policies float64, chosen func(goal, state int, to []float64)) {
	return t.counts(-1)
}

// Lesson returns the example of a training flight, and what its start alone teaches.
func Lesson(way Way, sigma float64, run int) (example, start adversary.Example, err error) {
	t := newTrainer(way, sigma, 1)
	if example, err = t.fly(context.Background(), run, adversary.Example{}); err == nil {
		start = t.teacher.Example(&t.history, 0, t.study.goal(run))
	}
	return example, start, err
}
