package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Adversary is the observer of an experiment and when it has recognised the destination.
type Adversary struct {
	Observer   adversary.Model
	LambdaPerS float64 // decay of the extrapolated acceleration, 1/s, >= 0
	// standard deviation of the error of measured positions, km, >= 0; for the observer filtered
	NoiseKm  float64
	Seed     uint64         // of that error
	RadiusKm float64        // km, > 0
	Rule     adversary.Rule // of recognition by that radius
	Goals    Inference      // what an observer of the goal knows; nil for others
}

// Inference is what an observer of the goal knows about the flights of an experiment. It is safe for concurrent use.
type Inference interface {
	// At returns what is known of flights of an epsilon; +Inf for those without noise. It takes long where it was not
	// prepared.
	At(epsilon float64) (*adversary.Knowledge, error)
	// Prepare makes what is known of flights of some epsilons.
	Prepare(ctx context.Context, epsilons []float64, done func(n int)) error
	// Work returns how much Prepare has to do.
	Work(epsilons []float64) int
	// Varies reports whether what is known depends on epsilon.
	Varies() bool
}

// Options are what flights of an experiment have beside their mission.
type Options struct {
	Guarantee privacy.Guarantee // of every flight, except for its epsilon
	// Mechanism makes the plans of all flights private; nil for planner.Standard. It gets the noise of a run from the
	// beginning of the run's stream, at each epsilon again.
	Mechanism planner.Mechanism
	Decoys    *planner.Decoys // what a mechanism draws in place of the goal; nil for the Mechanism
	Adversary Adversary
	Others    []Adversary // further observers of the same flights
	// Bogus are goals that may be feigned, of which Run.LastDeceptiveKm tells; empty for a mirror image of the goal, see
	// deception.Bogus.
	Bogus []planner.Cell
}

// Experiment is one configuration of the closed loop. It is immutable except for the flights it
// remembers, and safe for concurrent use.
type Experiment struct {
	Scenario sim.Scenario
	Mission  *planner.Mission
	Options
	Baselines Baselines // of flights for which nothing is drawn

	others  []*Experiment // as the Others see the flights
	flown   *memory
	certain bool // moves are

	deceptive []bool // states at which a bogus goal is as likely as the true one, nil where there is none
}

// New checks the parts of an experiment and flies its baselines. The mission is one for the start and the target of the
// scenario; experiments may share it.
func New(scenario sim.Scenario, mission *planner.Mission, options Options) (*Experiment, error) {
	return new(Flyer).New(scenario, mission, options)
}

// New is [New] in the buffers of the flyer.
func (f *Flyer) New(scenario sim.Scenario, mission *planner.Mission, options Options) (*Experiment, error) {
	if err := scenario.Validate(); err != nil {
		return nil, err
	}
	if err := options.Adversary.validate(); err != nil {
		return nil, err
	}
	if options.Mechanism == nil {
		options.Mechanism = planner.Standard()
	}
	if linear := planner.LinearOf(options.Mechanism); linear != nil {
		if _, err := options.Guarantee.At(1).SigmaOf(linear, mission.Rewards.Shape); err != nil {
			return nil, err
		}
	}
	e := &Experiment{Scenario: scenario, Mission: mission, Options: options, flown: &memory{limit: memoryBytes},
		certain: mdp.Deterministic(mission.Law)}
	bogus, err := deception.Bogus(mission.Grid, options.Bogus)
	if err != nil {
		return nil, err
	}
	e.deceptive = deception.NewRecognition(mission.Grid, bogus).Deceptive()
	for _, other := range options.Others {
		options.Adversary, options.Others = other, nil
		seen, err := f.New(scenario, mission, options)
		if err != nil {
			return nil, err
		}
		e.others = append(e.others, seen)
	}
	f.planner = nil // which is of another mission
	if err := f.observe(e); err != nil {
		return nil, err
	}
	e.Baselines = f.flyBaselines(&e.Scenario)
	return e, nil
}

// Unsolved returns an experiment of which nothing can be flown: it has what it takes to read the records of a study.
func Unsolved(scenario sim.Scenario, grid *planner.Grid, adversary Adversary, others ...Adversary) *Experiment {
	e := &Experiment{Scenario: scenario, Mission: &planner.Mission{Grid: grid},
		Options: Options{Adversary: adversary, Others: others}}
	for _, other := range others {
		e.others = append(e.others, Unsolved(scenario, grid, other))
	}
	return e
}

// Observers returns how many observers watch the flights.
func (e *Experiment) Observers() int { return 1 + len(e.Others) }

// SeenBy returns the experiment as one of its observers sees it: 0 is the Adversary, those from 1 on are the Others.
func (e *Experiment) SeenBy(observer int) *Experiment {
	if observer == 0 {
		return e
	}
	return e.others[observer-1]
}

func (a Adversary) validate() error {
	switch {
	case !(a.RadiusKm > 0) || math.IsInf(a.RadiusKm, 0):
		return fmt.Errorf("study: detection radius %v km, want a finite number above 0", a.RadiusKm)
	case a.Observer.New == nil:
		return errors.New("study: no observer watches; take one of adversary.Models, or a Model with a New of its own")
	}
	return a.Rule.Check()
}

// plain reports whether a flight and what its observers make of it follow from the route alone: nothing else is drawn,
// and the observers know the same at every epsilon.
func (e *Experiment) plain() bool {
	if e.Decoys != nil || e.Scenario.Draws() {
		return false
	}
	for k := range e.Observers() {
		if goals := e.SeenBy(k).Adversary.Goals; goals != nil && goals.Varies() {
			return false
		}
	}
	return true
}

// Prepare makes what the observers know of flights of some epsilons, which takes long for those who know how private
// policies come out. done is told how much of Preparation is done.
func (e *Experiment) Prepare(ctx context.Context, epsilons []float64, done func(n int)) error {
	for k := range e.Observers() {
		if a := &e.SeenBy(k).Adversary; a.Goals != nil && a.Observer.KnowsNoise() {
			if err := a.Goals.Prepare(ctx, epsilons, done); err != nil {
				return err
			}
		}
	}
	return nil
}

// Preparation returns how much Prepare has to do, in private policies.
func (e *Experiment) Preparation(epsilons []float64) (policies int) {
	for k := range e.Observers() {
		if a := &e.SeenBy(k).Adversary; a.Goals != nil && a.Observer.KnowsNoise() {
			policies += a.Goals.Work(epsilons)
		}
	}
	return policies
}

// Forget lets go of the flights that the experiment remembers. None of its results depends on them.
func (e *Experiment) Forget() {
	for k := range e.Observers() {
		e.SeenBy(k).flown.forget()
	}
}

// linear returns the mechanism where it is a linear one on rewards, nil otherwise.
func (e *Experiment) linear() privacy.Linear {
	if e.Decoys != nil {
		return nil
	}
	return planner.LinearOf(e.Mechanism)
}

// SigmaMeaning says in tables what Sigma is.
const SigmaMeaning = "standard deviation of the noise on every reward; where a goal is drawn, on its coordinates, in " +
	"cells"

// Delta returns the probability with which every epsilon may fail: that of the guarantee, unless the mechanism has
// its own.
func (e *Experiment) Delta() float64 {
	if e.Decoys == nil && planner.PromiseOf(e.Mechanism).Pure {
		return 0
	}
	return e.Decoys.Delta(e.Guarantee)
}

// Sigma returns the standard deviation of the noise on every reward for an epsilon, 0 for None(). Where a goal is drawn
// it is that of the noise on its coordinates, in cells, and 0 for a draw without such noise. It is 0 for a mechanism
// that is not linear, which has none.
func (e *Experiment) Sigma(epsilon float64) (float64, error) {
	if isNone(epsilon) {
		return 0, nil
	}
	if e.Decoys != nil {
		m, err := e.Decoys.Mechanism(epsilon)
		gaussian, _ := m.(privacy.GaussianGoal)
		return gaussian.Sigma, err
	}
	linear := e.linear()
	if linear == nil {
		return 0, nil
	}
	return e.Guarantee.At(epsilon).SigmaOf(linear, e.Mission.Rewards.Shape)
}

// Epsilon returns the epsilon whose Sigma is given. It is ErrNoAxis for a mechanism that is not linear on the reward.
func (e *Experiment) Epsilon(sigma float64) (float64, error) {
	linear := e.linear()
	if linear == nil {
		return 0, ErrNoAxis
	}
	return e.Guarantee.EpsilonOf(linear, e.Mission.Rewards.Shape, sigma)
}

// sameMechanism reports whether it is certain that two experiments have one mechanism.
func (e *Experiment) sameMechanism(other *Experiment) bool {
	a, b := reflect.ValueOf(e.Mechanism), reflect.ValueOf(other.Mechanism)
	return a.IsValid() && b.IsValid() && a.Comparable() && b.Comparable() && e.Mechanism == other.Mechanism
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
	if f.planner == nil || f.experiment.Mission != e.Mission || !f.experiment.sameMechanism(e) {
		p, err := planner.NewPlanner(e.Mission.Solved, planner.LinearOf(e.Mechanism))
		if err != nil {
			return err
		}
		f.planner, f.axis, f.noise, f.hasDrawn = p, nil, make([]float64, p.Normals()), false
	}
	f.planner.LimitCores(cores)
	return f.observe(e)
}

// observe gives the flyer an experiment and its observers of flights without noise.
func (f *Flyer) observe(e *Experiment) error {
	o, err := e.observer(math.Inf(1))
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	f.experiment, f.observer, f.observers, f.drawnBase = e, o, nil, drawnBaselines{}
	f.others = f.others[:0]
	for _, seen := range e.others {
		other := new(Flyer)
		if err := other.observe(seen); err != nil {
			return err
		}
		f.others = append(f.others, other)
	}
	return nil
}

// observer returns the observer of flights of an epsilon.
func (e *Experiment) observer(epsilon float64) (adversary.Observer, error) {
	settings := adversary.Settings{
		LambdaPerS: e.Adversary.LambdaPerS, NoiseKm: e.Adversary.NoiseKm, Seed: e.Adversary.Seed,
		Steering: adversary.SteeringOf(&e.Scenario),
	}
	if e.Adversary.Goals != nil {
		var err error
		if settings.Knowledge, err = e.Adversary.Goals.At(epsilon); err != nil {
			return nil, err
		}
	}
	return e.Adversary.Observer.New(settings)
}

// observeAt gives the flyer the observer of flights of an epsilon, where that is another at each.
func (f *Flyer) observeAt(epsilon float64) {
	goals := f.experiment.Adversary.Goals
	if goals == nil || !goals.Varies() {
		return
	}
	o := f.observers[epsilon]
	if o == nil {
		var err error
		if o, err = f.experiment.observer(epsilon); err != nil {
			panic("study: " + err.Error()) // an epsilon without a sigma, which was requested before
		}
		if f.observers == nil {
			f.observers = map[float64]adversary.Observer{}
		}
		f.observers[epsilon] = o
	}
	f.observer = o
}
