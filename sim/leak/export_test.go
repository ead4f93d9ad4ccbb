package leak

// Counts returns how often the actions of a state are taken, for tests.
func (t *Tables) Counts() (policies float64, chosen func(goal, state int, to []float64)) {
	return t.counts()
}
