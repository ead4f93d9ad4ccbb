package study

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// tossing takes the optimal action with a probability, and otherwise any.
type tossing struct{ optimal float64 }

func (tossing) Name() string    { return "tossing" }
func (tossing) Meaning() string { return "takes the optimal action or any" }

func (m tossing) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	problem := p.Problem()
	actions := problem.Law.Actions()
	policy := slices.Repeat([]float64{(1 - m.optimal) / float64(actions)}, len(problem.Rewards.Joint))
	for state, action := range problem.Optimal.Policy {
		policy[state*actions+int(action)] += m.optimal
	}
	return planner.Plan{Stochastic: policy}, nil
}

// detouring goes some moves east and back, by the noise, and then on.
type detouring struct{}

func (detouring) Name() string    { return "detouring" }
func (detouring) Meaning() string { return "goes east and back" }

func (detouring) Plan(p *planner.Planner, _ privacy.Guarantee, noise *privacy.Noise) (planner.Plan, error) {
	start := int32(p.Problem().Start)
	path := []int32{start}
	for range int(3 * noise.Uniform()) {
		path = append(path, start+1, start+2, start+1, start)
	}
	return planner.Plan{Path: path}, nil
}

func formStudy(t *testing.T, m planner.Mechanism) *Study {
	t.Helper()
	s := paper(t)
	options := s.Experiment.Options
	options.Mechanism = m
	e, err := New(s.Experiment.Scenario, s.Experiment.Mission, options)
	if err != nil {
		t.Fatal(err)
	}
	s.Experiment, s.Epsilons, s.Runs, s.Noise = e, []float64{0.5, 2, None()}, 70, Common
	return s
}

func formRecords(t *testing.T, s *Study) (all []Run) {
	t.Helper()
	if err := s.Do(context.Background(), func(r []Run) error { all = append(all, r...); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// Stochastic policies and paths are flown the same whatever the number of workers, and each run alone is as it
// was among others. Runs of a stochastic policy differ.
func TestOtherFormsOfPlansAreRepeatable(t *testing.T) {
	for _, noise := range []Noise{Common, Independent} {
		for _, c := range []struct {
			mechanism planner.Mechanism
			least     int // flights that differ
		}{{tossing{0.7}, 60}, {detouring{}, 3}} {
			s := formStudy(t, c.mechanism)
			s.Noise, s.Workers = noise, 1
			want := formRecords(t, s)
			s.Workers = 3
			s.Experiment.Forget()
			if diff := cmp.Diff(want, formRecords(t, s)); diff != "" {
				t.Errorf("%s, %s: 3 workers differ from 1 (-1 +3):\n%s", c.mechanism.Name(), noise, diff)
			}
			flights := map[int]bool{}
			for i := range want {
				flights[want[i].Flight] = true
				if i%7 != 0 {
					continue
				}
				f, err := s.Experiment.NewFlyer()
				if err != nil {
					t.Fatal(err)
				}
				alone, err := f.Fly(Draw{Seed: s.Seed, Run: want[i].Run, Noise: noise, Epsilon: want[i].Epsilon}, 0)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want[i], alone); diff != "" {
					t.Errorf("%s, %s: run %d alone differs (-study +alone):\n%s", c.mechanism.Name(), noise, want[i].Run, diff)
				}
			}
			if len(flights) < c.least {
				t.Errorf("%s, %s: %d different flights, want at least %d", c.mechanism.Name(), noise, len(flights), c.least)
			}
		}
	}
}

// A flight visits the states of its path, in their order, also those that come again.
func TestFlightsFollowPaths(t *testing.T) {
	s := formStudy(t, detouring{})
	f, err := s.Experiment.NewFlyer()
	if err != nil {
		t.Fatal(err)
	}
	start := s.Experiment.Mission.Grid.Start
	long := 0
	for run := range 20 {
		if _, err := f.Fly(Draw{Run: run, Epsilon: 1}, 0); err != nil {
			t.Fatal(err)
		}
		path := f.Detail().Plan.Path
		states := func(v []sim.Visit) (all []int32) {
			for i := range v {
				all = append(all, int32(v[i].State))
			}
			return all
		}(f.Detail().History.Visits)
		if !slices.Equal(states[:len(path)], path) {
			t.Errorf("run %d visits %v, want %v first", run, states, path)
		}
		if states[len(path)-1] != int32(start) || slices.Contains(states[len(path):], int32(start)) {
			t.Errorf("run %d visits %v: it does not go on after its path", run, states)
		}
		long += count(len(path) > 5)
	}
	if long == 0 {
		t.Error("no path came back twice")
	}
}

// The moves of a stochastic policy are drawn apart from all else, so that a run at two epsilons with common
// noise, and the same policy, is one flight.
func TestCommonNoiseDrawsTheSameMoves(t *testing.T) {
	s := formStudy(t, tossing{0.6})
	for _, r := range slices.Collect(slices.Chunk(formRecords(t, s), 3)) {
		if r[0].Flight != r[1].Flight {
			t.Errorf("run %d flies another way at epsilon %g than at %g", r[0].Run, r[0].Epsilon, r[1].Epsilon)
		}
	}
	s.Noise = Independent
	same := 0
	for _, r := range slices.Collect(slices.Chunk(formRecords(t, s), 3)) {
		same += count(r[0].Flight == r[1].Flight)
	}
	if same > 5 {
		t.Errorf("%d runs fly the same at two epsilons with independent noise", same)
	}
}
