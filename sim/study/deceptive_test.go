package study

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// eastwards flies along the row of the start for so many waypoints.
type eastwards int

func (eastwards) Name() string    { return "eastwards" }
func (eastwards) Meaning() string { return "flies along the row of the start" }

func (m eastwards) Plan(p *planner.Planner, _ privacy.Guarantee, _ *privacy.Noise) (planner.Plan, error) {
	path := []int32{int32(p.Problem().Start)}
	for range m {
		path = append(path, path[len(path)-1]+1)
	}
	return planner.Plan{Path: path}, nil
}

// By hand: along the row of the start the way to the mirror image of the goal is as long as the one to the goal,
// so each waypoint there deceives, and none of those after it that lie towards the goal. The last one is where
// the vehicle was when it turned to the next. A flight of no waypoints deceives at its start alone.
func TestLastDeceptivePointByHand(t *testing.T) {
	for east := range 7 {
		s := formStudy(t, eastwards(east))
		f, err := s.Experiment.NewFlyer()
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Fly(Draw{Epsilon: 1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		h := f.Detail().History
		want := r3.Norm(r3.Sub(s.Experiment.Scenario.Target, h.Samples[h.Visits[east].Sample].R))
		if math.Abs(r.LastDeceptiveKm-want) > 1e-9 || h.Visits[east].State != s.Experiment.Mission.Grid.Start+east {
			t.Errorf("after %d moves east: %v km, want %v", east, r.LastDeceptiveKm, want)
		}
		start := r3.Norm(r3.Sub(s.Experiment.Scenario.Target, s.Experiment.Scenario.Start))
		if direct := s.Experiment.Baselines.Direct.LastDeceptiveKm; math.Abs(direct-start) > 1e-9 {
			t.Errorf("the direct flight: %v km, want %v", direct, start)
		}
	}
}

// Of any flight the last deceptive point is the last waypoint visited at which the observer of cost differences
// does not put the true goal first, whichever goals are feigned; further observers see the same.
func TestLastDeceptivePointOfFlights(t *testing.T) {
	for _, bogus := range [][]planner.Cell{nil, {{Column: 3, Row: 18}}, {{Column: 18, Row: 4}, {Column: 10, Row: 19}}} {
		s := formStudy(t, tossing{0.5})
		options := s.Experiment.Options
		options.Bogus.Cells, options.Others = bogus, []Adversary{options.Adversary}
		e, err := New(s.Experiment.Scenario, s.Experiment.Mission, options)
		if err != nil {
			t.Fatal(err)
		}
		states, err := options.Bogus.States(e.Mission.Grid)
		if err != nil {
			t.Fatal(err)
		}
		observer := deception.NewRecognition(e.Mission.Grid, states)
		f, err := e.NewFlyer()
		if err != nil {
			t.Fatal(err)
		}
		values := map[float64]bool{}
		for run := range 30 {
			r, err := f.Fly(Draw{Run: run, Epsilon: 1}, 0)
			if err != nil {
				t.Fatal(err)
			}
			h, want := f.Detail().History, 0.0
			for _, v := range h.Visits {
				if observer.Deceives(v.State) {
					want = r3.Norm(r3.Sub(e.Scenario.Target, h.Samples[v.Sample].R))
				}
			}
			if r.LastDeceptiveKm != want {
				t.Errorf("bogus %v, run %d: %v km, want %v", bogus, run, r.LastDeceptiveKm, want)
			}
			values[want] = true
		}
		if len(values) < 5 {
			t.Errorf("bogus %v: %d different distances, want more", bogus, len(values))
		}
	}
	s := formStudy(t, tossing{0.5})
	options := s.Experiment.Options
	options.Bogus.Cells = []planner.Cell{{Column: 40}}
	if _, err := New(s.Experiment.Scenario, s.Experiment.Mission, options); err == nil {
		t.Error("a bogus goal off the grid: no error")
	}
}
