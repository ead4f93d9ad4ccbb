package study

import (
	"fmt"
	"math"
	"runtime"
	"sync"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// mechanism makes the rewards of all flights private: each agent's own, of whom a mission has one.
var mechanism = privacy.InputPerturbation{}

// Adversary is the observer of an experiment and when it has recognised the destination.
type Adversary struct {
	Observer         string  // one of adversary.Names
	LambdaPerS       float64 // decay of the extrapolated acceleration, 1/s, >= 0
	NoiseKm          float64 // standard deviation of the error of measured positions, km, >= 0; for the observer filtered
	Seed             uint64  // of that error
	RadiusKm         float64 // km, > 0
	ConsecutiveSteps int     // steps in a row within the radius, >= 1
}

// Experiment is one configuration of the closed loop. It is immutable but for the flights it
// remembers, and safe for concurrent use.
type Experiment struct {
	Scenario  sim.Scenario
	Mission   *planner.Mission
	Guarantee privacy.Guarantee // of every flight, but for its epsilon
	Adversary Adversary
	Nominal   Run // the flight without privacy

	flown    *memory
	farthest func() float64 // see FarthestDetectionKm
}

// New checks the parts of an experiment and flies its nominal flight. The mission is one for the start and the
// target of the scenario; experiments may share it.
func New(scenario sim.Scenario, mission *planner.Mission, guarantee privacy.Guarantee, adversary Adversary) (*Experiment, error) {
	return new(Flyer).New(scenario, mission, guarantee, adversary)
}

// New is the function New in the buffers of the flyer, which flies nothing but the nominal flight.
func (f *Flyer) New(scenario sim.Scenario, mission *planner.Mission, guarantee privacy.Guarantee, adversary Adversary) (*Experiment, error) {
	if err := scenario.Validate(); err != nil {
		return nil, err
	}
	if err := adversary.validate(); err != nil {
		return nil, err
	}
	e := &Experiment{Scenario: scenario, Mission: mission, Guarantee: guarantee, Adversary: adversary, flown: &memory{limit: memoryBytes}}
	if _, err := e.Sigma(1); err != nil {
		return nil, err
	}
	e.farthest = sync.OnceValue(e.searchFarthest)
	f.planner = nil // which is of another mission
	if err := f.observe(e); err != nil {
		return nil, err
	}
	e.Nominal = f.FlyNominal()
	return e, nil
}

func (a Adversary) validate() error {
	switch {
	case !(a.RadiusKm > 0) || math.IsInf(a.RadiusKm, 0):
		return fmt.Errorf("study: detection radius %v km, want a finite number above 0", a.RadiusKm)
	case a.ConsecutiveSteps < 1:
		return fmt.Errorf("study: %d consecutive steps, want at least 1", a.ConsecutiveSteps)
	}
	return nil
}

// Sigma returns the standard deviation of the noise on every reward for an epsilon.
func (e *Experiment) Sigma(epsilon float64) (float64, error) {
	return e.Guarantee.At(epsilon).SigmaOf(mechanism, e.Mission.Rewards.Shape)
}

// Epsilon returns the epsilon whose Sigma is given.
func (e *Experiment) Epsilon(sigma float64) (float64, error) {
	return e.Guarantee.EpsilonOf(mechanism, e.Mission.Rewards.Shape, sigma)
}

// NewFlyer returns a flyer for the experiment, one per goroutine. Its solver takes all cores where the problem
// is large.
func (e *Experiment) NewFlyer() (*Flyer, error) {
	f := new(Flyer)
	return f, f.serve(e, runtime.GOMAXPROCS(0))
}

// serve makes the flyer fly an experiment, in the buffers that it has, with a solver that takes no more than some
// cores. Where the experiment before had the same mission, the plans go on from there.
func (f *Flyer) serve(e *Experiment, cores int) error {
	if f.planner == nil || f.experiment.Mission != e.Mission {
		p, err := planner.NewPlanner(e.Mission.Solved, mechanism)
		if err != nil {
			return err
		}
		f.planner, f.axis, f.noise, f.hasDrawn = p, nil, make([]float64, p.Normals()), false
	}
	f.planner.LimitCores(cores)
	f.radiusKm = math.Inf(1)
	return f.observe(e)
}

// observe gives the flyer an experiment and its observer.
func (f *Flyer) observe(e *Experiment) error {
	o, err := adversary.New(e.Adversary.Observer, adversary.Settings{
		LambdaPerS: e.Adversary.LambdaPerS, NoiseKm: e.Adversary.NoiseKm, Seed: e.Adversary.Seed, Steering: adversary.SteeringOf(&e.Scenario),
	})
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	f.experiment, f.observer = e, o
	return nil
}
