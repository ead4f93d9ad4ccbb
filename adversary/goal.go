package adversary

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"
)

// GoalObserver says how likely the moves of a flight are for every goal that it may have. It serves one
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
	// HandoverSpreadKm, where it is above 0 and at most HandoverKm, says that the distance is drawn for every flight,
	// uniformly from HandoverKm less that to HandoverKm plus that.
	HandoverSpreadKm float64
	LineOfSight      bool // flights start along the horizontal line of sight to their target
	Actions          int  // of every state, >= 1
	// Next returns the state that an action commands in a state, if the goal is that.
	Next func(goal, state, action int) int
	// Values returns what every action is worth in a state under the true reward for a goal: Q_goal(state, .).
	Values func(goal, state int) []float64
	// Rationalities are the inverse temperatures beta, each above 0, that an observer who models an agent of
	// bounded rationality deems equally likely.
	Rationalities []float64
	// PathCost returns the cost of the cheapest path from a state to a goal, in reward; +Inf where there is none.
	PathCost func(goal, state int) float64
	// Chosen sets to[a], for every action a, to how many of Policies private policies made for a goal take it in a state.
	Chosen   func(goal, state int, to []float64)
	Policies float64 // > 0
	// Draws, where it is not nil, says that the mechanism draws a cell in place of the goal and takes the plan for that.
	Draws *Draws
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
	if k.Actions < 1 || !(k.HandoverKm >= 0) || !(k.HandoverSpreadKm >= 0 && k.HandoverSpreadKm <= k.HandoverKm) {
		return fmt.Errorf("adversary: %d actions and a hand-over at %v +- %v km; want at least 1, and 0 or more", k.Actions,
			k.HandoverKm, k.HandoverSpreadKm)
	}
	return nil
}

// GoalModel is an observer of the goal that settings choose by name.
type GoalModel struct {
	Name    string
	Meaning string // what it knows and supposes, after its name in a sentence
	Private bool   // it knows how private policies come out: Knowledge.Chosen
	Heading bool   // it knows that flights start along the line of sight, where they do: Knowledge.LineOfSight
	New     func(*Knowledge) (GoalObserver, error)
}

var goalModels = []GoalModel{
	{Name: "geometry", New: newGeometry, Meaning: "knows at which distance from the target the waypoints end, and " +
		"nothing of them"},
	{Name: "moves", New: newMoves, Meaning: "knows that and which moves the grid has for every goal, and deems all " +
		"actions equally likely"},
	{Name: "rational", New: newRational, Meaning: "knows all that and the rewards, and expects moves that are the " +
		"likelier the better they are for the goal"},
	{Name: "cost_difference", New: newCostDifference, Meaning: "knows the distance at which the waypoints end and what " +
		"paths cost, and deems goals the likelier the less the path so far costs more than it must"},
	{Name: "mechanism", New: newMechanism, Private: true,
		Meaning: "knows all that and the mechanism, and how often private policies for every goal make each move"},
	{Name: "heading", New: newGeometry, Heading: true,
		Meaning: "knows what geometry knows, and that flights start along the line of sight to the target"},
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
	return GoalModel{}, fmt.Errorf("adversary: no observer of the goal is called %q; there are %s", name,
		strings.Join(GoalNames(), ", "))
}
