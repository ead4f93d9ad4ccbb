package sim_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/sim"
)

// paperScenario is the flight of the paper's third example.
func paperScenario() *sim.Scenario {
	return &sim.Scenario{
		SpeedKmS: 1.7, AccelLimitKmS2: 0.2,
		Start: r3.Vec{X: -200, Y: -50, Z: 10}, HeadingRad: math.NaN(), HandoverKm: 80,
		WaypointGain: 3, WaypointMinTgoS: 2, GenexN: 0, GenexMinTgoS: 0.3,
		SteepeningRad: 1.38 * math.Pi / 180, MaxTransitions: 100,
		StepS: 0.1, CaptureKm: 5, MaxTimeS: 2000,
	}
}

func TestValidateAcceptsTheEdges(t *testing.T) {
	for name, change := range map[string]func(*sim.Scenario){
		"no hand-over":      func(s *sim.Scenario) { s.HandoverKm = 0 },
		"no capture":        func(s *sim.Scenario) { s.CaptureKm = 0 },
		"negative exponent": func(s *sim.Scenario) { s.GenexN = -0.99 },
		"shallow arrival":   func(s *sim.Scenario) { s.SteepeningRad = -0.5 },
		"given heading":     func(s *sim.Scenario) { s.HeadingRad = -3 },
		"one transition":    func(s *sim.Scenario) { s.MaxTransitions = 1 },
		"level target":      func(s *sim.Scenario) { s.Target.Z = s.Start.Z },
	} {
		s := paperScenario()
		change(s)
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestValidateNamesTheBadValue(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	type change = func(*sim.Scenario, float64)
	for _, c := range []struct {
		says   string
		change change
		bad    []float64
	}{
		{"speed", func(s *sim.Scenario, x float64) { s.SpeedKmS = x }, []float64{0, -1, nan, inf}},
		{"acceleration limit", func(s *sim.Scenario, x float64) { s.AccelLimitKmS2 = x }, []float64{0, -1, nan, inf}},
		{"start", func(s *sim.Scenario, x float64) { s.Start.X = x }, []float64{nan, inf, -inf}},
		{"start", func(s *sim.Scenario, x float64) { s.Start.Z = x }, []float64{nan, inf, -inf}},
		{"target", func(s *sim.Scenario, x float64) { s.Target.Y = x }, []float64{nan, inf, -inf}},
		{"target", func(s *sim.Scenario, x float64) { s.Target.Z = x }, []float64{nan, inf, -inf}},
		{"heading", func(s *sim.Scenario, x float64) { s.HeadingRad = x }, []float64{inf, -inf}},
		{"hand-over distance", func(s *sim.Scenario, x float64) { s.HandoverKm = x }, []float64{-1, nan, inf}},
		{"waypoint gain", func(s *sim.Scenario, x float64) { s.WaypointGain = x }, []float64{0, -3, nan, inf}},
		{"waypoint time-to-go floor", func(s *sim.Scenario, x float64) { s.WaypointMinTgoS = x }, []float64{0, -2, nan, inf}},
		{"GENEX exponent", func(s *sim.Scenario, x float64) { s.GenexN = x }, []float64{-1, -2, nan, inf}},
		{"GENEX time-to-go floor", func(s *sim.Scenario, x float64) { s.GenexMinTgoS = x }, []float64{0, -1, nan, inf}},
		{"terminal steepening", func(s *sim.Scenario, x float64) { s.SteepeningRad = x }, []float64{nan, inf, -inf}},
		{"step", func(s *sim.Scenario, x float64) { s.StepS = x }, []float64{0, -0.1, nan, inf}},
		{"capture distance", func(s *sim.Scenario, x float64) { s.CaptureKm = x }, []float64{-1, nan, inf}},
		{"time limit", func(s *sim.Scenario, x float64) { s.MaxTimeS = x }, []float64{0, -1, nan, inf}},
		{"transition limit", func(s *sim.Scenario, x float64) { s.MaxTransitions = int(x) }, []float64{0, -1}},
		{"horizontal distance", func(s *sim.Scenario, x float64) { s.Target = s.Start; s.Target.Z = x }, []float64{0, 10}},
		{"steps", func(s *sim.Scenario, x float64) { s.StepS = x }, []float64{1e-6, 1e-300}},
	} {
		for _, x := range c.bad {
			s := paperScenario()
			c.change(s, x)
			err := s.Validate()
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "sim: ") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %v: error %v, want one line that names it", c.says, x, err)
			}
		}
	}
}

// A flight shorter than a step has no duration to compare with.
func TestValidateRefusesATimeLimitBelowAStep(t *testing.T) {
	s := paperScenario()
	s.MaxTimeS = math.Nextafter(s.StepS, 0)
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "time limit") {
		t.Errorf("a limit a hair below a step: %v", err)
	}
	s.MaxTimeS = s.StepS
	if err := s.Validate(); err != nil {
		t.Errorf("a limit of one step: %v", err)
	}
}
