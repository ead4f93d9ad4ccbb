package planner

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

func paperSpec() Spec {
	return Spec{
		Columns: 20, Rows: 20, SpacingKm: 12.5, StartCell: paperCell,
		RewardWeight: 2, Discount: 0.95, Tolerance: 1e-10,
	}
}

func mustMission(tb testing.TB, spec Spec, start, target r3.Vec) *Mission {
	tb.Helper()
	m, err := NewMission(spec, start, target)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// ulps compares numbers that are computed in different orders, relative.
const ulps = 8 * 0x1p-52

// r(s, a) = -w d(s', goal)/spacing, the distance in km between waypoints.
func TestRewardsAreTheFormula(t *testing.T) {
	for _, g := range smallGrids(t) {
		const weight = 2.5
		table := g.rewards(weight)
		if len(table) != g.States()*5 {
			t.Fatalf("%d rewards for %d states", len(table), g.States())
		}
		for s := range g.States() {
			for a := range Action(5) {
				d := r3.Norm(r3.Sub(g.Position(g.Next(s, a)), g.Position(g.Goal)))
				want := -weight * d / g.SpacingKm
				// positions of 100 km are rounded
				if got := table[s*5+int(a)]; !(math.Abs(got-want) <= 1e-12*weight*float64(g.States())) {
					t.Errorf("%d x %d: reward of %v %v is %.15g, want %.15g", g.Columns, g.Rows, g.Cell(s), a, got, want)
				}
			}
		}
	}
}

// valueTolerance is absolute, on values up to 700 in the paper's problem: what a plan may lose,
// Mission.Tolerance, which is three times what rounding of such values leaves certain.
const valueTolerance = 1e-10

// A mission is certified to the tolerance asked for, or where rounding does not allow that, to what it allows; it is
// refused where that is more than 1e-9 of the largest possible value.
func TestMissionIsCertified(t *testing.T) {
	for _, c := range []struct {
		slip, discount, tolerance float64
		rounded                   bool   // certified to less
		says                      string // empty where it is certified
	}{
		{0, 0.95, 1e-9, false, ""}, {0, 0.99, 1e-9, false, ""}, {0.15, 0.95, 1e-9, false, ""}, {0.15, 0.99, 1e-8, false, ""},
		{0, 0.95, 1e-11, true, ""}, {0, 0.999, 1e-10, true, ""}, {0.15, 0.999, 1e-10, true, ""},
		{0, 0.9999999, 1e-9, true, ""}, {0.15, 0.9999999999, 1e-9, false, "not to the tolerance 1e-09"},
	} {
		spec := paperSpec()
		spec.Slip, spec.Discount, spec.Tolerance = c.slip, c.discount, c.tolerance
		m, err := NewMission(spec, paperStart, r3.Vec{})
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("slip %g, discount %g, tolerance %g: error %v, want one that says %q", c.slip, c.discount, c.tolerance,
					err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("slip %g, discount %g, tolerance %g: %v", c.slip, c.discount, c.tolerance, err)
			continue
		}
		largest := m.Rewards.LargestAbsolute() / (1 - c.discount)
		if b := m.Optimal.Bound; c.rounded != (b > c.tolerance) || b > m.Tolerance || b > 1e-9*largest {
			t.Errorf("slip %g, discount %g, tolerance %g: certified to %g, a tolerance of %g, largest value %g", c.slip,
				c.discount, c.tolerance, b, m.Tolerance, largest)
		}
	}
}

// Without slip the best way is straight: 4 steps north-east, 12 east, then stay.
func TestOptimalValueClosedForm(t *testing.T) {
	m := mustMission(t, paperSpec(), paperStart, r3.Vec{})
	want, weight := 0.0, 1.0
	for step := 1; step <= 16; step++ {
		north := max(4-step, 0)
		want -= 2 * weight * math.Hypot(float64(16-step), float64(north))
		weight *= 0.95
	}
	if got := m.Optimal.Value[m.Grid.Start]; !(math.Abs(got-want) <= valueTolerance) {
		t.Errorf("the start is worth %.15g, want %.15g", got, want)
	}
}

func TestMissionErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		change func(*Spec)
		says   string
	}{
		{"spacing too small to reach", func(s *Spec) { s.SpacingKm = 10 }, "does not hold the target"},
		{"negative slip", func(s *Spec) { s.Slip = -0.1 }, "slip"},
		{"certain slip", func(s *Spec) { s.Slip = 1 }, "slip"},
		{"NaN slip", func(s *Spec) { s.Slip = nan }, "slip"},
		{"discount 1", func(s *Spec) { s.Discount = 1 }, "discount"},
		{"zero tolerance", func(s *Spec) { s.Tolerance = 0 }, "tolerance"},
		{"infinite tolerance", func(s *Spec) { s.Tolerance = inf }, "tolerance"},
		{"NaN weight", func(s *Spec) { s.RewardWeight = nan }, "reward"},
		{"overflowing weight", func(s *Spec) { s.RewardWeight = 1e308 }, "reward"},
	} {
		spec := paperSpec()
		c.change(&spec)
		if _, err := NewMission(spec, paperStart, r3.Vec{}); err == nil || !strings.Contains(err.Error(), c.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one line that says %q", c.name, err, c.says)
		}
	}
}
