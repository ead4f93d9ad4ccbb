package leak_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/sim/leak"
)

func ignore(int) {}

// world is the paper's, with the cells beyond some km from the start as possible goals. What change leaves as it is,
// nil for all, is made once.
func world(tb testing.TB, beyondKm float64, change func(*configs.Config)) *leak.World {
	tb.Helper()
	solve := func() (*leak.World, error) {
		c := configs.Default()
		if change != nil {
			change(&c)
		}
		return newWorld(c, beyondKm)
	}
	if change == nil {
		unchanged.Lock()
		defer unchanged.Unlock()
		if _, there := worlds[beyondKm]; !there {
			worlds[beyondKm] = sync.OnceValues(solve)
		}
		solve = worlds[beyondKm]
	}
	w, err := solve()
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// worlds are those of the paper's settings, by the distance of their goals, and known what observers know about them.
var (
	unchanged sync.Mutex
	worlds    = map[float64]func() (*leak.World, error){}
	known     leak.Inferences
)

func newWorld(c configs.Config, beyondKm float64) (*leak.World, error) {
	setting, err := setup.Leak(c)
	if err != nil {
		return nil, err
	}
	states, err := setting.Cells(beyondKm)
	if err != nil {
		return nil, err
	}
	return leak.NewWorld(context.Background(), setting, states, nil, 0, ignore)
}

// observers are those of the goal of some names.
func observers(names ...string) []adversary.GoalModel {
	return slices.DeleteFunc(adversary.GoalModels(),
		func(m adversary.GoalModel) bool { return !slices.Contains(names, m.Name) })
}

func fly(tb testing.TB, s leak.Study) *leak.Result {
	tb.Helper()
	r, err := s.Fly(context.Background(), ignore)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// What every observer has left to learn after 50 km agrees with another implementation, which flew other noise to
// other goals; its standard errors are given.
func TestLeakageAgreesWithAnotherImplementation(t *testing.T) {
	agreesWithAnotherImplementation(t, 150, 1)
}

func agreesWithAnotherImplementation(t *testing.T, flights int, epsilons ...float64) {
	want := map[string]map[float64][2]float64{ // by observer and epsilon: the mean and its standard error
		"geometry":  {0.2: {6.41, .14}, 1: {6.16, .14}, 4: {6.13, .14}},
		"moves":     {0.2: {5.20, .12}, 1: {4.85, .12}, 4: {4.75, .12}},
		"rational":  {0.2: {5.20, .16}, 1: {4.63, .14}, 4: {4.50, .14}},
		"mechanism": {0.2: {5.00, .15}, 1: {4.45, .14}, 4: {4.34, .13}},
	}
	w := world(t, 80, nil)
	if len(w.Goals) != 329 || math.Abs(w.PriorBits()-8.362) > 5e-4 {
		t.Errorf("%d goals, %.4f bits; want 329 and 8.362", len(w.Goals), w.PriorBits())
	}
	r := fly(t, leak.Study{Observers: observers("geometry", "moves", "rational", "mechanism"),
		Ways: leak.Ways(epsilons, leak.Way{World: w}), Flights: flights, FlownKm: []float64{50}, Policies: 40,
		Seed: 9, Inferences: &known})
	for _, row := range r.Rows() {
		other := want[row.Observer][row.Epsilon]
		apart := math.Abs(row.BitsLeft-other[0]) / math.Hypot(row.StandardError, other[1])
		t.Logf("%s at epsilon %g: %.2f (%.2f) bits, the other %.2f (%.2f)", row.Observer, row.Epsilon, row.BitsLeft,
			row.StandardError, other[0], other[1])
		if !(apart < 3) {
			t.Errorf("%s at epsilon %g: %.2f (%.2f) bits, want %.2f (%.2f)", row.Observer, row.Epsilon, row.BitsLeft,
				row.StandardError, other[0], other[1])
		}
	}
	for _, l := range r.InformationGains() {
		if l.Epsilon == 1 && l.From == leak.Reward && math.Abs(l.Bits.Mean-0.44) > 3*math.Hypot(l.Bits.StandardError, 0.03) {
			t.Errorf("%.2f (%.2f) bits from the reward at epsilon 1, want 0.44 (0.03)", l.Bits.Mean, l.Bits.StandardError)
		}
	}
}

// The result does not depend on the number of workers, and what flights and policies have in common is the seed alone.
func TestResultDoesNotDependOnWorkers(t *testing.T) {
	w := world(t, 215, nil)
	s := leak.Study{Observers: adversary.GoalModels(), Ways: leak.Ways([]float64{1, leak.Unprivate}, leak.Way{World: w}),
		Flights: 6, FlownKm: []float64{0, 50}, RadiiKm: []float64{1, 25}, Policies: 3, Training: 20, Seed: 5}
	all := func(workers int) string {
		s.Workers = workers
		r := fly(t, s)
		return fmt.Sprint(r.Rows(), r.Recognitions(), r.InformationGains(), r.Savings(), r.Outcomes())
	}
	one := all(1)
	if three := all(3); three != one {
		t.Errorf("with 3 workers\n%s\nwith 1\n%s", three, one)
	}
	with := fmt.Sprint(fly(t, s).Rows())
	s.RadiiKm = nil
	if without := fmt.Sprint(fly(t, s).Rows()); without != with {
		t.Errorf("without radii the rows are\n%s\nwith them\n%s", without, with)
	}
	s.Seed++
	if other := all(1); other == one {
		t.Error("another seed gives the same result")
	}
}

// Without noise a policy is that of the goal: every flight to a goal is the same, and who knows the mechanism learns
// at least what the goals' routes tell.
func TestWithoutNoiseRoutesTellTheGoal(t *testing.T) {
	w := world(t, 215, nil)
	s := leak.Study{Observers: observers("mechanism"), Ways: leak.Ways([]float64{leak.Unprivate}, leak.Way{World: w}),
		Flights: 200, FlownKm: []float64{0, 150}, RadiiKm: []float64{1}, Policies: 200, Seed: 5}
	r := fly(t, s)
	rows := r.Rows()
	if !(rows[1].BitsLeft < rows[0].BitsLeft && rows[0].BitsLeft < w.PriorBits()) {
		t.Errorf("%.2f bits before, %.2f at the start, %.2f after 150 km", w.PriorBits(), rows[0].BitsLeft, rows[1].BitsLeft)
	}
}

// A posterior that is right is as sure as it is right: where an observer's model is the truth, the mean of -log2 of
// the true goal's probability is the mean entropy. Of the geometry that holds exactly, flight by flight.
func TestGeometryIsCalibrated(t *testing.T) {
	w := world(t, 80, nil)
	s := leak.Study{Observers: observers("geometry"), Ways: leak.Ways([]float64{1}, leak.Way{World: w}), Flights: 20,
		FlownKm: []float64{0, 40, 80, 120}, Seed: 2}
	for _, row := range fly(t, s).Rows() {
		if math.Abs(row.BitsLeft-row.Entropy) > 1e-12 {
			t.Errorf("after %g km: %v bits left, entropy %v", row.FlownKm, row.BitsLeft, row.Entropy)
		}
	}
}

// Weights make a prior, from which goals are drawn as often as it says.
func TestGoalsAreDrawnFromThePrior(t *testing.T) {
	c := configs.Default()
	setting, err := setup.Leak(c)
	if err != nil {
		t.Fatal(err)
	}
	states := []int{11*20 + 16, 5*20 + 19, 19*20 + 3}
	w, err := leak.NewWorld(context.Background(), setting, states, []float64{3, 0, 1}, 1, ignore)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2 - 0.75*math.Log2(3); math.Abs(w.PriorBits()-want) > 1e-12 || w.Own != 0 {
		t.Errorf("%v bits and own goal %d, want %v and 0", w.PriorBits(), w.Own, want)
	}
	const flights = 400
	r := fly(t, leak.Study{Observers: observers("geometry"),
		Ways: leak.Ways([]float64{leak.Unprivate}, leak.Way{World: w}), Flights: flights, FlownKm: []float64{0}, Seed: 1})
	// -log2 of the prior is log2(4/3) with probability 3/4 and 2 with 1/4.
	bits := r.Rows()[0]
	if math.Abs(bits.BitsLeft-w.PriorBits()) > 4*bits.StandardError {
		t.Errorf("%.3f (%.3f) bits at the start, want %.3f", bits.BitsLeft, bits.StandardError, w.PriorBits())
	}
}

// A target off the lattice is recognised where it is: the rule of the hand-over never rules the truth out.
func TestOwnTargetOffTheLattice(t *testing.T) {
	w := world(t, 150, func(c *configs.Config) { c.TargetKm = [3]float64{3, -4, 1} })
	r := fly(t, leak.Study{Observers: observers("geometry", "moves"), Ways: leak.Ways([]float64{1}, leak.Way{World: w}),
		Flights: 20, OwnGoal: true, FlownKm: []float64{200}, RadiiKm: []float64{1}, Seed: 1})
	for _, row := range r.Rows() {
		if math.IsInf(row.BitsLeft, 0) || math.IsNaN(row.BitsLeft) {
			t.Errorf("%s: %v bits left", row.Observer, row.BitsLeft)
		}
	}
}

// Who takes the mechanism to be what it is not learns less than who knows it, and who knows nothing of it as much.
func TestMistakenObserversLearnLess(t *testing.T) {
	w := world(t, 200, nil)
	s := leak.Study{Observers: observers("moves", "rational", "mechanism"),
		Ways: leak.Ways([]float64{0.2}, leak.Way{World: w}), Flights: 100, FlownKm: []float64{50}, Policies: 30, Seed: 4}
	right := fly(t, s).Rows()
	s.Ways[0].Belief = world(t, 200, func(c *configs.Config) { c.Planner.Discount = 0.5 })
	s.Ways[0].BeliefEpsilon = 1e6
	wrong := fly(t, s).Rows()
	for i, name := range []string{"moves", "rational", "mechanism"} {
		same := wrong[i].BitsLeft == right[i].BitsLeft
		if name == "moves" && !same || name == "mechanism" &&
			!(wrong[i].BitsLeft > right[i].BitsLeft+3*right[i].StandardError) || name == "rational" && same {
			t.Errorf("%s: %.2f bits left where mistaken, %.2f (%.2f) where not", name, wrong[i].BitsLeft, right[i].BitsLeft,
				right[i].StandardError)
		}
	}
	s.Ways[0].Belief = world(t, 215, nil)
	if s.Check() == nil {
		t.Error("observers may believe in other goals than there are")
	}
}

func TestStudyRefusesWhatCannotBe(t *testing.T) {
	w := world(t, 215, nil)
	good := leak.Study{Observers: adversary.GoalModels(), Ways: leak.Ways([]float64{1}, leak.Way{World: w}), Flights: 2,
		FlownKm: []float64{0}, Policies: 1}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*leak.Study){
		"no observers": func(s *leak.Study) { s.Observers = nil },
		"no ways":      func(s *leak.Study) { s.Ways = nil },
		"other goals": func(s *leak.Study) {
			s.Ways = append(s.Ways, leak.Ways([]float64{1}, leak.Way{World: world(t, 200, nil)})...)
		},
		"one flight":     func(s *leak.Study) { s.Flights = 1 },
		"no policies":    func(s *leak.Study) { s.Policies = 0 },
		"not its target": func(s *leak.Study) { s.OwnGoal = true },
	} {
		s := good
		spoil(&s)
		if s.Check() == nil {
			t.Errorf("%s is taken", what)
		}
	}
	setting := w.Setting
	for what, c := range map[string]struct {
		states  []int
		weights []float64
	}{
		"no goals": {nil, nil}, "a cell outside": {[]int{400}, nil}, "too few weights": {[]int{1, 2}, []float64{1}},
		"a negative weight": {[]int{1, 2}, []float64{1, -1}}, "no weight": {[]int{1, 2}, []float64{0, 0}},
	} {
		if _, err := leak.NewWorld(context.Background(), setting, c.states, c.weights, 1, ignore); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
}

// An interruption ends a study soon, and with the context's error.
func TestFlyEndsWithItsContext(t *testing.T) {
	w := world(t, 215, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := leak.Study{Observers: adversary.GoalModels(), Ways: leak.Ways([]float64{1}, leak.Way{World: w}), Flights: 100,
		FlownKm: []float64{0}, Policies: 100}
	if r, err := s.Fly(ctx, ignore); err != context.Canceled || !reflect.ValueOf(r).IsNil() {
		t.Errorf("result %v, error %v", r, err)
	}
}

// Flights that are all alike, watched by somebody who has seen few private policies, are watched otherwise with other
// policies: by as much as the standard error says, which is all of the policies.
func TestStandardErrorsHoldTheVarianceOfPolicies(t *testing.T) {
	setting, err := setup.Leak(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	const columns, own = 20, 11*20 + 16
	w, err := leak.NewWorld(context.Background(), setting,
		[]int{own, own - 1, own + 1, own - columns, own + columns, own - 3}, nil, 1, ignore)
	if err != nil {
		t.Fatal(err)
	}
	const studies = 40
	var sum, squares, errors float64
	for seed := range uint64(studies) {
		row := fly(t, leak.Study{Observers: observers("mechanism"),
			Ways: []leak.Way{{World: w, Epsilon: 1e6, BeliefEpsilon: 1}}, OwnGoal: true,
			Flights: 2, FlownKm: []float64{100}, Policies: 20, Seed: 1000 + seed}).Rows()[0]
		sum += row.BitsLeft
		squares += row.BitsLeft * row.BitsLeft
		errors += row.PoliciesError * row.PoliciesError / studies
	}
	spread := (squares - sum*sum/studies) / (studies - 1)
	t.Logf("variance %.5f between studies, %.5f of their standard errors", spread, errors)
	const threeErrors = 2 // of a variance with 39 degrees of freedom
	if spread > threeErrors*errors || spread < errors/threeErrors {
		t.Errorf("variance %v between studies, %v of their standard errors", spread, errors)
	}
}

// The delta of flights is that of their mechanism's guarantee, and named only where there is one.
func TestDeltaIsOfTheGuarantee(t *testing.T) {
	for mechanism, want := range map[string]struct {
		delta float64
		named string
	}{"reward": {0.01, " (delta 0.01)"}, "laplace": {0, " (delta 0)"}, "soft": {0.01, ""}} {
		c := configs.Default()
		c.Privacy.Mechanism = mechanism
		e, err := setup.Experiment(c)
		if err != nil {
			t.Fatal(err)
		}
		w := world(t, 200, func(*configs.Config) {})
		w.Mechanism = e.Mechanism
		way := leak.Way{World: w, Epsilon: 1}
		if got := w.Delta(); got != want.delta {
			t.Errorf("%s: delta %g, want %g", mechanism, got, want.delta)
		}
		if got := way.AtDelta(); got != want.named {
			t.Errorf("%s: %q, want %q", mechanism, got, want.named)
		}
	}
}
