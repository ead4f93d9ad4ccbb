package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/sim"
	"veilpath/sim/vary"
)

// Adversary is the observer of an experiment and its rule of recognition.
type Adversary struct {
	Observer   adversary.Model
	LambdaPerS float64 // decay of the extrapolated acceleration, 1/s, >= 0
	// standard deviation of the error of measured positions, km, >= 0; for the observer filtered
	NoiseKm  float64
	Seed     uint64         // seed of that error
	RadiusKm float64        // km, > 0
	Rule     adversary.Rule // rule of recognition with that radius
	Goals    Inference      // knowledge of an observer of the goal; nil for others
}

// Inference is the knowledge of an observer of the goal about the flights of an experiment. It is safe for
// concurrent use.
type Inference interface {
	// At returns the knowledge about flights of an epsilon; +Inf for flights without noise. It takes long unless
	// it was prepared.
	At(epsilon float64) (*adversary.Knowledge, error)
	// Prepare computes the knowledge about flights of some epsilons.
	Prepare(ctx context.Context, epsilons []float64, done func(n int)) error
	// Work returns the amount of work of Prepare.
	Work(epsilons []float64) int
	// Varies reports whether the knowledge depends on epsilon.
	Varies() bool
}

// Options are the settings of an experiment's flights besides their mission.
type Options struct {
	Guarantee privacy.Guarantee // of every flight, except for its epsilon
	// Mechanism makes the plans of all flights private; nil for planner.Standard. At each epsilon it receives the
	// noise of a run from the beginning of the run's stream.
	Mechanism planner.Mechanism
	Decoys    *planner.Decoys // draw a cell in place of the goal; nil to use the Mechanism
	Adversary Adversary
	Others    []Adversary // further observers of the same flights
	// Varied are the settings that are drawn for every run, each once.
	Varied []vary.Variation
	// Bogus are the bogus goals, for Run.LastDeceptiveKm.
	Bogus deception.Bogus
}

// Experiment is one configuration of the closed loop. It is immutable except for its cache of flights, and safe
// for concurrent use.
type Experiment struct {
	Scenario sim.Scenario
	Mission  *planner.Mission
	Options
	Baselines Baselines // of flights in which nothing varies

	others        []*Experiment // the experiment as seen by the Others
	cache         *flightCache
	deterministic bool // transitions are

	deceptive []bool // states at which a bogus goal is as likely as the true one; nil without a bogus goal
}

// New checks the parts of an experiment and flies its baselines. The mission must have the start and the target
// of the scenario; experiments may share it.
func New(scenario sim.Scenario, mission *planner.Mission, options Options) (*Experiment, error) {
	return new(Flyer).New(scenario, mission, options)
}

// New is [New] with the buffers of the flyer.
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
	e := &Experiment{Scenario: scenario, Mission: mission, Options: options, cache: &flightCache{limit: cacheBytes},
		deterministic: mdp.Deterministic(mission.Law)}
	bogus, err := options.Bogus.States(mission.Grid)
	if err != nil {
		return nil, err
	}
	e.deceptive = deception.NewRecognition(mission.Grid, bogus).Deceptive()
	for _, other := range options.Others {
		options.Adversary, options.Others = other, nil
		o, err := f.New(scenario, mission, options)
		if err != nil {
			return nil, err
		}
		e.others = append(e.others, o)
	}
	f.planner = nil // it belongs to another mission
	if err := f.observe(e); err != nil {
		return nil, err
	}
	f.settled.baselines = nil
	f.flyBaselines([]*conditions{f.settled}, math.Inf(1))
	e.Baselines = *f.settled.baselines[0]
	f.settled.baselines[0] = &e.Baselines
	if err := f.Failure(); err != nil {
		return nil, fmt.Errorf("study: baselines: %w", err)
	}
	return e, nil
}

// Unsolved returns an experiment that can only read the records of a study and cannot fly.
func Unsolved(scenario sim.Scenario, varied []vary.Variation, grid *planner.Grid, adversary Adversary,
	others ...Adversary) *Experiment {
	e := &Experiment{Scenario: scenario, Mission: &planner.Mission{Grid: grid},
		Options: Options{Varied: varied, Adversary: adversary, Others: others}}
	for _, other := range others {
		e.others = append(e.others, Unsolved(scenario, varied, grid, other))
	}
	return e
}

// Varies reports whether a setting is drawn for every run.
func (e *Experiment) Varies() bool { return len(e.Varied) > 0 }

// RadiusKm returns the radius of the observer, km; NaN if it varies.
func (e *Experiment) RadiusKm() float64 {
	if vary.Has(e.Varied, vary.RadiusKm) {
		return math.NaN()
	}
	return e.Adversary.RadiusKm
}

// DirectTurns reports whether the direct flight turns from its first heading to the target.
func (e *Experiment) DirectTurns() bool {
	return vary.Has(e.Varied, "vehicle.heading") || !math.IsNaN(e.Scenario.HeadingRad)
}

// Observers returns the number of observers that watch the flights.
func (e *Experiment) Observers() int { return 1 + len(e.Others) }

// SeenBy returns the experiment with one of its observers as the only one: 0 is the Adversary, the others are the
// Others.
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
		return errors.New("study: there is no observer; use one of adversary.Models, or your own Model with New")
	}
	return a.Rule.Check()
}

// routeDetermined reports whether the route alone determines a flight of a run and its detections: no goal is drawn,
// and the observers' knowledge does not depend on epsilon.
func (e *Experiment) routeDetermined() bool {
	if e.Decoys != nil {
		return false
	}
	for k := range e.Observers() {
		if goals := e.SeenBy(k).Adversary.Goals; goals != nil && goals.Varies() {
			return false
		}
	}
	return true
}

// Prepare computes the observers' knowledge about flights of some epsilons, which takes long for observers that
// use samples of private policies. It calls done with the part of Preparation that is done.
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

// Preparation returns the amount of work of Prepare, in private policies.
func (e *Experiment) Preparation(epsilons []float64) (policies int) {
	for k := range e.Observers() {
		if a := &e.SeenBy(k).Adversary; a.Goals != nil && a.Observer.KnowsNoise() {
			policies += a.Goals.Work(epsilons)
		}
	}
	return policies
}

// Forget clears the cache of flights. Results do not depend on it.
func (e *Experiment) Forget() {
	for k := range e.Observers() {
		e.SeenBy(k).cache.clear()
	}
}

// linear returns the mechanism if it is linear on rewards, and nil otherwise.
func (e *Experiment) linear() privacy.Linear {
	if e.Decoys != nil {
		return nil
	}
	return planner.LinearOf(e.Mechanism)
}

// sigmaMeaning is the meaning of Sigma in tables.
const sigmaMeaning = "standard deviation of the noise on every reward; if a goal is drawn, on its " +
	"coordinates, in cells; 0 for a mechanism without Gaussian noise"

// Delta returns the delta of every epsilon: that of the guarantee, unless the mechanism has its own.
func (e *Experiment) Delta() float64 { return e.Decoys.Delta(e.Guarantee, e.Mechanism) }

// Sigma returns the standard deviation of the noise on every reward for an epsilon, 0 for None(). If a goal is
// drawn it is that of the noise on its coordinates, in cells, and 0 for a draw without such noise. It is 0 for
// a mechanism that is not linear.
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

// Epsilon returns the epsilon for a given Sigma. It returns ErrNoAxis if the mechanism is not linear on the
// reward.
func (e *Experiment) Epsilon(sigma float64) (float64, error) {
	linear := e.linear()
	if linear == nil {
		return 0, ErrNoAxis
	}
	return e.Guarantee.EpsilonOf(linear, e.Mission.Rewards.Shape, sigma)
}

// sameMechanism reports whether two experiments certainly have the same mechanism.
func (e *Experiment) sameMechanism(other *Experiment) bool {
	a, b := reflect.ValueOf(e.Mechanism), reflect.ValueOf(other.Mechanism)
	return a.IsValid() && b.IsValid() && a.Comparable() && b.Comparable() && e.Mechanism == other.Mechanism
}

// NewFlyer returns a flyer for the experiment, one per goroutine. Its solver uses all cores for large problems.
func (e *Experiment) NewFlyer() (*Flyer, error) {
	f := new(Flyer)
	return f, f.serve(e, runtime.GOMAXPROCS(0))
}

// serve makes the flyer fly an experiment, with its existing buffers and a solver that uses at most the given
// number of cores. If the mission is that of the last experiment, it keeps the planner.
func (f *Flyer) serve(e *Experiment, cores int) error {
	if f.planner == nil || f.experiment.Mission != e.Mission || !f.experiment.sameMechanism(e) {
		p, err := planner.NewPlanner(e.Mission.Solved, planner.LinearOf(e.Mechanism))
		if err != nil {
			return err
		}
		f.planner, f.axis, f.noise, f.hasNoise = p, nil, make([]float64, p.Normals()), false
	}
	f.planner.LimitCores(cores)
	return f.observe(e)
}

// observe sets the flyer's experiment and its observers for flights without noise.
func (f *Flyer) observe(e *Experiment) error {
	o, err := e.observer(math.Inf(1), &e.Adversary)
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	f.experiment, f.observer, f.observers, f.failed, f.seen = e, o, nil, nil, e.Adversary
	f.settled, f.drawn, f.now = e.settled(), nil, nil
	if f.others, err = newObservers(e.others); err == nil {
		f.under(f.settled)
	}
	return err
}

// newObservers returns flyers that watch the flights of others as observers of the experiments.
func newObservers(experiments []*Experiment) (flyers []*Flyer, err error) {
	for _, e := range experiments {
		f := new(Flyer)
		if err := f.observe(e); err != nil {
			return nil, err
		}
		flyers = append(flyers, f)
	}
	return flyers, nil
}

// observer returns the observer for flights of an epsilon, with the decay rate and the error of a. What it knows about
// vehicles is what the settings say, also where that varies.
func (e *Experiment) observer(epsilon float64, a *Adversary) (adversary.Observer, error) {
	settings := adversary.Settings{
		LambdaPerS: a.LambdaPerS, NoiseKm: a.NoiseKm, Seed: a.Seed,
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

// observeAt sets the flyer's observer for flights of an epsilon, if it depends on epsilon.
func (f *Flyer) observeAt(epsilon float64) {
	goals := f.experiment.Adversary.Goals
	if goals == nil || !goals.Varies() {
		return
	}
	o := f.observers[epsilon]
	if o == nil {
		var err error
		if o, err = f.experiment.observer(epsilon, &f.seen); err != nil {
			panic("study: " + err.Error()) // an epsilon without a sigma would have failed before
		}
		if f.observers == nil {
			f.observers = map[float64]adversary.Observer{}
		}
		f.observers[epsilon] = o
	}
	f.observer = o
}

// plausibleKm is the largest plausible detection distance, apart from those that runs have shown: the interval
// of a mean allows for such a flight that no run has shown. It is FarthestKm for an observer of the goal, which
// may identify it at any waypoint. For an observer that extrapolates the flight it is the hand-over distance,
// because the vehicle does not aim at the target before; this is not a strict bound.
func (e *Experiment) plausibleKm() float64 {
	if e.Adversary.Observer.Goal {
		return e.FarthestKm()
	}
	return vary.FarthestHandoverKm(e.Scenario.HandoverKm, e.Varied)
}

// FarthestKm returns a distance from the target beyond which no vehicle is expected, and so no detection: that
// of the farthest waypoint, or of the start, plus two turning circles. Confidence rests on it where flights
// decide when to stop. It is no theorem: a vehicle that is commanded to a waypoint right behind it flies on for
// long. Code that relies on it must refuse flights that are recognised farther away, or count them as recognised
// at this distance and report that; its statements are then about distances up to this limit.
func (e *Experiment) FarthestKm() float64 {
	far := r3.Norm(r3.Sub(e.Scenario.Start, e.Scenario.Target))
	for state := range e.Mission.Grid.States() {
		far = max(far, r3.Norm(r3.Sub(e.Mission.Grid.Position(state), e.Scenario.Target)))
	}
	radius := e.Scenario.SpeedKmS * e.Scenario.SpeedKmS / e.Scenario.AccelLimitKmS2
	return far + 4*radius
}
