package model

import (
	"veilpath/configs"
	"veilpath/sim/study"
)

// Pair is settings that were kept to be compared with those in force: the same runs with the same noise, on one clock.
type Pair struct {
	World

	run  int // of Private
	seed uint64
}

// KeepWorld keeps the settings in force to be compared with.
func (m *Model) KeepWorld() {
	m.compare(made(newWorld(m.Config, m.Experiment)))
	for run, member := range m.Ensemble.Members {
		if m.Ensemble.isFresh(run) {
			kept := *member
			m.Pair.Ensemble.put(run, &kept)
		}
	}
	m.follow()
	m.Version++
}

// Compare keeps settings that ParseKept returned to be compared with, once they are prepared; nil ends the comparison.
func (m *Model) Compare(config *configs.Config) {
	if config == nil {
		m.DropWorld()
		return
	}
	experiment, err := m.experimentOf(*config)
	var world *World
	if err == nil {
		world, err = newWorld(*config, experiment)
	}
	switch {
	case err == nil:
		m.compare(world)
	case !m.Await(err, func() { m.Compare(config) }):
		m.Say(true, "the settings to compare with do not work: %v", err)
	}
}

func (m *Model) compare(world *World) {
	m.Pair = &Pair{World: *world, run: -1, seed: m.Config.Study.Seed}
	m.Pair.Ensemble.begin(m.Runs(), world.Experiment, world.Config.Privacy.Epsilon)
	m.follow()
	m.Version++
}

// DropWorld ends the comparison.
func (m *Model) DropWorld() {
	m.Pair = nil
	m.pool.assign(pairJob, nil)
	m.fitClock()
	m.Version++
}

// follow brings the kept settings to the run, the sample and the number of runs on show.
func (m *Model) follow() {
	p := m.Pair
	if p == nil {
		return
	}
	if p.seed != m.Config.Study.Seed {
		p.seed, p.run = m.Config.Study.Seed, -1
		p.Ensemble.begin(m.Runs(), p.Experiment, p.Config.Privacy.Epsilon)
	}
	draw := study.Draw{Seed: p.seed, Noise: study.Noise(p.Config.Study.Noise), Epsilon: p.Config.Privacy.Epsilon}
	if p.run != m.RunNumber {
		p.run = m.RunNumber
		d := draw
		d.Run = p.run
		p.flyPlanned(d)
		p.show(d)
	}
	m.fitClock()
	p.Ensemble.resize(m.Runs())
	m.pool.assign(pairJob, m.runsJob(&p.World, draw, p.Ensemble.missing()))
}

// Difference is what the settings in force change about the flights that were kept, run by run.
type Difference struct {
	Runs          int
	MeanKm        float64 // of the detection distance in force less the kept one's
	LowKm, HighKm float64 // its 95 % interval, as veilpath compare gives it
}

// Difference compares the runs that are there under both settings.
func (p *Pair) Difference(now *World) Difference {
	var d Difference
	var is, was []study.Run
	for run := range min(len(now.Ensemble.Members), len(p.Ensemble.Members)) {
		if !now.Ensemble.isFresh(run) || !p.Ensemble.isFresh(run) {
			continue
		}
		is, was = append(is, now.Ensemble.Members[run].Run), append(was, p.Ensemble.Members[run].Run)
	}
	how := study.Pairing{Paired: true,
		FarthestKm: max(now.Config.FarthestHandoverKm(), p.Config.FarthestHandoverKm())}
	difference := study.MeanContrast(was, is, how, study.Confidence)
	d.Runs, d.MeanKm, d.LowKm, d.HighKm = len(is), difference.Difference, difference.Low, difference.High
	return d
}
