package model

import (
	"veilpath/adversary"
	"veilpath/sim/study"
)

// FanRuns is how many runs of an ensemble keep their path to be drawn.
const FanRuns = 400

// Member is a flight of the ensemble: its record, the step function that answers for every radius, and a
// thinned path.
type Member struct {
	Run  study.Run
	Path Path // nil from run FanRuns on; members on one route share it

	guess []GuessPoint // of a flight with a path

	curve     adversary.Curve
	baselines *study.Baselines // of its run; nil for those of the experiment
	edition   uint64           // of the settings it was flown with
}

// newMember keeps what the flight that is looked at showed.
func newMember(f *study.Flight, baselines *study.Baselines) *Member {
	m := &Member{Run: f.Run, curve: f.Curve, baselines: baselines}
	if f.Run.Run < FanRuns {
		m.keep(f.Kept.(track))
	}
	return m
}

// keep remembers where the flight went and what the observer made of it.
func (m *Member) keep(t track) { m.Path, m.guess = t.path, t.guess }

// detect judges the flight by another radius, and holds it against the baselines of its run or those of the experiment.
func (m *Member) detect(radiusKm float64, common *study.Baselines) {
	m.Run.SetDetection(m.curve.Detect(radiusKm))
	if m.baselines != nil {
		common = m.baselines
	}
	seen := common.At(radiusKm)
	m.Run.Compare(&seen)
}

// flyMembers flies members of an ensemble.
func flyMembers(e *study.Experiment) flying {
	return func(flyer *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
		draws, sigmas := make([]study.Draw, len(requests)), make([]float64, len(requests))
		for i, q := range requests {
			draws[i], sigmas[i] = q.draw, q.sigma
		}
		n := 0
		err := flyer.FlyEach(draws, sigmas, o, func(f study.Flight) bool {
			var own *study.Baselines
			if e.Varies() {
				own = f.Baselines
			}
			report(requests[n], newMember(&f, own))
			n++
			return true
		})
		made(n, err)
	}
}
