package adversary

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// choice is an example of goals whose features beside the given ones are 0, all as probable without them.
func choice(goal int, features ...map[int]float32) Example {
	e := Example{goal: goal, offsets: make([]float64, len(features)),
		features: make([]float32, len(features)*featureCount)}
	for g, values := range features {
		for i, x := range values {
			e.features[g*featureCount+i] = x
		}
	}
	return e
}

func learn(t *testing.T, examples []Example, workers int) []float64 {
	t.Helper()
	w, err := Learn(context.Background(), examples, workers)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Of two goals one has a feature that the other lacks, and is flown to in three of four flights: its weight is log 3,
// but for the penalty, which the condition for a maximum has, n sigma(w) + ridge w = 3 n/4. An offset of a goal is made
// up for.
func TestLearnInClosedForm(t *testing.T) {
	const flights = 400
	for _, offset := range []float64{0, 0.7, math.Inf(-1)} {
		var examples []Example
		for run := range flights {
			e := choice(min(run%4, 1), map[int]float32{}, map[int]float32{stays: 1})
			if e.offsets[1] = offset; math.IsInf(offset, -1) { // a third goal that is impossible changes nothing
				e = choice(min(run%4, 1), map[int]float32{}, map[int]float32{stays: 1}, map[int]float32{stays: -3})
				e.offsets[2] = offset
			}
			examples = append(examples, e)
		}
		w := learn(t, examples, 1)
		if math.IsInf(offset, -1) {
			offset = 0
		}
		left := flights/(1+math.Exp(-w[stays]-offset)) + ridge*w[stays] - 0.75*flights
		if !(math.Abs(left) <= 1e-4*flights) {
			t.Errorf("offset %v: the weight is %v, near %v; the condition for a maximum is off by %v", offset, w[stays],
				math.Log(3)-offset, left)
		}
		for i, x := range w {
			if i != stays && x != 0 {
				t.Errorf("feature %d, which no goal has, has weight %v", i, x)
			}
		}
	}
}

// Goals drawn by a logit teach its weights, to what so many examples leave open, whatever the workers.
func TestLearnFindsTheWeightsThatGoalsAreDrawnBy(t *testing.T) {
	const flights, goals = 4000, 6
	truth := map[int]float64{straightMoves: 1.5, diagonalMoves + 3: -0.8, detour: -2, headingCosine: 0.5}
	random := rand.New(rand.NewPCG(1, 2))
	var examples []Example
	for range flights {
		features, odds, sum := make([]map[int]float32, goals), make([]float64, goals), 0.0
		for g := range features {
			features[g] = map[int]float32{}
			score := 0.0
			for _, i := range []int{straightMoves, diagonalMoves + 3, detour, headingCosine} {
				x := float32(random.NormFloat64())
				features[g][i] = x
				score += truth[i] * float64(x)
			}
			odds[g] = math.Exp(score)
			sum += odds[g]
		}
		u, goal := random.Float64()*sum, 0
		for ; goal < goals-1 && u >= odds[goal]; goal++ {
			u -= odds[goal]
		}
		examples = append(examples, choice(goal, features...))
	}
	w := learn(t, examples, 1)
	for i, x := range w {
		const fourDeviations = 0.25 // of the least certain weight, from the spread of the features of so many flights
		if !(math.Abs(x-truth[i]) <= fourDeviations) {
			t.Errorf("weight %d is %.3f, goals are drawn by %.3f", i, x, truth[i])
		}
	}
	if three := learn(t, examples, 3); !slices.Equal(w, three) {
		t.Errorf("three workers learn %v, one %v", three, w)
	}
}

func TestLearnEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Learn(ctx, []Example{choice(0, map[int]float32{stays: 1}, nil)}, 1); err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}

// squares knows a grid of three columns, 10 km apart, whose goals are the given states.
func squares(goals ...int) *Knowledge {
	k := &Knowledge{Actions: 1, Waypoint: func(state int) r3.Vec {
		return r3.Vec{X: 10 * float64(state%3), Y: 10 * float64(state/3)}
	}}
	for _, g := range goals {
		at := k.Waypoint(g)
		at.Z = -3
		k.Candidates = append(k.Candidates, Candidate{TargetKm: at, Prior: 1 / float64(len(goals))})
	}
	return k
}

// The features of moves in closed form: by the sector of the angle to the bearing of the goal, 15 degrees each.
func TestFeaturesOfMoves(t *testing.T) {
	k := squares(2, 6, 8, 3)
	for _, c := range []struct {
		state, next int
		again       bool
		want        [4]map[int]float64 // by goal
	}{
		{0, 1, false, [4]map[int]float64{{straightMoves: 1}, {straightMoves + 6: 1}, {straightMoves + 3: 1},
			{straightMoves + 6: 1}}},
		{0, 3, false, [4]map[int]float64{{straightMoves + 6: 1}, {straightMoves: 1}, {straightMoves + 3: 1},
			{straightMoves: 1}}},
		{0, 4, false, [4]map[int]float64{{diagonalMoves + 3: 1}, {diagonalMoves + 3: 1}, {diagonalMoves: 1},
			{diagonalMoves + 3: 1}}},
		{4, 3, false, [4]map[int]float64{{straightMoves + 9: 1}, {straightMoves + 3: 1}, {straightMoves + 9: 1},
			{straightMoves: 1}}},
		{4, 5, false, [4]map[int]float64{{straightMoves + 3: 1}, {straightMoves + 9: 1}, {straightMoves + 3: 1},
			{straightMoves + 11: 1}}},
		{4, 4, false, [4]map[int]float64{{stays: 1}, {stays: 1}, {stays: 1}, {stays: 1}}},
		{0, 1, true, [4]map[int]float64{{laterMoves: 1}, {laterMoves: 0}, {laterMoves: math.Sqrt2 / 2}, {laterMoves: 0}}},
	} {
		f := newFeatures(k)
		f.See(c.state, c.next, c.again)
		for goal, want := range c.want {
			for i, x := range f.row(goal) {
				if !(math.Abs(x-want[i]) <= 1e-12) {
					t.Errorf("%d to %d, goal %d: feature %d is %v, want %v", c.state, c.next, goal, i, x, want[i])
				}
			}
		}
		f.Reset()
		if slices.ContainsFunc(f.values, func(x float64) bool { return x != 0 }) {
			t.Errorf("%d to %d is not forgotten", c.state, c.next)
		}
	}
}

// The features of a path in closed form: 20 km along two sides of a square, seen at once or in parts.
func TestFeaturesOfAPath(t *testing.T) {
	k := squares(2, 6)
	samples := []sim.Sample{{V: r3.Vec{X: 1, Y: 1e-3}}, {R: r3.Vec{X: 10}, V: r3.Vec{X: 1}},
		{R: r3.Vec{X: 10, Y: 10}, V: r3.Vec{Y: 1}}}
	whole, parts := newFeatures(k), newFeatures(k)
	whole.SeePath(samples)
	for i := range samples {
		parts.SeePath(samples[:i+1])
	}
	if !slices.Equal(whole.values, parts.values) {
		t.Errorf("seen in parts %v, at once %v", parts.values, whole.values)
	}
	left := 10 * math.Sqrt2
	for goal, want := range []map[int]float64{
		{detour: (left) / unitKm, nearer: (20 - left) / unitKm, headingCosine: -math.Sqrt2 / 2, firstHeading + 2: 1,
			firstHeading + 3: 1},
		{detour: (left) / unitKm, nearer: (20 - left) / unitKm, headingCosine: math.Sqrt2 / 2},
	} {
		for i, x := range whole.row(goal) {
			if !(math.Abs(x-want[i]) <= 1e-12) {
				t.Errorf("goal %d: feature %d is %v, want %v", goal, i, x, want[i])
			}
		}
	}
}

// The posterior of who has learned is the logit of the features and weights, times what the hand-over has shown, as
// the examples have it that it learns from.
func TestLearnedIsTheLogitOfItsFeatures(t *testing.T) {
	k := squares(2, 6, 8)
	k.HandoverKm = 5
	k.Learned = make([]float64, featureCount)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range k.Learned {
		k.Learned[i] = random.NormFloat64()
	}
	h := &sim.History{StepS: 1, Handover: 4, Samples: []sim.Sample{{V: r3.Vec{X: 1}}, {R: r3.Vec{X: 10}, V: r3.Vec{X: 1}},
		{R: r3.Vec{X: 19}, V: r3.Vec{Y: 1}}, {R: r3.Vec{X: 19, Y: 9}, V: r3.Vec{Y: 1}}},
		Visits: []sim.Visit{{Sample: 0, State: 0, Commanded: 1}, {Sample: 1, State: 1, Commanded: 2},
			{Sample: 2, State: 2, Commanded: 5}}}
	model, err := FindGoalModel("learned")
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewBelief(model, k)
	if err != nil {
		t.Fatal(err)
	}
	teacher, err := NewTeacher(k)
	if err != nil {
		t.Fatal(err)
	}
	for sample, possible := range [][]int{{0, 1, 2}, {0, 1, 2}, {1, 2}, {1, 2}} {
		var got []float64
		b.At(h, []int{sample}, func(_ int, p []float64) { got = slices.Clone(p) })
		e := teacher.Example(h, sample, possible[1])
		if e.goal != 1 || len(e.offsets) != len(possible) {
			t.Fatalf("sample %d: goal %d of %d, want 1 of %d", sample, e.goal, len(e.offsets), len(possible))
		}
		want, sum := make([]float64, 3), 0.0
		for i, goal := range possible {
			score := e.offsets[i]
			for j, x := range e.features[i*featureCount : (i+1)*featureCount] {
				score += k.Learned[j] * float64(x)
			}
			want[goal] = math.Exp(score)
			sum += want[goal]
		}
		for goal := range want {
			if !(math.Abs(got[goal]-want[goal]/sum) <= 1e-6) { // features of examples have seven digits
				t.Errorf("sample %d, goal %d: %v, want %v", sample, goal, got[goal], want[goal]/sum)
			}
		}
	}
	for _, weights := range [][]float64{nil, make([]float64, featureCount-1), slices.Repeat([]float64{math.NaN()},
		featureCount)} {
		k.Learned = weights
		if _, err := NewBelief(model, k); err == nil || !strings.Contains(err.Error(), "adversary: the") {
			t.Errorf("weights %v: the error is %v", weights, err)
		}
	}
	k.Waypoint = nil
	if _, err := NewTeacher(k); err == nil {
		t.Error("a teacher without waypoints")
	}
}
