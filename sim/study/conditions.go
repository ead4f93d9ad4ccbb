package study

import (
	"math"

	"veilpath/adversary"
	"veilpath/sim"
	"veilpath/sim/vary"
)

// conditions are those of the flights of a run: those of the experiment, or the drawn ones.
type conditions struct {
	seed      uint64
	run       int
	scenario  sim.Scenario
	seenBy    []Adversary   // by observer
	baselines []*Baselines  // by observer; nil until they are flown
	planned   *cachedFlight // the flight without noise; nil if it is not flown yet
	cache     *flightCache
}

// settled returns the conditions of the experiment itself.
func (e *Experiment) settled() *conditions {
	c := &conditions{scenario: e.Scenario, cache: e.cache}
	for k := range e.Observers() {
		seen := e.SeenBy(k)
		c.seenBy, c.baselines = append(c.seenBy, seen.Adversary), append(c.baselines, &seen.Baselines)
	}
	return c
}

// drawn returns the conditions of a run, without baselines.
func (e *Experiment) drawn(seed uint64, run int) (c *conditions, err error) {
	c = &conditions{seed: seed, run: run, cache: &flightCache{limit: cacheBytes}}
	if c.scenario, err = vary.Scenario(&e.Scenario, e.Varied, seed, run); err != nil {
		return nil, err
	}
	for k := range e.Observers() {
		c.seenBy = append(c.seenBy, e.SeenBy(k).Adversary)
	}
	for _, v := range e.Varied {
		value, err := v.Draw(seed, run)
		if err != nil {
			return nil, err
		}
		for k := range c.seenBy {
			c.seenBy[k].set(v.Key, value)
		}
	}
	return c, nil
}

// set gives the observer the value of a setting that varies. Settings of vehicles do not change it.
func (a *Adversary) set(key string, value float64) {
	switch key {
	case vary.LambdaPerS:
		a.LambdaPerS = value
	case vary.NoiseKm:
		a.NoiseKm = value
	case vary.RadiusKm:
		a.RadiusKm = value
	case vary.ConsecutiveSteps:
		if a.Rule != adversary.Stays {
			a.Rule = adversary.InARow(int(value))
		}
	}
}

// under makes the flyer and its further observers fly and watch under the conditions of a run.
func (f *Flyer) under(c *conditions) {
	if f.now == c {
		return
	}
	f.now = c
	for k, watching := range f.others {
		watching.now = c
		watching.refit(&c.seenBy[k+1])
	}
	f.refit(&c.seenBy[0])
}

// refit replaces an observer of the flyer that has another decay rate or error than that of the run. The experiment
// has such an observer, so there is one.
func (f *Flyer) refit(a *Adversary) {
	if f.seen.LambdaPerS != a.LambdaPerS || f.seen.NoiseKm != a.NoiseKm {
		f.observer, f.failed = f.experiment.observer(math.Inf(1), a)
	}
	f.seen = *a
}
