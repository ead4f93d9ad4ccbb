package setup_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/cost"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// laplace adds Laplace noise of scale adjacency over epsilon to every reward.
type laplace struct{}

func (laplace) Name() string    { return "laplace" }
func (laplace) Meaning() string { return "every reward gets Laplace noise" }

func (laplace) Privatize(dst []float64, r *privacy.Rewards, g privacy.Guarantee, noise *privacy.Noise) error {
	for i, reward := range r.Joint {
		u := noise.Uniform() - 0.5
		dst[i] = reward - g.Adjacency/g.Epsilon*math.Copysign(math.Log1p(-2*math.Abs(u)), u)
	}
	return nil
}

// rows keeps the optimal action of every state with a probability that grows with epsilon, and otherwise draws an
// action uniformly. It holds a func, so two of them cannot be compared.
type rows struct{ keep func(epsilon float64) float64 }

func (rows) Name() string    { return "rows" }
func (rows) Meaning() string { return "every state's action is kept or replaced at random" }

func (m rows) Plan(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise) (planner.Plan, error) {
	optimal, actions := p.Problem().Optimal.Policy, p.Problem().Law.Actions()
	policy := slices.Clone(optimal)
	for state := range policy {
		kept, other := noise.Uniform() < m.keep(g.Epsilon), int32(noise.Uniform()*float64(actions))
		if !kept {
			policy[state] = other
		}
	}
	return planner.Plan{Policy: policy}, nil
}

// hidden hides all other methods of its mechanism.
type hidden struct{ planner.Mechanism }

// mirrored is a linear mechanism with twice the noise, of the other sign.
type mirrored struct{ privacy.InputPerturbation }

func (mirrored) Sensitivity(_ privacy.Shape, adjacency float64) (float64, error) {
	return 2 * adjacency, nil
}

func (m mirrored) Perturb(dst []float64, r *privacy.Rewards, sigma float64, z []float64) {
	m.InputPerturbation.Perturb(dst, r, -sigma, z)
}

func (m mirrored) Privatize(dst []float64, r *privacy.Rewards, g privacy.Guarantee, noise *privacy.Noise) error {
	return privacy.PrivatizeLinear(m, dst, r, g, noise)
}

// The cost of the paper's flights with Laplace noise on every reward, a mechanism that the program does not have.
func ExampleBuilder() {
	builder := setup.Builder{Mechanism: planner.OnReward(laplace{})}
	experiment, err := builder.Experiment(configs.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	s := study.Study{Experiment: experiment, Epsilons: []float64{0.4, 4}, Runs: 100, Seed: 1, Noise: study.Common}
	tally, err := s.NewTally()
	if err != nil {
		fmt.Println(err)
		return
	}
	err = s.Do(context.Background(), func(runs []study.Run) error {
		tally.Add(runs)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range tally.Summaries() {
		fmt.Printf("epsilon %g: mean %.0f km, cost %.1f %%\n", s.Epsilon, s.MeanKm, 100*s.CostOfPrivacy)
	}
	// Output:
	// epsilon 0.4: mean 54 km, cost 12.4 %
	// epsilon 4: mean 60 km, cost 0.2 %
}

// external returns mechanisms of another package that are not linear.
func external() []planner.Mechanism {
	return []planner.Mechanism{planner.OnReward(laplace{}),
		rows{func(epsilon float64) float64 { return -math.Expm1(-epsilon) }}, nearby{}}
}

// nearby plans for a cell near the goal. The larger epsilon is, the likelier it is the goal itself.
type nearby struct{}

func (nearby) Name() string    { return "nearby" }
func (nearby) Meaning() string { return "a cell near the goal is planned for" }

func (nearby) Plan(p *planner.Planner, g privacy.Guarantee, noise *privacy.Noise) (planner.Plan, error) {
	m := p.Problem()
	columns := configs.Default().Planner.Columns
	next := func(i int) int { // moves are deterministic
		return m.Law.AppendOutcomes(nil, i/m.Law.Actions(), i%m.Law.Actions())[0].State
	}
	goal := next(slices.Index(m.Rewards.Joint, slices.Max(m.Rewards.Joint))) // the cell with the largest reward
	coordinate := func(at int) float64 {                                     // noisy, and clamped to the grid
		shift := math.Round(4 * (2*noise.Uniform() - 1) / g.Epsilon)
		return min(max(float64(at)+shift, 0), float64(columns-1))
	}
	column, row := coordinate(goal%columns), coordinate(goal/columns)
	rewards := slices.Clone(m.Rewards.Joint)
	for i := range rewards {
		to := next(i)
		rewards[i] = -math.Hypot(float64(to%columns)-column, float64(to/columns)-row)
	}
	return p.Plan(rewards), nil
}

// idle returns a mechanism that changes nothing.
func idle() planner.Mechanism { return rows{func(float64) float64 { return 1 }} }

// levels are epsilons from much noise to almost none.
var levels = []float64{0.3, 1, 5, 1e7}

// costless bounds the relative cost that rounding and the solver's tolerance may cause.
const costless = 1e-6

// flown returns a study of a mechanism at all levels, and its records.
func flown(t *testing.T, m planner.Mechanism, workers int) (study.Study, []study.Run) {
	t.Helper()
	b := setup.Builder{Mechanism: m}
	e, err := b.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	s := study.Study{Experiment: e, Epsilons: append(slices.Clone(levels), study.None()), Runs: 40, Seed: 3,
		Noise: study.Common, Workers: workers}
	return s, records(t, s)
}

func records(t *testing.T, s study.Study) (all []study.Run) {
	t.Helper()
	err := s.Do(t.Context(), func(r []study.Run) error {
		all = append(all, r...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// same reports whether two results are identical, NaN included.
func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// falls checks that means, one for each level, fall to zero.
func falls(t *testing.T, of string, means []float64) {
	t.Helper()
	for i := 1; i < len(levels); i++ {
		if !(means[i] < means[i-1]) {
			t.Errorf("%s: epsilon %g costs %g, and %g costs %g", of, levels[i-1], means[i-1], levels[i], means[i])
		}
	}
	if last := means[len(levels)-1]; !(last < costless) {
		t.Errorf("%s: epsilon %g costs %g", of, levels[len(levels)-1], last)
	}
}

// Flights with an external mechanism depend only on the epsilon and the stream of their run, for any number of
// workers and when one run is repeated. They have no range of epsilon.
func TestExternalMechanismIsFlown(t *testing.T) {
	for _, m := range external() {
		s, one := flown(t, m, 1)
		if _, three := flown(t, m, 3); !slices.Equal(one, three) {
			t.Errorf("%s: the flights of three workers differ from those of one", m.Name())
		}
		means := make([]float64, len(s.Epsilons))
		for i, r := range one {
			means[i%len(means)] += r.CostOfPrivacy / float64(s.Runs)
		}
		falls(t, m.Name(), means)
		flyer, err := s.Experiment.NewFlyer()
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{37, 2, 100} {
			draw := study.Draw{Seed: s.Seed, Run: one[i].Run, Noise: s.Noise, Epsilon: one[i].Epsilon}
			if alone, err := flyer.Fly(draw, 0); err != nil || alone != one[i] {
				t.Errorf("%s: repeated, run %d at epsilon %g is %+v, not %+v", m.Name(), draw.Run, draw.Epsilon, alone, one[i])
			}
		}
		if sigma, err := s.Experiment.Sigma(1); sigma != 0 || err != nil {
			t.Errorf("%s: sigma %g, %v", m.Name(), sigma, err)
		}
		s.Axis = study.Range{Low: levels[0], High: levels[len(levels)-1]}
		s.Epsilons = levels
		if err := s.Do(t.Context(), func([]study.Run) error { return nil }); !errors.Is(err, study.ErrNoAxis) {
			t.Errorf("%s: a range of epsilon gives %v", m.Name(), err)
		}
	}
}

// Settings name the mechanism that flights are planned with, and that observers believe in.
func TestSettingsNameMechanisms(t *testing.T) {
	for name, delta := range map[string]float64{"laplace": 0, "bounded": 0, "transitions": 0.01, "policy": 0.01} {
		loaded, err := configs.Load(configs.Request{Sets: []string{"privacy.mechanism=" + name, "planner.slip=0.1"}})
		if err != nil {
			t.Fatal(err)
		}
		e, err := setup.Experiment(loaded.Config)
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.NewFlyer()
		if err != nil {
			t.Fatal(err)
		}
		run, err := f.Fly(study.Draw{Seed: 1, Epsilon: 1, Run: 3}, 0)
		if err != nil || e.Mechanism.Name() != name || e.Delta() != delta || e.HasAxis(study.Common) {
			t.Errorf("%s: flown by %s with delta %g: %+v, %v", name, e.Mechanism.Name(), e.Delta(), run, err)
		}
		way, err := new(setup.Builder).Way(context.Background(), loaded.Config)
		if err != nil || way.World.Mechanism.Name() != name {
			t.Errorf("%s: observers believe in another way to hide: %v", name, err)
		}
	}
	// The map is public, and no reward on it lies outside of the range that follows from it.
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	rewards := e.Mission.Rewards.Joint
	if r := e.Guarantee.Range; r.Low != -2*math.Hypot(19, 19) || r.High != 0 || slices.Min(rewards) < r.Low ||
		slices.Max(rewards) > r.High {
		t.Errorf("rewards are known to lie in %v", r)
	}
}

// A linear mechanism treated as a general one gives the same flights and the same beliefs of observers.
func TestHiddenLinearMechanismIsTheSame(t *testing.T) {
	for _, m := range []planner.Mechanism{planner.Standard(), planner.OnReward(mirrored{})} {
		_, linear := flown(t, m, 2)
		if _, veiled := flown(t, hidden{m}, 2); !slices.Equal(linear, veiled) {
			t.Error("a linear mechanism treated as a general one has other flights")
		}
		a, b := watched(t, m, 2, levels), watched(t, hidden{m}, 2, levels)
		if a.Sigmas = b.Sigmas; !same(a, b) {
			t.Errorf("a linear mechanism treated as a general one leaks %+v, not %+v", b, a)
		}
	}
}

// Points of a sweep with different mechanisms share no plans, even if their mechanisms cannot be compared.
func TestMechanismsShareNoPlans(t *testing.T) {
	mechanisms := append(external(), idle(), planner.Standard(), planner.OnReward(mirrored{}), planner.Standard())
	mission, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	sweep := study.Sweep{Workers: 1}
	for _, m := range mechanisms {
		e, err := study.New(mission.Scenario, mission.Mission,
			study.Options{Guarantee: mission.Guarantee, Mechanism: m, Adversary: mission.Adversary})
		if err != nil {
			t.Fatal(err)
		}
		sweep.Points = append(sweep.Points, study.Study{Experiment: e, Epsilons: []float64{0.3, 0.5, 0.7, 1, 2, 3, 4, 5},
			Runs: 10, Seed: 3, Noise: study.Common})
	}
	var together []study.Run
	err = sweep.Fly(t.Context(), sweep.Batches(), func(_ study.Batch, seen [][]study.Run) error {
		together = append(together, seen[0]...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	each := len(together) / len(mechanisms)
	for i, point := range sweep.Points {
		point.Experiment.Forget()
		if !slices.Equal(records(t, point), together[i*each:(i+1)*each]) {
			t.Errorf("point %d, %s, has other flights in the sweep", i, mechanisms[i].Name())
		}
	}
}

// The cost of a mechanism does not depend on the number of workers and falls to zero. A mechanism that is not
// linear has no sigma, no theorem's bound and no range of epsilon.
func TestExternalMechanismCosts(t *testing.T) {
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	s := cost.Study{Problem: e.Mission.Solved, Guarantee: e.Guarantee, Epsilons: levels, Seed: 5, Workers: 1,
		Mechanisms: append(external(), planner.Standard(), hidden{planner.Standard()})}
	const standard, veiled = 3, 4 // index in the mechanisms
	facts, err := s.Facts()
	if err != nil {
		t.Fatal(err)
	}
	const runs = 30
	tally := cost.NewTally(facts, 0)
	var all [][]cost.Row
	for rows, err := range s.Rows(t.Context(), 0, runs) {
		if err != nil {
			t.Fatal(err)
		}
		tally.Add(rows)
		all = append(all, rows)
		for _, r := range rows {
			if r.Costs[standard] != r.Costs[veiled] {
				t.Errorf("run %d, epsilon %g costs %g as a linear and %g as a general mechanism", r.Run, r.Epsilon,
					r.Costs[standard], r.Costs[veiled])
			}
		}
	}
	s.Workers = 3
	for rows, err := range s.Rows(t.Context(), 0, runs) {
		if err != nil || !reflect.DeepEqual(rows, all[rows[0].Run]) {
			t.Errorf("three workers find %+v, %v; one finds %+v", rows, err, all[rows[0].Run])
		}
	}
	for i := range s.Mechanisms {
		var means []float64
		for _, sum := range tally.Summaries()[i*len(levels) : (i+1)*len(levels)] {
			means = append(means, sum.Mean)
			if linear := i == standard; (sum.Sigma > 0) != linear {
				t.Errorf("%s at epsilon %g: sigma %g", sum.Mechanism, sum.Epsilon, sum.Sigma)
			}
		}
		falls(t, s.Mechanisms[i].Name(), means)
	}
	for _, err := range s.Pieces(t.Context(), study.Range{Low: levels[0], High: 10}, 0, 1) {
		if !errors.Is(err, study.ErrNoAxis) {
			t.Errorf("a range of epsilon gives %v", err)
		}
	}
	plans, err := cost.Plans(s.Problem, s.Mechanisms[1], s.Guarantee, levels, privacy.Address{}, 1e-9)
	if err != nil || len(plans) != len(levels) || plans[0].Reward != nil || plans[0].Sigma != 0 ||
		!(plans[0].Cost.Relative > costless) {
		t.Errorf("plans of a mechanism on policies: %+v, %v", plans, err)
	}
}

// leaked is the result of a study of leaks.
type leaked struct {
	Rows     []leak.Row
	Outcomes []leak.Outcome
	Sigmas   []float64
}

func watched(t *testing.T, m planner.Mechanism, workers int, epsilons []float64) leaked {
	t.Helper()
	r, err := watching(t, m, workers, epsilons)
	if err != nil {
		t.Fatal(err)
	}
	return leaked{r.Rows(), r.Outcomes(), r.Sigmas}
}

// watching studies flights to five goals, watched by an observer who knows the mechanism.
func watching(t *testing.T, m planner.Mechanism, workers int, epsilons []float64) (*leak.Result, error) {
	t.Helper()
	s := knowing(t, m, epsilons)
	s.Workers = workers
	return s.Fly(t.Context(), func(int) {})
}

// fiveGoals returns settings with five possible goals and an observer who samples few private policies.
func fiveGoals() configs.Config {
	c := configs.Default()
	c.Adversary.Observer, c.Adversary.Candidates, c.Adversary.Policies = "mechanism", "16:11,3:15,15:3,12:16,18:18", 12
	return c
}

// knowing returns a study of flights to five goals whose observer knows the mechanism.
func knowing(t *testing.T, m planner.Mechanism, epsilons []float64) *leak.Study {
	t.Helper()
	c := fiveGoals()
	b := setup.Builder{Mechanism: m}
	way, err := b.Way(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	knows, err := adversary.FindGoalModel(c.Adversary.Observer)
	if err != nil {
		t.Fatal(err)
	}
	return &leak.Study{Ways: leak.Ways(epsilons, way), Observers: []adversary.GoalModel{knows}, Flights: 24,
		FlownKm: []float64{20}, Policies: c.Adversary.Policies, Seed: 2}
}

// In a study of flights, an observer who knows the mechanism knows the experiment's. If that changes nothing, each
// flight is recognised where the planned one is.
func TestObserverKnowsExternalMechanism(t *testing.T) {
	b := setup.Builder{Mechanism: idle()}
	e, err := b.Experiment(fiveGoals())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records(t, study.Study{Experiment: e, Epsilons: levels, Runs: 2, Noise: study.Common}) {
		if r.DetectionKm != e.Baselines.Planned.DetectionKm {
			t.Errorf("epsilon %g is recognised at %g km, the planned flight at %g", r.Epsilon, r.DetectionKm,
				e.Baselines.Planned.DetectionKm)
		}
	}
}

// Releases of a linear mechanism compose with its own sensitivity. For other mechanisms no composition is known.
func TestReleasesOfExternalMechanismCompose(t *testing.T) {
	composed := func(m planner.Mechanism) float64 {
		s := leak.Releases{Study: *knowing(t, m, []float64{1}), Counts: []int{2}}
		rows, err := s.Fly(t.Context(), func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		return rows[0].ComposedMu
	}
	const rounding = 1e-12 // relative
	standard := composed(planner.Standard())
	if mu := composed(planner.OnReward(mirrored{})); !(math.Abs(mu/standard-1) < rounding) {
		t.Errorf("twice the noise for twice the sensitivity composes to mu %g, not %g", mu, standard)
	}
	if mu := composed(external()[0]); !math.IsNaN(mu) {
		t.Errorf("Laplace noise composes to mu %g", mu)
	}
}

// The leak of an external mechanism does not depend on the number of workers, and its flights cost almost nothing
// at almost no noise. The flights and the observer's private policies both come from the mechanism: with one that
// changes nothing, the leak is that of no mechanism.
func TestExternalMechanismLeaks(t *testing.T) {
	for _, m := range external() {
		one := watched(t, m, 1, levels)
		if three := watched(t, m, 3, levels); !same(one, three) {
			t.Errorf("%s: three workers find %+v, one finds %+v", m.Name(), three, one)
		}
		var means []float64
		for _, o := range one.Outcomes {
			means = append(means, o.Cost.Mean)
		}
		falls(t, m.Name(), means)
		if slices.Max(one.Sigmas) != 0 {
			t.Errorf("%s: sigmas %v", m.Name(), one.Sigmas)
		}
	}
	none := watched(t, idle(), 1, []float64{levels[0], leak.Unprivate})
	if private, open := none.Rows[0].BitsLeft, none.Rows[1].BitsLeft; private != open {
		t.Errorf("a mechanism that changes nothing leaves %v bits, none leaves %v", private, open)
	}
}

// broken is a mechanism that returns a given plan or error.
type broken struct {
	planner.Mechanism
	policy func(p *planner.Planner) ([]int32, error)
}

func (b broken) Plan(p *planner.Planner, _ privacy.Guarantee, noise *privacy.Noise) (planner.Plan, error) {
	policy, err := b.policy(p)
	return planner.Plan{Policy: policy}, err
}

// A plan that fails once ends the study, even if all later plans succeed.
func TestMechanismThatFailsOnce(t *testing.T) {
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	plans := 0
	e.Mechanism = broken{external()[1], func(p *planner.Planner) ([]int32, error) {
		if plans++; plans == 2 {
			return nil, errors.New("no such guarantee")
		}
		return p.Problem().Optimal.Policy, nil
	}}
	s := study.Study{Experiment: e, Epsilons: []float64{1}, Runs: 5, Noise: study.Common, Workers: 1}
	if err := s.Do(t.Context(), func([]study.Run) error { return nil }); err == nil {
		t.Error("a study with a failed plan returned no error")
	}
}

// unbounded makes a reward infinite.
type unbounded struct{ laplace }

func (unbounded) Privatize(dst []float64, r *privacy.Rewards, _ privacy.Guarantee, _ *privacy.Noise) error {
	copy(dst, r.Joint)
	dst[7] = math.Inf(1)
	return nil
}

// A plan that fails, or that a flight cannot follow, ends every study with an error that names the mechanism and
// epsilon.
func TestMechanismsThatFail(t *testing.T) {
	refused := errors.New("no such guarantee")
	e, err := setup.Experiment(configs.Default())
	if err != nil {
		t.Fatal(err)
	}
	for want, m := range map[string]planner.Mechanism{
		"no such guarantee": broken{external()[1], func(*planner.Planner) ([]int32, error) { return nil, refused }},
		"for 3 states": broken{external()[1], func(*planner.Planner) ([]int32, error) {
			return make([]int32, 3), nil
		}},
		"takes action 9 in state 4": broken{external()[1], func(p *planner.Planner) ([]int32, error) {
			policy := slices.Clone(p.Problem().Optimal.Policy)
			policy[4] = 9
			return policy, nil
		}},
		"state 1, action 2 is +Inf": planner.OnReward(unbounded{}),
	} {
		e.Mechanism = m
		s := study.Study{Experiment: e, Epsilons: []float64{0.25}, Runs: 3, Noise: study.Common}
		fails := func(err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), m.Name()) ||
				!strings.Contains(err.Error(), "epsilon 0.25") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v; want %q, the mechanism and epsilon in it", err, want)
			}
		}
		fails(s.Do(t.Context(), func([]study.Run) error { return nil }))
		survey := study.Survey{Study: s, RadiiKm: []float64{1}}
		fails(survey.Do(t.Context(), func([]study.Sighting) error { return nil }))
		_, err := watching(t, m, 1, s.Epsilons)
		fails(err)
		c := cost.Study{Problem: e.Mission.Solved, Mechanisms: []planner.Mechanism{m}, Guarantee: e.Guarantee,
			Epsilons: s.Epsilons}
		for _, err := range c.Rows(t.Context(), 0, 1) {
			fails(err)
		}
		_, err = cost.Plans(e.Mission.Solved, m, e.Guarantee, s.Epsilons, privacy.Address{}, 1e-9)
		fails(err)
	}
}
