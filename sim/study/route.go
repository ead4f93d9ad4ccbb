package study

import (
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Purposes of the numbers that a flight draws besides the noise on its rewards, whose purpose is 0.
const (
	drawDecoy = 0x6465636f // "deco"
	drawMoves = 0x6d6f7665 // "move"
)

// DrawDecoy returns the uniform number in [0, 1) that draws a cell in place of the goal in a release of a run;
// the first release is 0.
func DrawDecoy(d Draw, release int) float64 {
	address := d.address()
	address.Purpose = drawDecoy
	address.Cell ^= uint64(release)
	var noise privacy.Noise
	noise.Seek(address)
	return noise.Uniform()
}

// route makes the private plan of a run and returns its route, with the cost of privacy.
func (f *Flyer) route(draw Draw, sigma float64) (planner.Route, float64, error) {
	e := f.experiment
	if isNone(draw.Epsilon) {
		f.made, f.rewards = e.Mission.Optimal, e.Mission.Rewards.Joint
		return planner.Route{Grid: e.Mission.Grid, Policy: f.made.Policy}, 0, nil
	}
	if e.Decoys == nil {
		if err := f.plan(draw, sigma); err != nil {
			return planner.Route{}, 0, err
		}
		return f.routeOf(draw), f.planner.CostOf(&f.made).Relative, nil
	}
	decoy, err := e.Decoys.Draw(e.Mission, draw.Epsilon, DrawDecoy(draw, 0))
	if err != nil {
		panic("study: " + err.Error()) // an epsilon without a mechanism would have failed before
	}
	cost, err := e.Decoys.Cost(e.Mission, decoy)
	if err != nil {
		panic("study: " + err.Error()) // missions on one grid
	}
	f.made, f.rewards = decoy.Optimal, decoy.Rewards.Joint
	return planner.Route{Grid: decoy.Grid, Policy: decoy.Optimal.Policy}, cost.Relative, nil
}

// routeOf returns the route of the private plan of a run. It holds until the next route.
func (f *Flyer) routeOf(draw Draw) planner.Route {
	e := f.experiment
	f.walk = Walk(f.walk[:0], &f.made, e.Mission.Grid, &e.Scenario, draw.address(), &f.generator)
	return f.made.Route(e.Mission.Grid, f.walk)
}

// Walk appends the states that a plan's route visits, at least as many as any flight of a scenario. For a stochastic
// plan it draws the moves from a stream of noise separate from all other streams of the address.
func Walk(to []int32, plan *planner.Plan, g *planner.Grid, s *sim.Scenario, from privacy.Address,
	noise *privacy.Noise) []int32 {
	if plan.Stochastic != nil {
		from.Purpose ^= drawMoves
		noise.Seek(from)
	}
	return plan.Walk(to, g, s.MaxTransitions+1, noise)
}

// flyOneByOne flies runs one by one, each with its own draws and the observer of its epsilon, and calls yield with
// their flights in order until yield returns false or a plan cannot be made.
func (f *Flyer) flyOneByOne(draws []Draw, sigmas []float64, yield func(Flight) bool) error {
	for i, draw := range draws {
		if i > 0 && f.stopped() {
			return nil
		}
		f.pause()
		r, err := f.Fly(draw, sigmas[i])
		if err != nil {
			return err
		}
		c := f.now
		f.othersRecords = f.othersRecords[:0]
		for k, other := range f.others {
			other.observeAt(draw.Epsilon)
			record := other.recogniseOnly(&f.history, &f.outcome, 0)
			record.complete(draw, r.CostOfPrivacy, c.baselines[k+1])
			f.othersRecords = append(f.othersRecords, record)
		}
		if err := f.Failure(); err != nil {
			return draw.failed(err)
		}
		flight := Flight{Run: r, Others: f.othersRecords, Baselines: c.baselines[0],
			Curve: f.curve.UpTo(f.options.RadiusKm)} // callers may keep the corners
		if f.options.Keep != nil {
			flight.Kept, _ = f.options.Keep(&f.history, f.errors.ErrorKm, f.outcome.Target)
		}
		if !yield(flight) {
			return nil
		}
	}
	return nil
}
