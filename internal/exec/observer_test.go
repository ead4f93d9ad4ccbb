package exec

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/sim"
)

// flight flies the optimal plan of a small mission.
func flight(t testing.TB) (*sim.History, sim.Outcome) {
	t.Helper()
	of := mission(t)
	s := sim.Scenario{SpeedKmS: 0.3, AccelLimitKmS2: 0.01, Start: r3.Vec{Z: 10}, Target: r3.Vec{X: 70, Y: 10},
		HeadingRad: math.NaN(), HandoverKm: 30, WaypointGain: 3, WaypointMinTgoS: 1, GenexMinTgoS: 0.5, MaxTransitions: 50,
		StepS: 0.5, CaptureKm: 1, MaxTimeS: 2000}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	h := new(sim.History)
	outcome := s.Fly(&planner.Route{Grid: of.Grid, Policy: of.Optimal.Policy}, h)
	return h, outcome
}

// watching starts a fake observer that ends with the test.
func watching(t testing.TB, kind string) *Command {
	t.Helper()
	c, err := Start(Fake(kind), observerRole, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func foresee(t testing.TB, m adversary.Model, h *sim.History) ([]r3.Vec, error) {
	t.Helper()
	o, err := m.New(adversary.Settings{LambdaPerS: 0.1})
	if err != nil {
		t.Fatal(err)
	}
	foreseen := make([]r3.Vec, len(h.Samples))
	o.Foresee(h, r3.Vec{X: 5}, foreseen)
	return foreseen, adversary.Failure(o)
}

// An observer that computes the ballistic guess by its formula foresees what the built-in one does.
func TestPointsAreTheBuiltInOnes(t *testing.T) {
	h, _ := flight(t)
	model, err := adversary.Find("ballistic")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := foresee(t, model, h)
	for _, extra := range []string{"", ` ,"every":7`} {
		got, err := foresee(t, watching(t, "ballistic"+extra).Model("exec:x"), h)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			at := i
			if extra != "" {
				at -= i % 7 // whose answer holds
			}
			// 1e-9 km: both formulas cancel to some 1e-13 of 1e3 km.
			if off := r3.Norm(r3.Sub(got[i], want[at])); !(off < 1e-9) {
				t.Fatalf("%s sample %d is %g km off", extra, i, off)
			}
		}
	}
}

// An observer that looks at what is still to come is found out.
func TestLookingAheadIsAnError(t *testing.T) {
	h, _ := flight(t)
	foreseen, err := foresee(t, watching(t, "peeks").Model("exec:x"), h)
	if err == nil || !strings.Contains(err.Error(), "looks ahead") {
		t.Errorf("got %v", err)
	}
	if !math.IsInf(foreseen[3].X, 1) {
		t.Errorf("it foresees %v", foreseen[3])
	}
}

func TestWrongObservers(t *testing.T) {
	h, _ := flight(t)
	for line, want := range map[string]string{
		`{"points":[[1,2,3]]}`:       "points has 1 rows; want",
		`{"posterior":[[1]]}`:        `want one of "points"`,
		`{"policy":[1]}`:             `want one of "points"`,
		`{"error":"I saw nothing"}`:  "I saw nothing",
		`{"points":[["a","b","c"]]}`: "points: json: cannot unmarshal string into Go value of type float64",
	} {
		t.Setenv("VEILPATH_FAKE_LINE", line)
		if _, err := foresee(t, watching(t, "says").Model("exec:x"), h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", line, err, want)
		}
	}
}

func knowledge() *adversary.Knowledge {
	k := &adversary.Knowledge{HandoverKm: 30, Actions: 5}
	for i, prior := range []float64{0.5, 0.3, 0.2} {
		k.Candidates = append(k.Candidates, adversary.Candidate{TargetKm: r3.Vec{X: 70, Y: 10 * float64(i+1)}, Prior: prior})
	}
	return k
}

// An observer that answers the priors believes in them to the end: neither moves nor the hand-over are added.
func TestPosteriorIsTakenAsItIs(t *testing.T) {
	h, outcome := flight(t)
	o := watching(t, `priors ,"answers":"posterior","every":5`)
	b, err := adversary.NewBelief(o.GoalModel("fake"), knowledge())
	if err != nil {
		t.Fatal(err)
	}
	var samples []int
	b.Watch(h, func(sample int, posterior []float64) {
		samples = append(samples, sample)
		if !slices.Equal(posterior, []float64{0.5, 0.3, 0.2}) {
			t.Errorf("sample %d: %v", sample, posterior)
		}
	})
	if len(samples) != (len(h.Samples)+4)/5 || samples[1] != 5 {
		t.Errorf("asked at %d samples of %d, the second %d", len(samples), len(h.Samples), samples[1])
	}
	b.At(h, []int{0, 40, len(h.Samples) + 3}, func(k int, posterior []float64) {
		if posterior[1] != 0.3 {
			t.Errorf("place %d: %v", k, posterior)
		}
	})
	spread := make([]float64, len(h.Samples))
	b.Spread(h, outcome.Target, spread)
	if spread[17] != 0 || b.Err() != nil { // half is at the target itself
		t.Errorf("half of the belief lies within %v km, %v", spread[17], b.Err())
	}
}

// An observer that goes by the hand-over distance believes, before the hand-over, what the built-in one does.
func TestPosteriorIsTheBuiltInOne(t *testing.T) {
	h, _ := flight(t)
	k := knowledge()
	k.Candidates[0].TargetKm, k.Candidates[1].TargetKm = r3.Vec{X: 38, Y: 5}, r3.Vec{X: 50, Y: 10}
	k.Candidates[2].TargetKm = r3.Vec{X: 70, Y: 10} // flown to
	var samples []int
	for sample := 0; sample < h.Handover; sample += 3 {
		samples = append(samples, sample)
	}
	beliefs := func(m adversary.GoalModel) (all [][]float64) {
		b, err := adversary.NewBelief(m, k)
		if err != nil {
			t.Fatal(err)
		}
		b.At(h, samples, func(_ int, posterior []float64) { all = append(all, slices.Clone(posterior)) })
		if b.Err() != nil {
			t.Fatal(b.Err())
		}
		return all
	}
	model, err := adversary.FindGoalModel("geometry")
	if err != nil {
		t.Fatal(err)
	}
	want, got := beliefs(model), beliefs(watching(t, `geometry ,"answers":"posterior"`).GoalModel("fake"))
	for i := range want {
		for goal, p := range want[i] {
			if !(math.Abs(got[i][goal]-p) < 1e-12) {
				t.Fatalf("sample %d: %v, want %v", samples[i], got[i], want[i])
			}
		}
	}
	if first, last := want[0], want[len(want)-1]; first[0] != 0.5 || last[0] != 0 || last[2] != 1 {
		t.Errorf("the belief goes from %v to %v", first, last)
	}
}

func TestPosteriorIsChecked(t *testing.T) {
	h, _ := flight(t)
	for line, want := range map[string]string{
		`{"posterior":[[0.5,0.3,0.1]]}`: "sums to 0.9",
		`{"posterior":[[1.5,-0.5,0]]}`:  "gives goal 1 probability -0.5",
		`{"posterior":[[0.5,0.5]]}`:     "row 0 of posterior has 2 numbers; want 3",
		`{"points":[[0.5,0.3,0.1]]}`:    `want one of "posterior"`,
	} {
		t.Setenv("VEILPATH_FAKE_LINE", line)
		b, err := adversary.NewBelief(watching(t, `says ,"answers":"posterior"`).GoalModel("fake"), knowledge())
		if err != nil {
			t.Fatal(err)
		}
		b.At(h, []int{0}, func(_ int, posterior []float64) {
			if !math.IsNaN(posterior[0]) {
				t.Errorf("%s: the posterior is %v", line, posterior)
			}
		})
		if b.Err() == nil || !strings.Contains(b.Err().Error(), want) {
			t.Errorf("%s: %v; want %s", line, b.Err(), want)
		}
	}
	if _, err := adversary.NewBelief(watching(t, "ballistic").GoalModel("fake"), knowledge()); err == nil {
		t.Error("an observer of points believes in goals")
	}
}
