package vary

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"veilpath/sim"
)

// ofScenario has the settings of vehicles that can vary: the quantity of a scenario that each gives, and whether the
// setting is in degrees and the quantity in radians.
var ofScenario = map[string]func(s *sim.Scenario) (quantity *float64, degrees bool){
	"vehicle.speed_km_s":               func(s *sim.Scenario) (*float64, bool) { return &s.SpeedKmS, false },
	"vehicle.accel_limit_km_s2":        func(s *sim.Scenario) (*float64, bool) { return &s.AccelLimitKmS2, false },
	"vehicle.start_km.east":            func(s *sim.Scenario) (*float64, bool) { return &s.Start.X, false },
	"vehicle.start_km.north":           func(s *sim.Scenario) (*float64, bool) { return &s.Start.Y, false },
	"vehicle.start_km.up":              func(s *sim.Scenario) (*float64, bool) { return &s.Start.Z, false },
	"vehicle.heading":                  func(s *sim.Scenario) (*float64, bool) { return &s.HeadingRad, true },
	"target_km.east":                   func(s *sim.Scenario) (*float64, bool) { return &s.Target.X, false },
	"target_km.north":                  func(s *sim.Scenario) (*float64, bool) { return &s.Target.Y, false },
	"target_km.up":                     func(s *sim.Scenario) (*float64, bool) { return &s.Target.Z, false },
	"guidance.genex_n":                 func(s *sim.Scenario) (*float64, bool) { return &s.GenexN, false },
	"guidance.terminal_steepening_deg": func(s *sim.Scenario) (*float64, bool) { return &s.SteepeningRad, true },
	"guidance.genex_min_tgo_s":         func(s *sim.Scenario) (*float64, bool) { return &s.GenexMinTgoS, false },
	"guidance.waypoint_gain":           func(s *sim.Scenario) (*float64, bool) { return &s.WaypointGain, false },
	"guidance.waypoint_min_tgo_s":      func(s *sim.Scenario) (*float64, bool) { return &s.WaypointMinTgoS, false },
	"privacy.handover_km":              func(s *sim.Scenario) (*float64, bool) { return &s.HandoverKm, false },
}

// The settings of observers that can vary.
const (
	LambdaPerS       = "adversary.lambda_per_s"
	NoiseKm          = "adversary.noise_km"
	RadiusKm         = "adversary.radius_km"
	ConsecutiveSteps = "adversary.consecutive_steps"
)

// HandoverKm is the setting of the distance from the target at which waypoints end.
const HandoverKm = "privacy.handover_km"

// Settings returns the settings that can vary, in the order of their names.
func Settings() []string {
	return slices.Sorted(slices.Values(slices.AppendSeq([]string{LambdaPerS, NoiseKm, RadiusKm, ConsecutiveSteps},
		maps.Keys(ofScenario))))
}

// FarthestHandoverKm returns the largest hand-over distance that is expected, km, of flights with the given one
// unless it varies.
func FarthestHandoverKm(km float64, varied []Variation) float64 {
	const nearlySure = 1 - 1e-6
	for _, v := range varied {
		if v.Key == HandoverKm {
			km = max(km, v.Quantile(nearlySure))
		}
	}
	return km
}

// Scenario returns the scenario of a run, in which the settings of vehicles that vary have the values of the run. It
// returns an error if one of them is out of bounds.
func Scenario(s *sim.Scenario, varied []Variation, seed uint64, run int) (sim.Scenario, error) {
	drawn := *s
	for _, v := range varied {
		if quantity := ofScenario[v.Key]; quantity != nil {
			value, err := v.Draw(seed, run)
			if err != nil {
				return drawn, err
			}
			x, degrees := quantity(&drawn)
			if degrees {
				value = value * math.Pi / 180
			}
			*x = value
		}
	}
	if err := drawn.Validate(); len(varied) > 0 && err != nil {
		return drawn, fmt.Errorf("vary: what run %d draws: %w", run, err)
	}
	return drawn, nil
}
