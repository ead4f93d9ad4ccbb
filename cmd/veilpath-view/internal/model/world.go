package model

import (
	"veilpath/configs"
	"veilpath/sim/study"
)

// World is settings and what is flown under them.
type World struct {
	Config     configs.Config // privacy.epsilon and adversary.radius_km included
	Sigma      float64        // of the noise on every reward, or of that on a drawn goal's coordinates, cells; 0 for none
	Experiment *study.Experiment
	Private    Flight // the run on show
	Nominal    Flight
	Ensemble   Ensemble

	flyer *study.Flyer
	drawn *DrawnGoal // for the run on show
}

// newWorld returns a world of an experiment, of which the flight without privacy alone is flown.
func newWorld(config configs.Config, experiment *study.Experiment) (*World, error) {
	sigma, err := experiment.Sigma(config.Privacy.Epsilon)
	if err != nil {
		return nil, err
	}
	flyer, err := experiment.NewFlyer()
	if err != nil {
		return nil, err
	}
	w := &World{Config: config, Experiment: experiment, flyer: flyer, Sigma: sigma}
	w.Nominal.load(flyer, flyer.FlyDirect())
	w.Nominal.detect(config.Adversary.RadiusKm)
	return w, nil
}

// reachKm is the largest radius that flights of the ensemble and the axis are judged by under some settings, km. The corners
// of their curves that lie beyond take ten times the memory.
func reachKm(c configs.Config) float64 { return max(MaxRadius, c.Adversary.RadiusKm) }

// Shown returns the run on show, or the flight without privacy.
func (w *World) Shown(direct bool) *Flight {
	if direct {
		return &w.Nominal
	}
	return &w.Private
}
