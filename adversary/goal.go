package adversary

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// GoalObserver tells how likely the moves of a flight are for every goal that it may have. It serves one
// goroutine. What the hand-over says is added by Belief, so an observer of the goal sees moves alone.
type GoalObserver interface {
	// Reset forgets the moves seen.
	Reset()
	// See takes the next move: in a state the next one is commanded. It is again when the flight has been in
	// that state before: a policy that is one action for every state repeats itself there.
	See(state, next int, again bool)
	// LogLikelihoods sets to[g] to the natural logarithm of the likelihood of the moves seen for goal g, up to a
	// constant that all goals share; -Inf where they are impossible.
	LogLikelihoods(to []float64)
}

// Candidate is a goal that an observer deems possible.
type Candidate struct {
	TargetKm r3.Vec  // where the flight ends if this is its goal, km
	Prior    float64 // probability, >= 0; those of all candidates sum to 1
}

// Knowledge is what observers of the goal may know beside the flight; each uses its own part. Goals are
// numbers of Candidates, states those of sim.Visit. Its functions must be safe for concurrent use.
type Knowledge struct {
	Candidates []Candidate
	HandoverKm float64 // the waypoints end nearer to the target than this, km, >= 0
	Actions    int     // of every state, >= 1
	// Next returns the state that an action commands in a state, if the goal is that.
	Next func(goal, state, action int) int
	// Values returns what every action is worth in a state under the true reward for a goal: Q_goal(state, .).
	Values func(goal, state int) []float64
	// Rationalities are the inverse temperatures beta, each above 0, that an observer who models an agent of
	// bounded rationality deems equally likely.
	Rationalities []float64
	// Chosen returns how many of Policies private policies made for a goal take every action in a state.
	Chosen   func(goal, state int) []float64
	Policies float64 // > 0
}

// check returns an error unless candidates and actions make sense.
func (k *Knowledge) check() error {
	if len(k.Candidates) == 0 {
		return errors.New("adversary: no goal is possible; want at least one candidate")
	}
	sum := 0.0
	for _, c := range k.Candidates {
		if !(c.Prior >= 0) {
			return fmt.Errorf("adversary: a goal has prior %v; want 0 or more", c.Prior)
		}
		sum += c.Prior
	}
	const rounding = 1e-9 // of a sum of shares
	if math.Abs(sum-1) > rounding {
		return fmt.Errorf("adversary: the priors of the goals sum to %v; want 1", sum)
	}
	if k.Actions < 1 || !(k.HandoverKm >= 0) {
		return fmt.Errorf("adversary: %d actions and a hand-over at %v km; want at least 1, and 0 or more", k.Actions, k.HandoverKm)
	}
	return nil
}

// GoalModel is an observer of the goal that settings choose by name.
type GoalModel struct {
	Name    string
	Meaning string // what it knows and supposes, after its name in a sentence
	Private bool   // it knows how private policies come out: Knowledge.Chosen
	New     func(*Knowledge) (GoalObserver, error)
}

var goalModels = []GoalModel{
	{"geometry", "knows at which distance from the target the waypoints end, and nothing of them", false, newGeometry},
	{"moves", "knows that and which moves the grid has for every goal, and deems all actions equally likely", false, newMoves},
	{"rational", "knows all that and the rewards, and expects moves that are the likelier the better they are for the goal", false, newRational},
	{"mechanism", "knows all that and the mechanism, and how often private policies for every goal make each move", true, newMechanism},
}

// GoalModels returns the observers of the goal there are, from the one who knows least.
func GoalModels() []GoalModel { return slices.Clone(goalModels) }

// GoalNames returns their names.
func GoalNames() []string {
	names := make([]string, len(goalModels))
	for i, m := range goalModels {
		names[i] = m.Name
	}
	return names
}

// FindGoalModel returns the observer of the goal of a name.
func FindGoalModel(name string) (GoalModel, error) {
	for _, m := range goalModels {
		if m.Name == name {
			return m, nil
		}
	}
	return GoalModel{}, fmt.Errorf("adversary: no observer of the goal is called %q; there are %s", name, strings.Join(GoalNames(), ", "))
}
