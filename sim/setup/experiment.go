package setup

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/planner"
	"veilpath/sim"
	"veilpath/sim/study"
)

// Experiment builds the closed loop that the settings describe and flies its nominal flight. A checked
// Config of the waypoints gives no error; for another problem, which nothing flies, it is a *[configs.Error].
func Experiment(c configs.Config) (*study.Experiment, error) { return new(Builder).Experiment(c) }

// Builder builds experiments, and solves the missions that several of them have in common once. The zero value is
// ready, and safe for concurrent use.
type Builder struct {
	missions sync.Map  // functions that return a mission, by what it is made of
	flyers   sync.Pool // *study.Flyer, for their buffers
}

// mission returns the mission of a scenario.
func (b *Builder) mission(spec planner.Spec, s *sim.Scenario) (*planner.Mission, error) {
	solve := sync.OnceValues(func() (*planner.Mission, error) { return planner.NewMission(spec, s.Start, s.Target) })
	known, _ := b.missions.LoadOrStore(fmt.Sprintf("%#v %#v %#v", spec, s.Start, s.Target), solve) // a Spec holds values alone
	return known.(func() (*planner.Mission, error))()
}

// Experiment is [Experiment] with the missions that the builder knows.
func (b *Builder) Experiment(c configs.Config) (*study.Experiment, error) {
	if err := flies(c); err != nil {
		return nil, err
	}
	s := scenario(c)
	mission, err := b.mission(spec(c), &s)
	if err != nil {
		return nil, fmt.Errorf("setup: building the mission: %w", err)
	}
	flyer, ok := b.flyers.Get().(*study.Flyer)
	if !ok {
		flyer = new(study.Flyer)
	}
	defer b.flyers.Put(flyer)
	e, err := flyer.New(s, mission, Guarantee(c),
		study.Adversary{
			Observer:         c.Adversary.Observer,
			LambdaPerS:       c.Adversary.LambdaPerS,
			NoiseKm:          c.Adversary.NoiseKm,
			Seed:             c.Study.Seed,
			RadiusKm:         c.Adversary.RadiusKm,
			ConsecutiveSteps: c.Adversary.ConsecutiveSteps,
		})
	if err != nil {
		return nil, fmt.Errorf("setup: building the experiment: %w", err)
	}
	return e, nil
}

// flies refuses problems that nothing flies.
func flies(c configs.Config) error {
	if c.Problem == configs.Waypoints {
		return nil
	}
	return &configs.Error{Key: "problem", Value: c.Problem, Problem: "not a problem that is flown", Allowed: configs.Waypoints,
		Fix: "take preset paper, or ask veilpath design and veilpath reproduce about this one"}
}

// Study returns the study of an experiment that the settings describe, at the listed epsilons: that of a range is
// asked for by setting its Axis.
func Study(c configs.Config, e *study.Experiment) study.Study {
	return study.Study{
		Experiment: e,
		Epsilons:   c.Study.Epsilons,
		Runs:       c.Study.Runs,
		Seed:       c.Study.Seed,
		Noise:      study.Noise(c.Study.Noise),
		Workers:    c.Study.Workers,
	}
}

func scenario(c configs.Config) sim.Scenario {
	heading := math.NaN()
	if !c.Vehicle.Heading.LineOfSight {
		heading = radians(c.Vehicle.Heading.Degrees)
	}
	return sim.Scenario{
		SpeedKmS:        c.Vehicle.SpeedKmS,
		AccelLimitKmS2:  c.Vehicle.AccelLimitKmS2,
		Start:           vector(c.Vehicle.StartKm),
		Target:          vector(c.TargetKm),
		HeadingRad:      heading,
		HandoverKm:      c.Privacy.HandoverKm,
		WaypointGain:    c.Guidance.WaypointGain,
		WaypointMinTgoS: c.Guidance.WaypointMinTgoS,
		GenexN:          c.Guidance.GenexN,
		GenexMinTgoS:    c.Guidance.GenexMinTgoS,
		SteepeningRad:   radians(c.Guidance.TerminalSteepeningDeg),
		MaxTransitions:  c.Planner.MaxTransitions,
		StepS:           c.Sim.StepS,
		CaptureKm:       c.Sim.CaptureKm,
		MaxTimeS:        c.Sim.MaxTimeS,
	}
}

func spec(c configs.Config) planner.Spec {
	return planner.Spec{
		Columns:      c.Planner.Columns,
		Rows:         c.Planner.Rows,
		SpacingKm:    c.Planner.SpacingKm,
		StartCell:    planner.Cell{Column: c.Planner.StartCell[0], Row: c.Planner.StartCell[1]},
		RewardWeight: c.Planner.RewardWeight,
		Discount:     c.Planner.Discount,
		Slip:         c.Planner.Slip,
		Tolerance:    c.Planner.Tolerance,
	}
}

func vector(xyz [3]float64) r3.Vec { return r3.Vec{X: xyz[0], Y: xyz[1], Z: xyz[2]} }

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
