package adversary_test

import (
	"math"
	"slices"
	"testing"
)

// shares returns weights over their sum.
func shares(weights ...float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}

// On the small grid a straight move costs 2 and a diagonal 2 sqrt(2), so a difference of 2 makes a goal half as likely
// at beta = ln(2)/2.
func TestCostDifferenceInClosedForm(t *testing.T) {
	const rounding = 1e-12 // absolute, of shares
	k := smallKnowledge(t, nil)
	near, far := math.Exp2(math.Sqrt2-1), math.Exp2(1-math.Sqrt2)
	east := []float64{0.5, 2, 2, far, near, 2, far, near, near}
	centre, corner := math.Exp2(math.Sqrt2), math.Exp2(2-math.Sqrt2)
	northEast := []float64{1 / centre, 1, corner, 1, centre, centre, corner, centre, centre}
	for _, c := range []struct {
		what  string
		route []int
		want  []float64
	}{
		{"no move", []int{0}, slices.Repeat([]float64{1}, smallStates)},
		{"staying in the corner", []int{0, 0}, slices.Repeat([]float64{1}, smallStates)},
		{"east from the corner", []int{0, 1}, east},
		{"north-east from the corner", []int{0, 4}, northEast},
	} {
		mustBeClose(t, c.what, watched(t, "cost_difference", k, c.route...), shares(slices.Clone(c.want)...), rounding)
	}

	k.Rationalities = []float64{math.Ln2 / 2, math.Ln2}
	var squares []float64
	for _, w := range east {
		squares = append(squares, w*w)
	}
	want, doubled := shares(slices.Clone(east)...), shares(squares...)
	for goal := range want {
		want[goal] = (want[goal] + doubled[goal]) / 2
	}
	mustBeClose(t, "the mean over two betas", watched(t, "cost_difference", k, 0, 1), want, rounding)
}

// Only the first state and the present one matter: every route between them leaves the same posterior, whatever it
// costs, though another end or another start leaves another.
func TestCostDifferenceIsThatOfOneObservation(t *testing.T) {
	k := smallKnowledge(t, nil)
	k.Rationalities = []float64{0.1, 1}
	want := watched(t, "cost_difference", k, 0, 4)
	for _, route := range [][]int{{0, 1, 4}, {0, 3, 4}, {0, 1, 2, 5, 8, 7, 4}, {0, 0, 1, 0, 4, 5, 4}} {
		if got := watched(t, "cost_difference", k, route...); !slices.Equal(got, want) {
			t.Errorf("%v leaves %v, straight there %v", route, got, want)
		}
	}
	for _, route := range [][]int{{0, 1, 4, 5}, {1, 4}} {
		if got := watched(t, "cost_difference", k, route...); slices.Equal(got, want) {
			t.Errorf("%v leaves the posterior of another start or end", route)
		}
	}
}
