package design_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/internal/design"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// gap is the difference of the two rewards of one agent with one state.
const gap = 2

func twoActions(t *testing.T) *design.Rewards {
	t.Helper()
	shape, err := privacy.NewShape(1, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	return &design.Rewards{Name: "two actions", Shape: shape, Tables: [][]float64{{gap, 0}}, Discount: 0.9}
}

func question(r *design.Rewards) design.Question {
	return design.Question{Guarantee: privacy.Guarantee{Epsilon: 1, Delta: 0.01, Adjacency: 2,
		Calibration: privacy.Classical},
		Rewards: r, Eta: 1e-8, Draws: 4000, Releases: 1, Seed: 3}
}

// answers returns the numbers by name, and how often drawn was called.
func answers(t *testing.T, q design.Question) (map[string]float64, int) {
	t.Helper()
	drawn := 0
	list, err := q.Answer(context.Background(), func() { drawn++ })
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]float64{}
	for _, a := range list {
		switch v := a.Value.(type) {
		case float64:
			numbers[a.Name] = v
		case int:
			numbers[a.Name] = float64(v)
		}
	}
	return numbers, drawn
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v within %g", what, got, want, tolerance)
	}
}

// Closed forms of two entries: Lemma 1, the folded normal, the larger of two independent errors, and the tail of the
// difference of two.
func TestAnswersAreTheClosedFormsOfTwoEntries(t *testing.T) {
	q := question(twoActions(t))
	got, drawn := answers(t, q)
	const tail = 2.3263478740408408 // of the standard normal, 1 %
	sigma := 2 * (tail + math.Sqrt(tail*tail+2)) / 2
	const exact = 1e-12 // relative to numbers of order 1 to 10
	near(t, "sigma", got["sigma"], sigma, 10*exact)
	near(t, "mu", got["mu"], 2/sigma, exact)
	near(t, "the error of an entry", got["entry_error"], sigma*math.Sqrt(2/math.Pi), 10*exact)
	largest := sigma * 2 / math.Sqrt(math.Pi) // E max(|X|, |Y|)
	near(t, "the largest error", got["max_error_independent"], largest, 1e-6)
	near(t, "the largest error simulated", got["max_error_correlated"], largest, 4*got["max_error_correlated_se"])
	near(t, "survival", got["survival"], math.Erfc(-gap/(2*sigma))/2, 1e-9)
	near(t, "the samples reported", float64(drawn), float64(q.Samples()), 0)
	if q.Samples() != q.Draws {
		t.Errorf("%d samples for %d draws", q.Samples(), q.Draws)
	}
}

// At the epsilon that keeps an error or a goal, the error or the survival is the one asked for.
func TestEpsilonForAnErrorAndForAGoalAreInverse(t *testing.T) {
	q := question(twoActions(t))
	q.MaxError, q.KeepGoal = 3, 0.9
	got, _ := answers(t, q)
	back := func(epsilon float64) map[string]float64 {
		q := question(twoActions(t))
		q.Guarantee.Epsilon = epsilon
		numbers, _ := answers(t, q)
		return numbers
	}
	near(t, "the error at its epsilon", back(got["epsilon_for_error"])["max_error_independent"], q.MaxError, 1e-6)
	near(t, "the bound at its epsilon", back(got["epsilon_for_error_bound"])["max_error_bound"], q.MaxError, 1e-6)
	near(t, "the survival", back(got["epsilon_for_goal"])["survival"], q.KeepGoal, 1e-6)
	q.KeepGoal = 0.4 // below the survival at unlimited noise, 1/2
	if _, err := q.Answer(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "keep-goal 0.4") {
		t.Errorf("a probability that holds at every epsilon: %v", err)
	}
}

// k releases that share a guarantee need the noise of one release with sqrt(k) times the sensitivity. The numbers
// below use that noise.
func TestReleasesShareTheGuarantee(t *testing.T) {
	q := question(twoActions(t))
	q.Guarantee.Calibration, q.Releases = privacy.Analytic, 9
	got, _ := answers(t, q)
	one := q.Guarantee
	one.Adjacency *= 3
	sigma, err := one.Sigma()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sigma of each of 9", got["flights_sigma"], sigma, 1e-6)
	near(t, "the error of an entry", got["entry_error"], sigma*math.Sqrt(2/math.Pi), 1e-6)
	near(t, "releases allowed at the sigma of one", got["flights_allowed"], 1, 0)
}

// Entries without noise do not count: rewards after the end, and actions that a state lacks.
func TestAnswersCountNoisyEntries(t *testing.T) {
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: map[bool]int{true: s, false: 2}[a == 0], Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{-5, 5, 0.25, math.Inf(-1), 0, 0}}, 0.9, 0, []int32{2})
	if err != nil {
		t.Fatal(err)
	}
	got, drawn := answers(t, question(design.OfProblem("rooms", p)))
	near(t, "the number of entries", got["joint_entries"], 3, 0)
	near(t, "the samples reported", float64(drawn), 4000, 0)
	// E max of three independent errors: the mean of the larger of |X|, |Y| and |Z| in standard deviations.
	near(t, "the largest error simulated", got["max_error_correlated"], got["max_error_independent"],
		4*got["max_error_correlated_se"])
}

// The guarantee is for one entry, and two goals differ in many: the privacy between them follows from the distance
// of their tables. The simulated probability of identifying the goal lies between its exact bounds.
func TestGoalsDifferInAllTheirEntries(t *testing.T) {
	grid, err := planner.NewGrid(3, 3, 10, planner.Cell{}, r3.Vec{}, r3.Vec{X: 20, Y: 20})
	if err != nil {
		t.Fatal(err)
	}
	const weight = 0.5
	shape, err := privacy.NewShape(grid.States(), []int{5})
	if err != nil {
		t.Fatal(err)
	}
	rewards := &design.Rewards{Name: "grid", Shape: shape, Tables: [][]float64{grid.RewardsFor(grid.Goal, weight)},
		Discount: 0.9,
		Mission:  &design.Mission{Grid: grid, Weight: weight, Candidates: []int{grid.Goal, 0, 1}}}
	q := question(rewards)
	q.Draws = 400
	got, drawn := answers(t, q)
	nearest := math.Inf(1)
	for _, other := range []int{0, 1} {
		squares := 0.0
		for i, x := range grid.RewardsFor(other, weight) {
			d := x - rewards.Tables[0][i]
			squares += d * d
		}
		nearest = min(nearest, math.Sqrt(squares))
	}
	near(t, "the distance of the nearest goal", got["goal_distance"], nearest/2, 1e-12)
	near(t, "its mu", got["goal_mu"], nearest/got["sigma"], 1e-12)
	near(t, "the probability of distinguishing", got["goal_told"], math.Erfc(-got["goal_mu"]/2/math.Sqrt2)/2, 1e-9)
	if named, margin := got["goal_named"], 4*got["goal_named_se"]; named < got["goal_named_low"]-margin ||
		named > got["goal_named_high"]+margin {
		t.Errorf("the goal is identified with %v, bounds %v and %v", named, got["goal_named_low"], got["goal_named_high"])
	}
	near(t, "the samples reported", float64(drawn), float64(q.Samples()), 0)
}
