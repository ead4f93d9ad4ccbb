package adversary_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/gonum/stat/distuv"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// The grid of the small cases: 3 x 3 cells, all of them possible goals, at a reward of -2 a cell of distance, and
// a discount so small that an action is worth its reward.
const (
	small       = 3
	smallStates = small * small
	smallWeight = 2
)

// smallGrids returns the grid for every goal.
func smallGrids(tb testing.TB) []*planner.Grid {
	tb.Helper()
	var grids []*planner.Grid
	for goal := range smallStates {
		target := r3.Vec{X: float64(goal % small), Y: float64(goal / small)}
		g, err := planner.NewGrid(small, small, 1, planner.Cell{}, r3.Vec{}, target)
		if err != nil {
			tb.Fatal(err)
		}
		grids = append(grids, g)
	}
	return grids
}

// smallKnowledge knows the small grids; chosen are shares of private policies, by goal and state-action pair.
func smallKnowledge(tb testing.TB, chosen [][]float64) *adversary.Knowledge {
	grids := smallGrids(tb)
	var costs [][]float64
	for _, g := range grids {
		costs = append(costs, g.PathCosts(smallWeight))
	}
	k := &adversary.Knowledge{
		Actions: 5, Rationalities: []float64{math.Ln2 / 2},
		Next: func(goal, state, action int) int { return grids[goal].Next(state, planner.Action(action)) },
		Values: func(goal, state int) []float64 {
			return grids[goal].RewardsFor(goal, smallWeight)[5*state : 5*state+5]
		},
		PathCost: func(goal, state int) float64 { return costs[goal][state] },
	}
	for goal := range grids {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: grids[goal].Position(goal),
			Prior: 1. / smallStates})
	}
	if chosen != nil {
		k.Policies = 1e13 // so many that their shares are their probabilities
		k.Chosen = func(goal, state int, to []float64) {
			for action, share := range chosen[goal][5*state : 5*state+5] {
				to[action] = k.Policies * share
			}
		}
	}
	return k
}

// privateShares returns how likely private policies for every goal take every action when noise of standard
// deviation sigma is on every reward: by quadrature, since states are independent at a discount of 0.
func privateShares(tb testing.TB, sigma float64) [][]float64 {
	grids := smallGrids(tb)
	shares := make([][]float64, smallStates)
	for goal := range shares {
		rewards := grids[goal].RewardsFor(goal, smallWeight)
		for pair := range rewards {
			row := rewards[pair/5*5 : pair/5*5+5]
			largest := func(z float64) float64 {
				p := distuv.UnitNormal.Prob(z)
				for action, r := range row {
					if action != pair%5 {
						p *= distuv.UnitNormal.CDF((rewards[pair]-r)/sigma + z)
					}
				}
				return p
			}
			sum := 0.0
			for z := -10.0; z < 10; z++ { // pieces short enough for the rule
				sum += quad.Fixed(largest, z, z+1, 40, quad.Legendre{}, 0)
			}
			shares[goal] = append(shares[goal], sum)
		}
	}
	return shares
}

// watched is the posterior after a route on the small grid.
func watched(tb testing.TB, name string, k *adversary.Knowledge, route ...int) []float64 {
	tb.Helper()
	return watchedAlong(tb, name, k, smallGrids(tb)[0], route)
}

// watchedAlong is the posterior after a route on a grid.
func watchedAlong(tb testing.TB, name string, k *adversary.Knowledge, g *planner.Grid, route []int) []float64 {
	tb.Helper()
	m, err := adversary.FindGoalModel(name)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := adversary.NewBelief(m, k)
	if err != nil {
		tb.Fatal(err)
	}
	h := sim.History{StepS: 1}
	for i, state := range route {
		h.Samples = append(h.Samples, sim.Sample{R: g.Position(state)})
		if i < len(route)-1 {
			h.Visits = append(h.Visits, sim.Visit{Sample: i, State: state, Commanded: route[i+1]})
		}
	}
	var last []float64
	h.Handover = len(h.Samples)
	b.Watch(&h, func(_ int, posterior []float64) { last = slices.Clone(posterior) })
	return last
}

func mustBeClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s: goal %d has %.12f, want %.12f", what, i, got[i], want[i])
		}
	}
}

// Cases that can be worked out by hand, in closed form.
func TestMovesInClosedForm(t *testing.T) {
	const rounding = 1e-12 // absolute, of shares
	k := smallKnowledge(t, nil)
	for _, c := range []struct {
		what  string
		route []int
		want  []float64
	}{
		{"east from the corner", []int{0, 1}, []float64{1. / 11, 2. / 11, 2. / 11, 1. / 11, 1. / 11, 1. / 11, 1. / 11,
			1. / 11, 1. / 11}},
		{"north-east from the centre", []int{4, 8}, []float64{0, 0, 0, 0, 0, 0, 0, 0, 1}},
		{"east, then north-east", []int{0, 1, 5}, []float64{0, 0, 0, 0, 0, .5, 0, 0, .5}},
		{"staying in the corner", []int{0, 0}, []float64{3. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19,
			2. / 19, 2. / 19}},
		{"staying there twice", []int{0, 0, 0}, []float64{3. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19, 2. / 19,
			2. / 19, 2. / 19}},
	} {
		mustBeClose(t, c.what, watched(t, "moves", k, c.route...), c.want, rounding)
	}
	mustBeClose(t, "geometry sees no moves", watched(t, "geometry", k, 0, 1),
		slices.Repeat([]float64{1. / smallStates}, smallStates), rounding)
}

// What a goal shows of itself multiplies its prior. By an observer without evidence the priors stay; a move east
// from the corner is twice as likely for the goals 1 and 2.
func TestPriorsAreMultiplied(t *testing.T) {
	const rounding = 1e-12 // absolute, of shares
	k := smallKnowledge(t, nil)
	priors := []float64{.3, .2, .1, .1, .1, .05, .05, .05, .05}
	for goal, prior := range priors {
		k.Candidates[goal].Prior = prior
	}
	mustBeClose(t, "no evidence", watched(t, "geometry", k, 0, 1), priors, rounding)
	mustBeClose(t, "east from the corner", watched(t, "moves", k, 0, 1), []float64{.3 / 1.3, .4 / 1.3, .2 / 1.3, .1 / 1.3,
		.1 / 1.3, .05 / 1.3, .05 / 1.3, .05 / 1.3, .05 / 1.3}, rounding)
}

// Some observers know the noise: from private policies, or from flights that they learned from.
func TestKnowledgeOfNoise(t *testing.T) {
	for name, want := range map[string]bool{"geometry": false, "moves": false, "heading": false, "rational": false,
		"mechanism": true, "progress": true, "learned": true} {
		m, err := adversary.FindGoalModel(name)
		if err != nil || m.KnowsNoise() != want {
			t.Errorf("%s knows the noise: %t, %v", name, m.KnowsNoise(), err)
		}
	}
}

// The values were computed by another program, the private ones by quadrature.
func TestSmallCasesOfRationalAndMechanism(t *testing.T) {
	const printed = 1e-6 // absolute: the values have six decimals
	mustBeClose(t, "rational", watched(t, "rational", smallKnowledge(t, nil), 4, 5),
		[]float64{.049908, .071287, .117560, .047498, .095009, .379983, .049908, .071287, .117560}, printed)
	mustBeClose(t, "mechanism", watched(t, "mechanism", smallKnowledge(t, privateShares(t, 2)), 4, 5),
		[]float64{.013187, .035961, .114643, .011453, .083630, .577335, .013187, .035961, .114643}, printed)
}

// Counts are smoothed as documented: of three policies two go east and one goes to the target, which for goal 5
// is east as well. Four moves leave the centre then, five for goal 8.
func TestMechanismSmoothsCounts(t *testing.T) {
	k := smallKnowledge(t, nil)
	k.Policies = 3
	k.Chosen = func(_, _ int, to []float64) { copy(to, []float64{0, 0, 2, 0, 1}) }
	p := watched(t, "mechanism", k, 4, 5)
	const rounding = 1e-12
	if got, want := p[5]/p[8], (3.5/5)/(2.5/5.5); !(math.Abs(got-want) <= rounding) {
		t.Errorf("goal 5 has %v times the share of goal 8, want %v", got, want)
	}
}

// Geometry agrees with looking at every sample, on flights that wander, before, at and after the hand-over.
func TestGeometryLooksAtEverySample(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 30 {
		k := smallKnowledge(t, nil)
		k.HandoverKm = 0.8
		h := sim.History{StepS: 1}
		at := r3.Vec{X: 4 * random.Float64(), Y: -1.5}
		for range 200 {
			h.Samples = append(h.Samples, sim.Sample{R: at})
			at = r3.Add(at, r3.Vec{X: 0.1 * random.NormFloat64(), Y: 0.02 + 0.05*random.NormFloat64()})
		}
		entered := make([]int, smallStates)
		for goal, c := range k.Candidates {
			entered[goal] = slices.IndexFunc(h.Samples, func(s sim.Sample) bool {
				return r3.Norm(r3.Sub(s.R, c.TargetKm)) < k.HandoverKm
			})
			if entered[goal] < 0 {
				entered[goal] = len(h.Samples)
			}
		}
		handover := entered[trial%smallStates]
		m, _ := adversary.FindGoalModel("geometry")
		b, err := adversary.NewBelief(m, k)
		if err != nil {
			t.Fatal(err)
		}
		believed := make([][]float64, len(h.Samples)+1)
		h.Handover = handover
		b.Watch(&h, func(sample int, p []float64) { believed[sample] = slices.Clone(p) })
		for i := range h.Samples {
			if believed[i] == nil {
				believed[i] = believed[i-1]
			}
			left := 0
			for goal := range entered {
				possible := i < handover && entered[goal] > i || i >= handover && entered[goal] == handover
				if possible {
					left++
				}
				if possible != (believed[i][goal] > 0) {
					t.Fatalf("trial %d, sample %d, goal %d: possible is %v, its share %v", trial, i, goal, possible, believed[i][goal])
				}
			}
			for goal, p := range believed[i] {
				if p > 0 && !(math.Abs(p*float64(left)-1) <= 1e-12) {
					t.Fatalf("trial %d, sample %d, goal %d: share %v of %d", trial, i, goal, p, left)
				}
			}
		}
	}
}

// A flight that gives its waypoints up says nothing by that: what it commanded last was never flown, and where it
// goes afterwards is not judged.
func TestBeliefOfAFallback(t *testing.T) {
	k := smallKnowledge(t, nil)
	k.HandoverKm = 0.5
	m, _ := adversary.FindGoalModel("moves")
	b, err := adversary.NewBelief(m, k)
	if err != nil {
		t.Fatal(err)
	}
	away := sim.Sample{R: r3.Vec{X: -1}}
	h := sim.History{StepS: 1, Samples: []sim.Sample{away, away, {R: r3.Vec{X: 2, Y: 2}}},
		Visits: []sim.Visit{{Sample: 0, State: 0, Commanded: 1}, {Sample: 1, State: 1, Commanded: 5}}}
	var last []float64
	h.Handover, h.GaveUp = 1, true
	b.Watch(&h, func(_ int, p []float64) { last = slices.Clone(p) })
	mustBeClose(t, "after the first move", last, []float64{1. / 11, 2. / 11, 2. / 11, 1. / 11, 1. / 11, 1. / 11, 1. / 11,
		1. / 11, 1. / 11}, 1e-12)
}

// Evidence of many moves keeps its digits where the likeliest goals are ruled out at last.
func TestBeliefKeepsDigits(t *testing.T) {
	k := smallKnowledge(t, nil)
	k.Candidates = k.Candidates[:2]
	k.Candidates[0].Prior, k.Candidates[1].Prior = 0.5, 0.5
	k.Candidates[0].TargetKm, k.Candidates[1].TargetKm = r3.Vec{X: 100}, r3.Vec{X: 300}
	k.HandoverKm = 10
	k.Rationalities = []float64{1}
	k.Values = func(goal, _ int) []float64 { return []float64{float64(-2000 * goal), 0, 0, 0, 0} }
	k.Next = func(_, _, action int) int { return action }
	m, _ := adversary.FindGoalModel("rational")
	b, err := adversary.NewBelief(m, k)
	if err != nil {
		t.Fatal(err)
	}
	h := sim.History{StepS: 1, Samples: []sim.Sample{{}, {R: r3.Vec{X: 100}}, {R: r3.Vec{X: 200}}},
		Visits: []sim.Visit{{Sample: 0, State: 0, Commanded: 0}}}
	var all [][]float64
	h.Handover = 3
	b.Watch(&h, func(_ int, p []float64) { all = append(all, slices.Clone(p)) })
	if first, last := all[0], all[len(all)-1]; first[0] != 1 || last[1] != 1 {
		t.Errorf("posteriors %v, want certainty of the first goal, then of the second", all)
	}
}

func TestGoalModelsRefuseWhatTheyLack(t *testing.T) {
	for name, c := range map[string]struct {
		model string
		spoil func(*adversary.Knowledge)
	}{
		"mechanism needs private policies": {"mechanism", func(*adversary.Knowledge) {}},
		"at least one rationality":         {"rational", func(k *adversary.Knowledge) { k.Rationalities = nil }},
		"rationality -1":                   {"rational", func(k *adversary.Knowledge) { k.Rationalities = []float64{-1} }},
		"rationality 0": {"cost_difference", func(k *adversary.Knowledge) {
			k.Rationalities = []float64{0}
		}},
		"path costs":             {"cost_difference", func(k *adversary.Knowledge) { k.PathCost = nil }},
		"at least one candidate": {"geometry", func(k *adversary.Knowledge) { k.Candidates = nil }},
		"sum to":                 {"geometry", func(k *adversary.Knowledge) { k.Candidates[0].Prior = 1 }},
		"prior -1":               {"geometry", func(k *adversary.Knowledge) { k.Candidates[0].Prior = -1 }},
		"0 actions":              {"moves", func(k *adversary.Knowledge) { k.Actions = 0 }},
	} {
		k := smallKnowledge(t, nil)
		c.spoil(k)
		m, err := adversary.FindGoalModel(c.model)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := adversary.NewBelief(m, k); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if _, err := adversary.FindGoalModel("seer"); err == nil || !strings.Contains(err.Error(), "mechanism") {
		t.Errorf("an unknown observer: %v", err)
	}
}

func TestStand(t *testing.T) {
	for _, c := range []struct {
		posterior []float64
		goal      int
		want      adversary.Standing
	}{
		{[]float64{.25, .25, .25, .25}, 2, adversary.Standing{Bits: 2, Entropy: 2, Rank: 2.5, Top1: .25, Top5: 1}},
		{[]float64{.5, .25, .25, 0}, 0, adversary.Standing{Bits: 1, Entropy: 1.5, Rank: 1, Top1: 1, Top5: 1}},
		{[]float64{.5, .25, .25, 0}, 1, adversary.Standing{Bits: 2, Entropy: 1.5, Rank: 2.5, Top1: 0, Top5: 1}},
		{[]float64{.5, .25, .25, 0}, 3, adversary.Standing{Bits: math.Inf(1), Entropy: 1.5, Rank: 4, Top1: 0, Top5: 1}},
		{[]float64{.125, .125, .125, .125, .125, .125, .125, .125}, 0,
			adversary.Standing{Bits: 3, Entropy: 3, Rank: 4.5, Top1: .125, Top5: .625}},
	} {
		if got := adversary.Stand(c.posterior, c.goal); got != c.want {
			t.Errorf("goal %d in %v stands %+v, want %+v", c.goal, c.posterior, got, c.want)
		}
	}
}

// wanders returns a flight of some samples that wanders northwards past the small grid.
func wanders(random *rand.Rand, samples int) sim.History {
	h := sim.History{StepS: 1}
	at := r3.Vec{X: 4 * random.Float64(), Y: -2.5}
	for range samples {
		h.Samples = append(h.Samples, sim.Sample{R: at})
		at = r3.Add(at, r3.Vec{X: 0.1 * random.NormFloat64(), Y: 0.04 + 0.05*random.NormFloat64()})
	}
	return h
}

// Where the hand-over distance is drawn, the share of a goal is that of the distances with which the flight would
// have gone as it did: those which no sample came within before the hand-over, and which the first one after it
// did.
func TestDrawnHandoverLooksAtEverySample(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for trial := range 30 {
		k := smallKnowledge(t, nil)
		k.HandoverKm, k.HandoverCDF = 0.8, uniformCDF(0.4, 1.2)
		h := wanders(random, 80)
		goal := k.Candidates[trial%smallStates].TargetKm
		h.Handover = slices.IndexFunc(h.Samples, func(s sim.Sample) bool {
			return r3.Norm(r3.Sub(s.R, goal)) < 0.4+0.8*float64(trial)/30
		})
		if h.Handover < 1 {
			h.Handover = len(h.Samples)
		}
		m, _ := adversary.FindGoalModel("geometry")
		b, err := adversary.NewBelief(m, k)
		if err != nil {
			t.Fatal(err)
		}
		b.Watch(&h, func(sample int, p []float64) {
			want, sum := make([]float64, len(p)), 0.0
			for g, c := range k.Candidates {
				const distances = 1000 // between 0.4 and 1.2 km
				near, after := math.Inf(1), 0.0
				for i := range h.Samples[:min(sample+1, h.Handover)] {
					near = min(near, r3.Norm(r3.Sub(h.Samples[i].R, c.TargetKm)))
				}
				if sample == h.Handover && sample < len(h.Samples) {
					after = r3.Norm(r3.Sub(h.Samples[sample].R, c.TargetKm))
				}
				for n := range distances {
					if km := 0.4 + 0.8*(float64(n)+0.5)/distances; km <= near && km > after {
						want[g]++
						sum++
					}
				}
			}
			for g := range want {
				if sum > 200 && !(math.Abs(p[g]-want[g]/sum) < 0.01) {
					t.Fatalf("trial %d, sample %d, goal %d: share %v, want %v", trial, sample, g, p[g], want[g]/sum)
				}
			}
		})
	}
}

// What is told at some samples is what watching all the way passed on last by then: where the hand-over distance
// is fixed and where it is drawn, before, at and after the hand-over, past the end and after a flight that gives
// up.
func TestBeliefAtSomeSamplesIsThatOfWatching(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var possible [2]int // by whether the distance is drawn
	for trial := range 60 {
		k := smallKnowledge(t, nil)
		k.HandoverKm = 0.8
		if trial%2 == 1 {
			k.HandoverCDF = uniformCDF(0.4, 1.2)
		}
		h := wanders(random, 80)
		h.GaveUp, h.Handover = trial%3 == 0, random.IntN(len(h.Samples)+1)
		for i := 0; i < h.Handover; i += 17 {
			h.Visits = append(h.Visits, sim.Visit{Sample: i, State: random.IntN(2), Commanded: random.IntN(2)})
		}
		m, _ := adversary.FindGoalModel("rational")
		b, err := adversary.NewBelief(m, k)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][]float64, len(h.Samples)+20)
		b.Watch(&h, func(sample int, p []float64) { want[sample] = slices.Clone(p) })
		for i := range want {
			if want[i] == nil {
				want[i] = want[i-1]
			}
		}
		var asked []int
		for i := random.IntN(30); i < len(want); i += 1 + random.IntN(30) {
			asked = append(asked, i)
		}
		var got []int
		b.At(&h, asked, func(n int, p []float64) {
			got = append(got, asked[n])
			if p[0] >= 0 {
				possible[trial%2]++
			}
			if !slices.EqualFunc(p, want[asked[n]], func(x, y float64) bool { return x == y || x != x && y != y }) {
				t.Errorf("trial %d, sample %d, hand-over at %d: %v, want %v", trial, asked[n], h.Handover, p, want[asked[n]])
			}
		})
		if !slices.Equal(got, asked) {
			t.Errorf("trial %d: told %v, want %v", trial, got, asked)
		}
	}
	if min(possible[0], possible[1]) < 50 {
		t.Errorf("%d posteriors of flights that are possible, want 50 each", possible)
	}
}
