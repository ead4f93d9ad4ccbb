package deception_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// settings are those that tests take for all ways.
var settings = deception.Settings{Temperature: 1, ObserverTemperature: 0.5, Detour: 0.25}

// paperSpec is the paper's grid.
func paperSpec() planner.Spec {
	return planner.Spec{Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: planner.Cell{Row: 7}, RewardWeight: 2,
		Discount: 0.95, Tolerance: 1e-10}
}

// mission returns a mission from the paper's start to its target.
func mission(tb testing.TB, spec planner.Spec) (*planner.Mission, *planner.Planner) {
	tb.Helper()
	m, err := planner.NewMission(spec, r3.Vec{X: -200, Y: -50, Z: 10}, r3.Vec{})
	if err != nil {
		tb.Fatal(err)
	}
	p, err := planner.NewPlanner(m.Solved, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return m, p
}

func planBy(tb testing.TB, p *planner.Planner, name string, s deception.Settings) planner.Plan {
	tb.Helper()
	m, err := deception.New(name, s)
	if err != nil {
		tb.Fatal(err)
	}
	plan, err := p.PlanBy(m, privacy.Guarantee{Epsilon: 1}, new(privacy.Noise))
	if err != nil {
		tb.Fatal(err)
	}
	return plan
}

// Every way makes the same plan of a mission whatever the guarantee and the noise, also from several goroutines,
// and says that it gives no guarantee.
func TestWaysMakeOnePlanOfAMission(t *testing.T) {
	for _, w := range deception.Ways() {
		_, p := mission(t, paperSpec())
		m, err := deception.New(w.Name, settings)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name() != w.Name || m.Meaning() != w.Meaning+"; gives no guarantee" {
			t.Errorf("%s is called %s and means %q", w.Name, m.Name(), m.Meaning())
		}
		want := planBy(t, p, w.Name, settings)
		var all sync.WaitGroup
		for run := range 4 {
			all.Go(func() {
				own, err := planner.NewPlanner(p.Problem(), nil)
				if err != nil {
					t.Error(err)
					return
				}
				var noise privacy.Noise
				noise.Seek(privacy.Address{Run: uint64(run)})
				got, err := own.PlanBy(m, privacy.Guarantee{Epsilon: float64(run + 1)}, &noise)
				if err != nil || !slices.Equal(got.Stochastic, want.Stochastic) || !slices.Equal(got.Path, want.Path) {
					t.Errorf("%s: another plan, %v", w.Name, err)
				}
			})
		}
		all.Wait()
	}
}

func TestNoSuchWay(t *testing.T) {
	if _, err := deception.New("hope", settings); err == nil {
		t.Error("no error")
	}
}

// The cooler the soft policy is, the less it costs, and at last next to nothing.
func TestSoftCostsLessWhereItIsCooler(t *testing.T) {
	for _, slip := range []float64{0, 0.1} {
		spec := paperSpec()
		spec.Slip = slip
		_, p := mission(t, spec)
		before := math.Inf(1)
		for _, temperature := range []float64{30, 3, 0.3, 0.03} {
			plan := planBy(t, p, "soft", deception.Settings{Temperature: temperature})
			cost := p.CostOf(&plan).Relative
			if cost >= before {
				t.Errorf("slip %g, temperature %g costs %g, hotter %g", slip, temperature, cost, before)
			}
			before = cost
		}
		if before > 1e-4 {
			t.Errorf("slip %g: the coolest policy costs %g", slip, before)
		}
	}
}
