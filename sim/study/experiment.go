package study

import (
	"fmt"
	"math"
	"runtime"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Mechanism is the privacy setting of an experiment apart from epsilon.
type Mechanism struct {
	Calibration privacy.Calibration
	Delta       float64
	Adjacency   float64 // b: how far two adjacent rewards may differ, in one entry
}

// Sigma returns the standard deviation of the noise on every reward for an epsilon.
func (m Mechanism) Sigma(epsilon float64) (float64, error) {
	return m.Calibration.Sigma(epsilon, m.Delta, m.Adjacency)
}

// Epsilon returns the epsilon whose Sigma is given.
func (m Mechanism) Epsilon(sigma float64) (float64, error) {
	return m.Calibration.Epsilon(m.Delta, sigma, m.Adjacency)
}

// Adversary is the observer of an experiment and when it has recognised the destination.
type Adversary struct {
	Observer         string  // one of adversary.Names
	LambdaPerS       float64 // decay of the extrapolated acceleration, 1/s, >= 0
	RadiusKm         float64 // km, > 0
	ConsecutiveSteps int     // steps in a row within the radius, >= 1
}

// Experiment is one configuration of the closed loop. It is immutable but for the flights it
// remembers, and safe for concurrent use.
type Experiment struct {
	Scenario  sim.Scenario
	Mission   *planner.Mission
	Mechanism Mechanism
	Adversary Adversary
	Nominal   Run // the flight without privacy

	flown *memory
}

// observer returns the observer, for one goroutine.
func (a Adversary) observer() (adversary.Observer, error) {
	return adversary.New(a.Observer, adversary.Settings{LambdaPerS: a.LambdaPerS})
}

// New checks the parts of an experiment and flies its nominal flight.
func New(scenario sim.Scenario, spec planner.Spec, mechanism Mechanism, adversary Adversary) (*Experiment, error) {
	if err := scenario.Validate(); err != nil {
		return nil, err
	}
	if err := adversary.validate(); err != nil {
		return nil, err
	}
	if _, err := mechanism.Sigma(1); err != nil {
		return nil, err
	}
	mission, err := planner.NewMission(spec, scenario.Start, scenario.Target)
	if err != nil {
		return nil, err
	}
	e := &Experiment{Scenario: scenario, Mission: mission, Mechanism: mechanism, Adversary: adversary, flown: &memory{limit: memoryBytes}}
	flyer, err := e.NewFlyer()
	if err != nil {
		return nil, err
	}
	e.Nominal = flyer.FlyNominal()
	return e, nil
}

func (a Adversary) validate() error {
	if _, err := a.observer(); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	switch {
	case !(a.RadiusKm > 0) || math.IsInf(a.RadiusKm, 0):
		return fmt.Errorf("study: detection radius %v km, want a finite number above 0", a.RadiusKm)
	case a.ConsecutiveSteps < 1:
		return fmt.Errorf("study: %d consecutive steps, want at least 1", a.ConsecutiveSteps)
	}
	return nil
}

// NewFlyer returns a flyer for the experiment, one per goroutine. Its solver takes all cores where the problem
// is large.
func (e *Experiment) NewFlyer() (*Flyer, error) { return e.newFlyer(runtime.GOMAXPROCS(0)) }

// newFlyer returns a flyer whose solver takes no more than some cores.
func (e *Experiment) newFlyer(cores int) (*Flyer, error) {
	p, err := planner.NewPlanner(e.Mission.Solved, privacy.InputPerturbation{})
	if err != nil {
		return nil, err
	}
	p.LimitCores(cores)
	o, err := e.Adversary.observer()
	if err != nil {
		return nil, err
	}
	return &Flyer{experiment: e, planner: p, observer: o, radiusKm: math.Inf(1), noise: make([]float64, p.Normals())}, nil
}
