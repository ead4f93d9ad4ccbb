package benchmark

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"

	"veilpath/assets"
	"veilpath/guidance"
	"veilpath/internal/setup"
	"veilpath/planner"
	"veilpath/sim"
)

// Observers see a move when it is commanded. The guide says after how many km the track itself shows it to one who
// knows the law of the legs: where that law turns the vehicle otherwise than to every other waypoint around. While
// turns are at their limit, it does not.
func TestTheGuideSaysWhenTracksShowMoves(t *testing.T) {
	s, err := ReadSuite(assets.BenchmarkSuite)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cases()[0] // the plan without noise on the paper's mission
	loaded, err := s.Request(&c).Load(1)
	if err != nil {
		t.Fatal(err)
	}
	way, err := new(setup.Builder).Way(t.Context(), loaded.Config)
	if err != nil {
		t.Fatal(err)
	}
	var km []float64
	for _, g := range way.World.Goals {
		if g.Prior == 0 {
			continue
		}
		scenario := way.World.Scenario
		scenario.Target = g.TargetKm
		var h sim.History
		scenario.Fly(&planner.Route{Grid: g.Mission.Grid, Policy: g.Mission.Optimal.Policy}, &h)
		for i, v := range h.Visits {
			end := h.Handover
			if i+1 < len(h.Visits) {
				end = h.Visits[i+1].Sample
			}
			shown := v.Sample
			for shown < end && !shows(&scenario, g.Mission.Grid, &h.Samples[shown], v) {
				shown++
			}
			km = append(km, float64(shown-v.Sample)*scenario.StepS*scenario.SpeedKmS)
		}
	}
	slices.Sort(km)
	page, err := os.ReadFile("../../assets/guide/observers.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("half of the planned moves at once, and nine tenths within %.0f km", km[len(km)*9/10])
	if half := km[len(km)/2]; half > 0 || !strings.Contains(strings.Join(strings.Fields(string(page)), " "), want) {
		t.Errorf("half of the moves show within %g km; the guide does not say %q", half, want)
	}
}

// shows reports whether the acceleration at a sample is that towards the waypoint commanded and to no other one around.
func shows(s *sim.Scenario, g *planner.Grid, at *sim.Sample, v sim.Visit) bool {
	leg := guidance.NewLeg(s.WaypointGain, s.SpeedKmS, s.WaypointMinTgoS)
	towards := func(state int) r2.Vec {
		w := g.Position(state)
		a := leg.Lateral(r2.Vec{X: w.X - at.R.X, Y: w.Y - at.R.Y}, r2.Vec{X: at.V.X, Y: at.V.Y})
		return r2.Scale(min(1, s.AccelLimitKmS2/max(r2.Norm(a), s.AccelLimitKmS2)), a)
	}
	const alike = 1e-3 // of the limit
	own, here := towards(v.Commanded), g.Cell(v.State)
	for around := range 9 {
		c := planner.Cell{Column: here.Column + around%3 - 1, Row: here.Row + around/3 - 1}
		if c == here || c.Column < 0 || c.Row < 0 || c.Column >= g.Columns || c.Row >= g.Rows || g.State(c) == v.Commanded {
			continue
		}
		if r2.Norm(r2.Sub(own, towards(g.State(c)))) < alike*s.AccelLimitKmS2 {
			return false
		}
	}
	return true
}
