package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

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

// Draw identifies the noise of one run at one epsilon.
type Draw struct {
	Seed    uint64
	Run     int
	Noise   Noise
	Epsilon float64
}

// address returns the stream of the draw. Independent streams depend on the value of epsilon, not its position
// in a list, so that a run can be repeated without the list.
func (d Draw) address() privacy.Address {
	a := privacy.Address{Seed: d.Seed, Run: uint64(d.Run)}
	if d.Noise == Independent {
		a.Cell = math.Float64bits(d.Epsilon)
	}
	return a
}

// Run is the record of one run at one epsilon: a private policy, flown and observed.
type Run struct {
	Epsilon        float64
	Run            int
	DetectionKm    float64 // distance to the target at detection, km; 0 if never detected
	Detected       bool
	BeforeHandover bool // detected while waypoints were still commanded
	// distance at which privacy was disabled, or given up by a fall-back, km; NaN if it never was
	HandoverKm      float64
	HeadingErrorDeg float64 // angle at that place between velocity and line of sight, degrees
	Transitions     int
	Fallback        bool
	TimedOut        bool
	CostOfPrivacy   float64 // |v_private - v_optimal| / |v_optimal| at the start, on the true reward
	FlightTimeS     float64
	Goal            int  // number of the goal that the flight ends at, see sim.Scenario.GoalNumber
	OtherGoal       bool // the planned flight ends at another goal
	// Distance to the target at the last waypoint where a bogus goal was at least as likely as the true one to an
	// observer that uses cost differences, km: the last deceptive point of Masters and Sardina (2017), see
	// deception.Recognition. The start is always such a point, so a flight without waypoints has the distance of
	// its start. NaN without a bogus goal.
	LastDeceptiveKm float64

	// Detection distances of the run's baselines, see Baselines, km: 0 if never detected and NaN if there is no
	// such baseline.
	DirectKm, HandoverOnlyKm, PlannedKm float64
	// Flight time relative to that of a baseline, minus 1: of the planned and of the direct flight. At constant
	// speed this is also the relation of the path lengths. NaN if the time limit ended either flight, or if there
	// is no such baseline.
	PathOverhead, DirectOverhead float64

	// Flight identifies the commanded waypoints: flights of an experiment with the same value are equal, if
	// nothing else is drawn. It is an integer below 2^52.
	Flight int
}

// FlightOptions control the parallel flights of FlyEach and FlyAxis and their results. The zero value gives
// only records.
type FlightOptions struct {
	// RadiusKm is the largest radius that the curves of flights cover, km.
	RadiusKm float64

	// Keep may return a result of a flight for the caller, and its size in bytes; it is cached with the flight. It may
	// be nil. The observer's errors, km, one a sample, are for the target at which the flight ends; they are lent.
	Keep func(h *sim.History, errorKm []float64, target r3.Vec) (kept any, bytes int)

	// Stop is called before every flight except the first; it may be nil. Once it returns true, no more flights
	// are launched, and the records that follow each other without a gap are passed on. Finished flights stay in
	// the cache.
	Stop func() bool

	// Pause is called between plans, every thousand steps of flights, after each flight, and while observers of the
	// goal watch; it may be nil. A program with a single thread can do other work in it.
	Pause func()
}

// Flight is the result of one flight of FlyEach or FlyAxis.
type Flight struct {
	Run
	Others []Run           // the records for the experiment's further observers, valid until the next flight
	Curve  adversary.Curve // up to the radius of the options; its corners are never overwritten
	Kept   any             // result of the options' Keep
	// Baselines are those that the flight is compared with, with curves up to that radius where a setting varies.
	Baselines *Baselines
}

// Detail is a flight step by step. It holds until the flyer's next flight or plan.
type Detail struct {
	History *sim.History
	Outcome sim.Outcome
	Errors  *adversary.PredictionErrors
	Curve   adversary.Curve
	Plan    planner.Plan // zero after the nominal flight
	Rewards []float64    // the private reward of the plan; nil if the mechanism makes none
}

// Flyer flies runs of one experiment in its own buffers: it allocates nothing per run once they have grown, and
// serves one goroutine.
type Flyer struct {
	history sim.History
	outcome sim.Outcome
	errors  adversary.PredictionErrors
	curve   adversary.Curve
	made    planner.Plan
	rewards []float64

	experiment    *Experiment
	shared        *pieceCache // with other points of a sweep; nil if there is none
	planner       *planner.Planner
	axis          *planner.Axis // created when it is first needed
	pieces        []piece       // of the last axis
	onRoute       []int32       // policy of a piece
	walk          []int32       // of a plan that is not a policy
	others        []*Flyer      // of the experiment's further observers
	othersRecords []Run         // records of the last flight for the further observers
	observer      adversary.Observer
	observers     map[float64]adversary.Observer // by epsilon, if they depend on it
	settled       *conditions                    // of the experiment
	drawn         *conditions                    // of the last run that was drawn
	now           *conditions                    // of the flights that are flown and watched
	seen          Adversary                      // whose radius and rule those flights are judged by
	failed        error                          // the observer of a run could not be made
	noise         []float64
	generator     privacy.Noise
	noiseAddress  privacy.Address // from which noise was drawn
	hasNoise      bool            // noise was drawn
	queue         flightQueue
	curveStorage  adversary.Curve // a cached curve is never overwritten
	options       FlightOptions   // of the current parallel flights
}

// Detail returns the last single flight: of Fly or FlyDirect.
func (f *Flyer) Detail() Detail {
	return Detail{&f.history, f.outcome, &f.errors, f.curve, f.made, f.rewards}
}

// Fly plans, flies and observes one run with noise of standard deviation sigma, which only linear mechanisms
// use. It returns an error if the mechanism cannot make the plan, or an observer cannot watch.
func (f *Flyer) Fly(draw Draw, sigma float64) (Run, error) {
	c, err := f.conditionsOf(draw)
	if err != nil {
		return Run{}, err
	}
	if c.baselines == nil {
		f.flyBaselines([]*conditions{c}, math.Inf(1))
	}
	f.under(c)
	f.observeAt(draw.Epsilon)
	route, cost, err := f.route(draw, sigma)
	if err != nil {
		return Run{}, err
	}
	f.outcome = c.scenario.Fly(&route, &f.history)
	r := f.recognise(&f.history, &f.outcome)
	if err := f.Failure(); err != nil {
		return Run{}, draw.failed(err)
	}
	r.complete(draw, cost, c.baselines[0])
	return r, nil
}

// Failure returns why an observer could not watch a flight, nil if all could; see adversary.Failure.
func (f *Flyer) Failure() error {
	err := cmp.Or(f.failed, adversary.Failure(f.observer))
	for _, o := range f.observers {
		err = cmp.Or(err, adversary.Failure(o))
	}
	for _, other := range f.others {
		err = cmp.Or(err, other.Failure())
	}
	return err
}

// failed returns the error of a draw's flight.
func (d Draw) failed(err error) error {
	return fmt.Errorf("study: run %d at epsilon %g: %w", d.Run, d.Epsilon, err)
}

// FlyEach flies many runs, with noise of standard deviation sigmas[i] for draws[i], and calls yield with their
// flights in order until yield returns false. Each flight is exactly that of Fly, but faster: routes that were
// flown before come from the cache, other flights are flown in parallel, and consecutive draws on one noise
// have similar plans; if there are many, they come from the pieces of its axis. If a mechanism cannot make a
// plan, or an observer cannot watch, FlyEach returns the error at once, without the flights that are still queued.
func (f *Flyer) FlyEach(draws []Draw, sigmas []float64, o FlightOptions, yield func(Flight) bool) error {
	f.options = o
	if !f.experiment.routeDetermined() {
		return f.flyOneByOne(draws, sigmas, yield)
	}
	f.queue.reset()
	for first := 0; first < len(draws); {
		end := first + 1
		for end < len(draws) && draws[end].address() == draws[first].address() {
			end++
		}
		under, err := f.conditionsOf(draws[first])
		if err != nil {
			return err
		}
		pieces := f.piecesOf(draws[first], sigmas[first:end])
		var before *planner.Piece
		for i := first; i < end; i++ {
			if i > 0 && len(f.queue.draws) == 0 && f.stopped() {
				return nil
			}
			f.pause()
			p := planner.PieceAt(pieces, sigmas[i])
			switch {
			case isNone(draws[i].Epsilon):
				f.enqueue(draws[i], under, f.follow(f.experiment.Mission.Optimal.Policy), 0)
			case p == nil:
				if err := f.plan(draws[i], sigmas[i]); err != nil {
					return err
				}
				f.enqueue(draws[i], under, f.routeOf(draws[i]), f.planner.CostOf(&f.made).Relative)
			case p == before:
				f.enqueueSame(draws[i])
			default:
				f.onRoute = f.experiment.Mission.PolicyOn(p.Route, f.onRoute)
				f.enqueue(draws[i], under, f.follow(f.onRoute), p.Cost.Relative)
			}
			before = p
			if f.mustFlush(i == len(draws)-1) {
				if goOn, err := f.flush(yield); !goOn {
					return err
				}
			}
		}
		first = end
	}
	return nil
}

// follow returns the route of a policy on the grid of the experiment.
func (f *Flyer) follow(policy []int32) planner.Route {
	return planner.Route{Grid: f.experiment.Mission.Grid, Policy: policy}
}

// stopped reports whether no more flights must be made.
func (f *Flyer) stopped() bool { return f.options.Stop != nil && f.options.Stop() }

// pause calls the Pause of the options.
func (f *Flyer) pause() {
	if f.options.Pause != nil {
		f.options.Pause()
	}
}

// cachedFlight returns the cached flight of a route, or nil unless it has everything that the options ask for.
func (f *Flyer) cachedFlight(c *conditions, route *planner.Route) *cachedFlight {
	cached := c.cache.get(route, f.options.RadiusKm)
	if cached != nil && cached.kept == nil && f.options.Keep != nil {
		return nil
	}
	return cached
}

// plan draws the noise and makes the private plan. If the noise is still in the buffer, it was last scaled for
// another epsilon of the same run, whose plan is a good start. A mechanism that is not linear receives the
// stream itself.
func (f *Flyer) plan(draw Draw, sigma float64) error {
	if e := f.experiment; planner.LinearOf(e.Mechanism) == nil {
		f.generator.Seek(draw.address())
		plan, err := f.planner.PlanBy(e.Mechanism, e.Guarantee.At(draw.Epsilon), &f.generator)
		if err != nil {
			return fmt.Errorf("study: run %d: %w", draw.Run, err)
		}
		f.made, f.rewards = plan, plan.Reward
		return nil
	}
	plan := f.planner.Plan
	if f.drawNoise(draw) {
		plan = f.planner.Replan
	}
	f.rewards = f.planner.Privatize(sigma, f.noise)
	f.made = plan(f.rewards)
	return nil
}

// drawNoise draws the noise, unless it is still in the buffer, and reports whether it was.
func (f *Flyer) drawNoise(draw Draw) (same bool) {
	address := draw.address()
	if f.hasNoise && address == f.noiseAddress {
		return true
	}
	f.generator.Seek(address)
	f.generator.Normals(f.noise)
	f.noiseAddress, f.hasNoise = address, true
	return false
}

// recognise lets the observer watch a flight and returns the record.
func (f *Flyer) recognise(h *sim.History, outcome *sim.Outcome) Run {
	f.errors.Fill(f.observer, h, outcome.Target)
	return f.record(h, outcome, math.Inf(1))
}

// othersRecognise appends the records of a flight as seen by the experiment's further observers.
func (f *Flyer) othersRecognise(h *sim.History, outcome *sim.Outcome, to []Run) []Run {
	for _, other := range f.others {
		to = append(to, other.recogniseOnly(h, outcome, 0))
	}
	return to
}

// recogniseOnly is recognise without Errors; it computes Curve only up to the given radius and the observer's.
func (f *Flyer) recogniseOnly(h *sim.History, outcome *sim.Outcome, radiusKm float64) Run {
	f.errors.FillForCurve(f.observer, h, outcome.Target)
	return f.record(h, outcome, max(radiusKm, f.seen.RadiusKm))
}

// record fills Curve up to a radius, km, from Errors and records the flight.
func (f *Flyer) record(h *sim.History, outcome *sim.Outcome, radiusKm float64) Run {
	f.curve = f.curveStorage
	f.curve.FillUpTo(radiusKm, &f.errors, f.seen.Rule, outcome.HandoverSample)
	f.curveStorage = f.curve
	r := f.recordOf(h, outcome)
	r.SetDetection(f.curve.Detect(f.seen.RadiusKm))
	return r
}

// recordOf returns the part of a flight's record that does not depend on an observer.
func (f *Flyer) recordOf(h *sim.History, outcome *sim.Outcome) Run {
	e := f.experiment
	r := Run{
		HandoverKm:      outcome.HandoverKm,
		HeadingErrorDeg: outcome.HeadingErrorRad * 180 / math.Pi,
		Transitions:     outcome.Transitions,
		Fallback:        outcome.Fallback,
		TimedOut:        outcome.TimedOut,
		FlightTimeS:     outcome.FlightTimeS,
		Goal:            f.now.scenario.GoalNumber(outcome.Target),
		Flight:          hashVisits(h.Visits),
		LastDeceptiveKm: e.lastDeceptiveKm(h, h.Visits, outcome.Target),
	}
	if outcome.HandoverKm == 0 { // there was no hand-over
		r.HandoverKm, r.HeadingErrorDeg = math.NaN(), math.NaN()
	}
	return r
}

// lastDeceptiveKm returns Run.LastDeceptiveKm of a flight that visits the given waypoints of the grid.
func (e *Experiment) lastDeceptiveKm(h *sim.History, visits []sim.Visit, target r3.Vec) float64 {
	if e.deceptive == nil {
		return math.NaN()
	}
	sample := 0
	for _, v := range slices.Backward(visits) {
		if v.State < len(e.deceptive) && e.deceptive[v.State] && v.Sample < len(h.Samples) {
			sample = v.Sample
			break
		}
	}
	return r3.Norm(r3.Sub(target, h.Samples[sample].R))
}

// hashVisits hashes the commanded waypoints (FNV-1a) to as many bits as a float64 holds. The probability that two
// of a million flights share a value is 1e-4.
func hashVisits(visits []sim.Visit) int {
	const offset, prime, bits = 0xcbf29ce484222325, 0x100000001b3, 52
	hash := uint64(offset)
	for _, v := range visits {
		hash = (hash ^ uint64(v.Commanded)) * prime
	}
	return int(hash >> (64 - bits))
}

// SetDetection sets where the observer recognised the destination.
func (r *Run) SetDetection(d adversary.Detection) {
	r.DetectionKm, r.Detected, r.BeforeHandover = d.DistanceKm, d.Detected, d.BeforeHandover
}

// Foresee returns where the observer expected the last flight to end, km, at every sample of History. It reuses
// the slice to.
func (f *Flyer) Foresee(to []r3.Vec) []r3.Vec {
	to = slices.Grow(to[:0], len(f.history.Samples))[:len(f.history.Samples)]
	f.observer.Foresee(&f.history, r3.Vec{}, to)
	return to
}

// complete sets the fields of a record that depend on its run.
func (r *Run) complete(draw Draw, cost float64, baselines *Baselines) {
	r.Epsilon, r.Run, r.CostOfPrivacy = draw.Epsilon, draw.Run, cost
	r.Compare(baselines)
}

// Policy plans a run with noise of standard deviation sigma, without a flight. It returns the policy of the
// plan; planner.Plan explains the policy of a stochastic plan or a path. It holds until the next plan. The
// error is that of Fly.
func (f *Flyer) Policy(draw Draw, sigma float64) ([]int32, error) {
	if err := f.plan(draw, sigma); err != nil {
		return nil, err
	}
	return f.made.Policy, nil
}

// Privatize returns the private reward of a run with noise of standard deviation sigma, without planning. It
// holds until the next flight or plan. It is nil for a mechanism that is not linear.
func (f *Flyer) Privatize(draw Draw, sigma float64) []float64 {
	if planner.LinearOf(f.experiment.Mechanism) == nil {
		return nil
	}
	f.drawNoise(draw)
	return f.planner.Privatize(sigma, f.noise)
}
