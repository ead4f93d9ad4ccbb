package adversary

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// GoalObserver computes the likelihood of a flight's moves for every possible goal. It serves one goroutine. It
// sees only moves; Belief adds the likelihood of the hand-over.
type GoalObserver interface {
	// Reset forgets all moves.
	Reset()
	// See adds the next move: in a state, the state next is commanded. again is true if the flight was in that
	// state before: a policy with one action per state repeats its move there.
	See(state, next int, again bool)
	// LogLikelihoods sets to[g] to the natural logarithm of the likelihood of the moves for goal g, up to a
	// constant common to all goals; -Inf if they are impossible.
	LogLikelihoods(to []float64)
}

// TrackObserver computes the posterior of the goal from the whole flight itself: neither prior nor hand-over are added.
// It serves one goroutine.
type TrackObserver interface {
	// Every returns the interval in samples, at least 1, at which Watch evaluates the posterior.
	Every() int
	// Judge sets to[k] to the posterior at samples[k], ascending samples of the flight, given the flight up to then.
	Judge(h *sim.History, samples []int, to [][]float64) error
}

// Candidate is a goal that an observer considers possible.
type Candidate struct {
	TargetKm r3.Vec  // end of the flight if this is its goal, km
	Prior    float64 // probability, >= 0; the probabilities of all candidates sum to 1
}

// Knowledge is what observers of the goal may know besides the flight; each uses its own part. Goals are
// indices of Candidates, states those of sim.Visit. Its functions must be safe for concurrent use.
type Knowledge struct {
	Candidates []Candidate
	HandoverKm float64 // waypoints end within this distance of the target, km, >= 0
	// HandoverCDF returns the probability that this distance is at most km if it is drawn for every flight. It is nil if
	// it is HandoverKm for all.
	HandoverCDF func(km float64) float64
	LineOfSight bool // flights start along the horizontal line of sight to their target
	Actions     int  // of every state, >= 1
	// Next returns the state that an action commands in a state, for a goal.
	Next func(goal, state, action int) int
	// Values returns the action values of a state under the true reward for a goal: Q_goal(state, .).
	Values func(goal, state int) []float64
	// Rationalities are the inverse temperatures beta, each above 0, that a model of bounded rationality
	// considers equally likely.
	Rationalities []float64
	// PathCost returns the cost of the cheapest path from a state to a goal, in reward; +Inf if there is no path.
	PathCost func(goal, state int) float64
	// Chosen sets to[a], for every action a, to the number of the Policies private policies for a goal that take
	// it in a state.
	Chosen   func(goal, state int, to []float64)
	Policies float64 // > 0
	// Learned are the weights of the observer learned, from flights of the mechanism: see Learn.
	Learned []float64
	// Waypoint returns the position of the waypoint of a state, km.
	Waypoint func(state int) r3.Vec
	// If Draws is not nil, the mechanism draws a cell in place of the goal and plans for it.
	Draws *Draws
}

// check returns an error unless candidates and actions are consistent.
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
		return fmt.Errorf("adversary: %d actions and a hand-over at %v km; want at least 1, and 0 or more", k.Actions,
			k.HandoverKm)
	}
	return nil
}

// GoalModel is an observer of the goal that settings select by name.
type GoalModel struct {
	Name    string
	Meaning string // what it knows and assumes; follows its name in a sentence
	Private bool   // it uses samples of private policies: Knowledge.Chosen
	Learns  bool   // it uses weights learned from flights of the mechanism: Knowledge.Learned
	Heading bool   // it knows whether flights start along the line of sight: Knowledge.LineOfSight
	New     func(*Knowledge) (GoalObserver, error)
	Track   func(*Knowledge) (TrackObserver, error) // in place of New, where that is nil
}

var goalModels = []GoalModel{
	{Name: "geometry", New: newGeometry, Meaning: "knows the distance from the target at which the waypoints end, " +
		"and ignores the waypoints"},
	{Name: "cost_difference", New: newCostDifference, Meaning: "knows what geometry knows and the costs of paths, and " +
		"takes goals as more likely if the path so far has a smaller excess cost"},
	{Name: "moves", New: newMoves, Meaning: "knows what geometry knows and the moves of the grid for every goal, and " +
		"takes all actions as equally likely"},
	{Name: "rational", New: newRational, Meaning: "knows what moves knows and the rewards, and expects moves with " +
		"probabilities that grow with their value for the goal"},
	{Name: "mechanism", New: newMechanism, Private: true, Meaning: "knows what rational knows and the mechanism, and " +
		"how often private policies for every goal make each move"},
	{Name: "progress", New: newProgress, Private: true, Meaning: "knows the distance from the target at which the " +
		"waypoints end and the costs of paths, and how often private policies for every goal make each move in each " +
		"tenth of the path"},
	{Name: "learned", New: newLearned, Learns: true, Meaning: "knows the distance from the target at which the " +
		"waypoints end, and has learned from other flights of the mechanism which goals fit the moves, positions " +
		"and headings of a flight"},
	{Name: "heading", New: newGeometry, Heading: true,
		Meaning: "knows what geometry knows, and that flights start along the line of sight to the target"},
}

// KnowsNoise reports whether its knowledge depends on the noise of the flights that it observes.
func (m *GoalModel) KnowsNoise() bool { return m.Private || m.Learns }

// GoalModels returns all observers of the goal, first the one with the least knowledge.
func GoalModels() []GoalModel { return slices.Clone(goalModels) }

// GoalNames returns the names of all observers of the goal.
func GoalNames() []string {
	names := make([]string, len(goalModels))
	for i, m := range goalModels {
		names[i] = m.Name
	}
	return names
}

// FindGoalModel returns the observer of the goal with a name.
func FindGoalModel(name string) (GoalModel, error) {
	for _, m := range goalModels {
		if m.Name == name {
			return m, nil
		}
	}
	return GoalModel{}, fmt.Errorf("adversary: there is no observer of the goal %q; want one of %s", name,
		strings.Join(GoalNames(), ", "))
}
