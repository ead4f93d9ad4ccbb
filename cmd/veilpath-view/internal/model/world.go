package model

import (
	"errors"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/planner"
	"veilpath/sim/study"
	"veilpath/sim/vary"
)

// World is settings and what is flown under them.
type World struct {
	Config     configs.Config // privacy.epsilon and adversary.radius_km included
	Sigma      float64        // of the noise on every reward, or of that on a drawn goal's coordinates, cells; 0 for none
	Experiment *study.Experiment
	Private    Flight // the run on show
	Planned    Flight // by the plan without noise, with the heading and the hand-over that the run on show draws
	Nominal    Flight // straight to the target
	Ensemble   Ensemble

	flyer      *study.Flyer
	plannedRun plannedFor
	tied       struct {
		of *study.Experiment
		is bool
	}
}

// plannedFor is what the planned flight on show was flown for.
type plannedFor struct {
	flyer *study.Flyer
	seed  uint64 // 0 where all runs have the same planned flight, as the run
	run   int
}

// Shown says which flight is on show.
type Shown int

// The flights that can be shown.
const (
	ShowPrivate Shown = iota
	ShowPlanned
	ShowDirect
)

// newWorld returns a world of an experiment, of which the direct flight alone is flown.
func newWorld(config configs.Config, experiment *study.Experiment) (*World, error) {
	flyer, err := experiment.NewFlyer()
	if err != nil {
		return nil, err
	}
	sigma, err := sigmaAt(flyer, experiment, config)
	if err != nil {
		return nil, err
	}
	w := &World{Config: config, Experiment: experiment, flyer: flyer, Sigma: sigma}
	w.Nominal = w.flown(flyer.FlyDirect(), &experiment.Baselines)
	return w, nil
}

// sigmaAt returns the noise at the epsilon of some settings, see World. The error says why nothing can be planned
// there: mechanisms that are not linear find out when they plan, whatever the run.
func sigmaAt(flyer *study.Flyer, e *study.Experiment, c configs.Config) (float64, error) {
	sigma, err := e.Sigma(c.Privacy.Epsilon)
	if err == nil && e.Decoys == nil && planner.LinearOf(e.Mechanism) == nil {
		_, err = flyer.Policy(study.Draw{Seed: c.Study.Seed, Noise: study.Noise(c.Study.Noise),
			Epsilon: c.Privacy.Epsilon}, sigma)
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner // the run and the epsilon are known
	}
	return sigma, err
}

// HasDirect reports whether the direct flight is a baseline of the run on show: the run has the same heading, and no
// cell that is kept out of is in its way.
func (w *World) HasDirect() bool {
	own := &w.Private.baselines
	return !own.DirectBlocked && own.Direct.FlightTimeS == w.Nominal.Run.FlightTimeS
}

// Tied reports whether the plan without noise is one of several that are equally good. Private flights choose among
// them even where there is hardly any noise, so a difference to the planned flight includes that choice.
func (w *World) Tied() bool {
	if e := w.Experiment; w.tied.of != e {
		w.tied.of = e
		w.tied.is = e.Mission.Ties(e.Scenario.HandoverKm, append([]r3.Vec{e.Scenario.Target}, e.Scenario.Others...)...)
	}
	return w.tied.is
}

// show flies a run to be shown.
func (w *World) show(draw study.Draw) {
	w.Private = w.flown(made(w.flyer.Fly(draw, w.Sigma)), made(w.flyer.Baselines(draw)))
}

// flyPlanned flies the plan without noise as a run does.
func (w *World) flyPlanned(draw study.Draw) {
	draw.Epsilon = study.None()
	now := plannedFor{flyer: w.flyer}
	if w.Experiment.Varies() {
		now.seed, now.run = draw.Seed, draw.Run
	}
	if w.plannedRun == now {
		return
	}
	w.plannedRun = now
	w.Planned = w.flown(made(w.flyer.Fly(draw, 0)), made(w.flyer.Baselines(draw)))
}

// detect judges a member of the world's ensemble by its radius.
func (w *World) detect(m *Member) { m.detect(w.RadiusOf(m.Run.Run), &w.Experiment.Baselines) }

// judge judges a flight by the radius of its run.
func (w *World) judge(f *Flight) { f.detect(w.RadiusOf(f.Run.Run)) }

// RadiusOf returns the radius by which a run is judged, km: the chosen one, unless it varies.
func (w *World) RadiusOf(run int) float64 {
	for _, v := range w.Config.Vary {
		if v.Key == vary.RadiusKm {
			return made(v.Draw(w.Config.Study.Seed, run))
		}
	}
	return w.Config.Adversary.RadiusKm
}

// put adds a member that was flown under the world's settings.
func (w *World) put(run int, m *Member) {
	w.detect(m)
	w.Ensemble.put(run, m)
}

// take adds the members that have come in.
func (w *World) take(flown []result) {
	for _, r := range flown {
		w.put(r.slot, r.kept.(*Member))
	}
}

// flown is the flyer's last flight, which is held against baselines.
func (w *World) flown(r study.Run, baselines *study.Baselines) (f Flight) {
	f.load(w.flyer, r, baselines)
	w.judge(&f)
	return f
}

// reachKm is the largest radius that flights of the ensemble and the axis are judged by under some settings, km. The
// corners of their curves that lie beyond take ten times the memory.
func reachKm(c configs.Config) float64 {
	reach := max(MaxRadius, c.Adversary.RadiusKm)
	for _, v := range c.Vary {
		if v.Key == vary.RadiusKm {
			reach = max(reach, v.Quantile(1-1e-9))
		}
	}
	return reach
}

// Flight returns a flight.
func (w *World) Flight(shown Shown) *Flight {
	switch shown {
	case ShowPlanned:
		return &w.Planned
	case ShowDirect:
		return &w.Nominal
	}
	return &w.Private
}
