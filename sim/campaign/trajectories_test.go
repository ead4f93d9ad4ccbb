package campaign

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/sim"
	"veilpath/sim/study"
)

// A map draws where a flight was, also on a mission of a few km and up to its last position.
func TestMapsDrawWhatWasFlown(t *testing.T) {
	for _, spacing := range []float64{0.25, 20, 110} {
		g := &planner.Grid{Columns: 20, Rows: 17, SpacingKm: spacing}
		var flown []r3.Vec // around a corner, a tenth of a cell at a time
		for k := range 101 {
			x := spacing * float64(k) / 10
			flown = append(flown, r3.Vec{X: min(x, 5*spacing), Y: max(0, x-5*spacing)})
		}
		drawn := drawnPath(g, flown)
		corner, end := math.Inf(1), drawn[len(drawn)-1]
		for _, p := range drawn {
			corner = min(corner, r3.Norm(r3.Sub(p, r3.Vec{X: 5 * spacing})))
		}
		if corner > 0.02*spacing || end != flown[100] || len(drawn) > 10 {
			t.Errorf("cells of %v km: the path ends at %v, %v km from the corner, with %d points", spacing, end, corner,
				len(drawn))
		}
	}
}

// The thin flights of a map at epsilon none have no noise, and a drawn heading makes the thick one one of many.
func TestTheLegendOfMaps(t *testing.T) {
	noisy, none := epsilonMap{epsilon: 0.5}, epsilonMap{epsilon: study.None()}
	for _, c := range []struct {
		maps     []epsilonMap
		scenario sim.Scenario
		want     string
	}{
		{[]epsilonMap{noisy}, sim.Scenario{}, "Thin: private flights; thick: flight without noise; dashed: end of privacy"},
		{[]epsilonMap{noisy, none}, sim.Scenario{RandomHeading: true}, "Thin: flights at the epsilon above, at none " +
			"without noise; thick: one of the flights without noise; dashed: end of privacy"},
		{[]epsilonMap{noisy}, sim.Scenario{HandoverSpreadKm: 5}, "dashed: end of privacy on average, drawn within 5 km"},
	} {
		if got := legend(c.maps, &c.scenario); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q lacks %q", got, c.want)
		}
	}
}

// With several goals, a note says how many flights end at another goal than the plan without noise.
func TestOtherGoals(t *testing.T) {
	summaries := []study.Summary{{Epsilon: study.None(), Runs: 9, OtherGoal: 1},
		{Epsilon: 0.5, Runs: 8, OtherGoal: 0.375}, {Epsilon: 1, Runs: 8}}
	const target = "the target of a flight is the one of the 3 goals at which it ends"
	for _, c := range []struct {
		goals     int
		summaries []study.Summary
		want      string
	}{
		{1, summaries, ""},
		{3, summaries, target + "; flights that end at another goal than the plan without noise: " +
			"37.5 % at epsilon 0.5; the effect of noise includes this"},
		{3, summaries[2:], target + ", here always the goal of the plan without noise"},
	} {
		if got := otherGoals(c.goals, c.summaries); got != c.want {
			t.Errorf("%d goals: %q, want %q", c.goals, got, c.want)
		}
	}
}

// A mission of several goals says which of them is the target of a flight.
func TestTheGoalOfAFlight(t *testing.T) {
	for goals, want := range map[int]string{1: "",
		2: "the target of a flight is the one of the 2 goals at which it ends"} {
		if got := GoalOf(goals); got != want {
			t.Errorf("%d goals: %q, want %q", goals, got, want)
		}
	}
}
