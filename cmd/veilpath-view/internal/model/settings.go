package model

import (
	"math"
	"strconv"

	"veilpath/configs"
)

// Ranges of the sliders, wide enough to reach both ends of what happens.
const (
	MinEpsilon, MaxEpsilon = 0.05, 20
	MinRadius, MaxRadius   = 0.05, 20 // km
	MinRuns                = 10
)

// SetEpsilon shows another epsilon. Where the axis has been found nothing is planned for the ensemble; elsewhere it is
// flown in the background.
func (m *Model) SetEpsilon(epsilon float64) {
	if epsilon == m.ChosenEpsilon() {
		return
	}
	if m.ChosenEpsilon() != m.Config.Privacy.Epsilon {
		m.StopPreparing()
	}
	at := m.Config
	if at.Privacy.Epsilon = epsilon; epsilon == m.Config.Privacy.Epsilon {
		return
	}
	if m.Refused(m.known(m.Experiment, at), func() { m.SetEpsilon(epsilon) }) {
		return
	}
	sigma, err := sigmaAt(m.flyer, m.Experiment, at)
	if err != nil {
		m.Say(true, "epsilon %v: %v", epsilon, err)
		return
	}
	m.Config.Privacy.Epsilon, m.Sigma = epsilon, sigma
	m.refly()
}

// SetRadius judges all flights by another radius. Nothing is flown, unless it is larger than all that can be chosen.
func (m *Model) SetRadius(radiusKm float64) {
	c := m.Config
	if c.Adversary.RadiusKm = radiusKm; reachKm(c) > reachKm(m.Config) {
		m.change(func(c *configs.Config) { c.Adversary.RadiusKm = radiusKm })
		return
	}
	m.Config.Adversary.RadiusKm = radiusKm
	for _, f := range []*Flight{&m.Private, &m.Planned, &m.Nominal} {
		m.judge(f)
	}
	m.Ensemble.detect(m.detect)
	m.Version++
}

// SetRuns changes the number of runs of the ensemble; those flown stay.
func (m *Model) SetRuns(runs int) {
	runs = m.mostRuns(runs)
	m.Config.Study.Runs = runs
	m.Ensemble.resize(runs)
	m.gather()
	m.flyAxis()
	m.Version++
}

// SetObserver chooses who watches: one of adversary.Names.
func (m *Model) SetObserver(name string) {
	m.change(func(c *configs.Config) { c.Adversary.Observer = name })
}

// NewSample draws all noise again, from the next seed.
func (m *Model) NewSample() {
	seed := (m.Config.Study.Seed + 1) % (largestSeed + 1)
	m.change(func(c *configs.Config) { c.Study.Seed = seed })
}

// largestSeed is what configs accept: whole numbers that a float64 holds.
const largestSeed = 1<<53 - 1

// change applies settings that differ from those in force, once they are prepared, or says why not.
func (m *Model) change(differ func(c *configs.Config)) {
	c := m.Config
	differ(&c)
	m.Refused(m.apply(c), func() { m.change(differ) })
}

// Select shows a run.
func (m *Model) Select(run int) {
	m.RunNumber, m.Show = max(0, run), ShowPrivate
	m.flyOne()
	m.follow()
	if m.Axis.pieces(m.RunNumber) == nil {
		m.flyAxis() // of this run next
	}
}

// SetShown shows the private flight or a baseline.
func (m *Model) SetShown(shown Shown) {
	m.Show = shown
	m.shown()
}

// Rounded returns a value to three significant digits, as the sliders set it and a config shows it.
func Rounded(value float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 3, 64), 64)
	if err != nil || math.IsNaN(value) {
		return value
	}
	return rounded
}
