package study

import (
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim"
)

// Purposes of the numbers that a flight draws beside the noise on its rewards, whose purpose is 0.
const (
	drawScenario = 0x68616e64 // "hand"
	drawDecoy    = 0x6465636f // "deco"
)

// DrawScenario returns the scenario of a run: its hand-over distance and heading follow from seed and run, the same
// at every epsilon.
func DrawScenario(s *sim.Scenario, seed uint64, run int) sim.Scenario {
	if !s.Draws() {
		return *s
	}
	var noise privacy.Noise
	noise.Seek(privacy.Address{Seed: seed, Run: uint64(run), Purpose: drawScenario})
	handover := noise.Uniform()
	return s.Drawn(handover, noise.Uniform())
}

// DrawDecoy returns the number, uniform in [0, 1), that draws a cell in place of the goal in a release of a run, the
// first of which is 0.
func DrawDecoy(d Draw, release int) float64 {
	address := d.address()
	address.Purpose = drawDecoy
	address.Cell ^= uint64(release)
	var noise privacy.Noise
	noise.Seek(address)
	return noise.Uniform()
}

// route makes the private plan of a run and returns its route, with the cost of privacy.
func (f *Flyer) route(draw Draw, sigma float64) (planner.Route, float64) {
	e := f.experiment
	if isNone(draw.Epsilon) {
		f.Plan, f.Rewards = e.Mission.Optimal, e.Mission.Rewards.Joint
		return planner.Route{Grid: e.Mission.Grid, Policy: f.Plan.Policy}, 0
	}
	if e.Decoys == nil {
		if f.plan(draw, sigma); f.Err != nil {
			return planner.Route{}, 0
		}
		return planner.Route{Grid: e.Mission.Grid, Policy: f.Plan.Policy}, f.planner.CostOfPrivacy(f.Plan.Policy)
	}
	decoy, err := e.Decoys.Draw(e.Mission, draw.Epsilon, DrawDecoy(draw, 0))
	if err != nil {
		panic("study: " + err.Error()) // an epsilon without a mechanism, whose sigma was asked for before
	}
	cost, err := e.Decoys.Cost(e.Mission, decoy)
	if err != nil {
		panic("study: " + err.Error()) // missions on one grid
	}
	f.Plan, f.Rewards = decoy.Optimal, decoy.Rewards.Joint
	return planner.Route{Grid: decoy.Grid, Policy: decoy.Optimal.Policy}, cost.Relative
}

// flyAlone flies runs one by one, each with what is drawn for it and with the observer of its epsilon, and passes on
// their records in order until it is told to stop or Err is set.
func (f *Flyer) flyAlone(draws []Draw, sigmas []float64, look func(Run) (goOn bool)) {
	for i, draw := range draws {
		if i > 0 && f.stopped() {
			return
		}
		f.pause()
		f.Cut = false
		r := f.Fly(draw, sigmas[i])
		if f.Err != nil {
			return
		}
		if f.Kept = nil; f.Keep != nil {
			f.Kept, _ = f.Keep(&f.History)
		}
		f.Curve = f.Curve.UpTo(f.RadiusKm) // of which callers may keep the corners
		if !look(r) {
			return
		}
	}
}
