package model

import "veilpath/adversary"

// Watcher is an observer of where flights end, and what it makes of the flight on show.
type Watcher struct {
	Name      string
	ErrorKm   []float64 // by sample
	Detection adversary.Detection
}

// Watchers returns what the observers of some names make of the flight on show, by the rule and the radius in force. It
// leaves out those who infer the goal, who cannot be told what they need for one flight.
func (m *Model) Watchers(names []string) []Watcher {
	f, e := m.Flight(), m.Experiment
	settings := adversary.Settings{LambdaPerS: e.Adversary.LambdaPerS, NoiseKm: e.Adversary.NoiseKm,
		Seed: e.Adversary.Seed, Steering: adversary.SteeringOf(&e.Scenario)}
	history := f.history()
	var watchers []Watcher
	for _, name := range names {
		observer, err := adversary.New(name, settings)
		if err != nil {
			continue
		}
		var errors adversary.PredictionErrors
		var curve adversary.Curve
		errors.Fill(observer, &history, f.Target)
		curve.Fill(&errors, e.Adversary.Rule, f.HandoverSample)
		watchers = append(watchers, Watcher{name, errors.ErrorKm, curve.Detect(m.Config.Adversary.RadiusKm)})
	}
	return watchers
}
