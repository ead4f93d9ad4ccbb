package leak

import "testing"

// The flights that teach are not those that are watched: at one seed, flights of the same number go to goals that agree
// by chance alone.
func TestLessonsAreApartFromTheFlightsWatched(t *testing.T) {
	const goals, runs = 100, 1000
	w := &World{Goals: make([]Goal, goals)}
	for i := range w.Goals {
		w.Goals[i].Prior = 1. / goals
	}
	ways, same := []Way{{World: w}}, 0
	for seed := range uint64(2) {
		watched, taught := Study{Ways: ways, Seed: seed}, newTrainer(ways[0], 0, seed).study
		for run := range runs / 2 {
			if watched.goal(run) == taught.goal(run) {
				same++
			}
		}
	}
	if same < 1 || same > 25 { // 10 expected, binomial: outside with a probability of 5e-5
		t.Errorf("%d of %d flights to %d goals have the goal of the flight that teaches", same, runs, goals)
	}
}
