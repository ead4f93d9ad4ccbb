package study

import (
	"math"

	"veilpath/adversary"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Noise says how the epsilons of a run draw their noise.
type Noise string

// The two ways to draw noise.
const (
	Common      Noise = "common"      // all epsilons of a run share the standard normals
	Independent Noise = "independent" // every epsilon of a run draws its own
)

// Draw names the noise of one run.
type Draw struct {
	Seed    uint64
	Run     int
	Noise   Noise
	Epsilon float64
}

// address places the draw. Independent streams are told apart by the value of epsilon, not its place in
// a list, so that a run can be repeated without the list.
func (d Draw) address() privacy.Address {
	a := privacy.Address{Seed: d.Seed, Run: uint64(d.Run)}
	if d.Noise == Independent {
		a.Cell = math.Float64bits(d.Epsilon)
	}
	return a
}

// Run is the record of one run at one epsilon: a private policy, flown and observed.
type Run struct {
	Epsilon         float64
	Run             int
	DetectionKm     float64 // distance to the target at detection, km; 0 when never detected
	Detected        bool
	BeforeHandover  bool    // detected while waypoints were still commanded
	HandoverKm      float64 // distance at which privacy was disabled, or given up by a fall-back, km
	HeadingErrorDeg float64 // angle there between velocity and line of sight, degrees
	Transitions     int
	Fallback        bool
	TimedOut        bool
	CostOfPrivacy   float64 // |v_private - v_optimal| / |v_optimal| at the start, on the true reward
	FlightTimeS     float64
	PathOverhead    float64 // path length over the nominal flight's, less 1
}

// Flyer flies runs of one experiment in buffers of its own: it allocates nothing per run once they have
// grown, and serves one goroutine. The exported fields are those of the last flight.
type Flyer struct {
	History sim.History
	Track   adversary.Track
	Profile adversary.Profile
	Plan    planner.Plan // zero after the nominal flight
	Rewards []float64    // the private reward it was made for

	experiment *Experiment
	planner    *planner.Planner
	route      planner.Route
	observer   *adversary.BallisticObserver
	noise      []float64
	generator  privacy.Noise
	drawn      privacy.Address
	hasDrawn   bool
}

// FlyNominal flies without privacy; the record has no epsilon and costs nothing.
func (f *Flyer) FlyNominal() Run {
	f.Plan, f.Rewards = planner.Plan{}, nil
	return f.fly(nil)
}

// Fly plans, flies and observes one run with noise of standard deviation sigma.
func (f *Flyer) Fly(draw Draw, sigma float64) Run {
	f.draw(draw.address())
	f.Rewards = f.planner.Privatize(sigma, f.noise)
	f.Plan = f.planner.Plan(f.Rewards)
	f.route = planner.Route{Grid: f.experiment.Mission.Grid, Policy: f.Plan.Policy}
	r := f.fly(&f.route)
	r.Epsilon, r.Run = draw.Epsilon, draw.Run
	r.CostOfPrivacy = f.planner.CostOfPrivacy(f.Plan.Policy)
	r.PathOverhead = r.FlightTimeS/f.experiment.Nominal.FlightTimeS - 1
	return r
}

// draw fills the noise, unless it still holds the stream asked for.
func (f *Flyer) draw(a privacy.Address) {
	if f.hasDrawn && a == f.drawn {
		return
	}
	f.generator.Seek(a)
	f.generator.Normals(f.noise)
	f.drawn, f.hasDrawn = a, true
}

// fly flies a route, lets the observer watch and records what both came to.
func (f *Flyer) fly(route sim.Route) Run {
	e := f.experiment
	outcome := e.Scenario.Fly(route, &f.History)
	f.observer.Observe(&f.History, e.Scenario.Target, &f.Track)
	f.Profile.Fill(&f.Track, e.Adversary.ConsecutiveSteps)
	step, detected := f.Profile.Detect(e.Adversary.RadiusKm)
	return Run{
		DetectionKm: step.DistanceKm, Detected: detected,
		BeforeHandover:  detected && step.Sample < outcome.HandoverSample,
		HandoverKm:      outcome.HandoverKm,
		HeadingErrorDeg: outcome.HeadingErrorRad * 180 / math.Pi,
		Transitions:     outcome.Transitions,
		Fallback:        outcome.Fallback,
		TimedOut:        outcome.TimedOut,
		FlightTimeS:     outcome.FlightTimeS,
	}
}
