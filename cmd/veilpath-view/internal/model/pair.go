package model

import (
	"slices"
	"strings"

	"veilpath/configs"
	"veilpath/sim/study"
)

// Pair is settings that were kept to be compared with those in force: the same runs with the same noise, on one clock.
type Pair struct {
	World

	run       int // of Private
	seed      uint64
	commanded *commanded // flights that there are alone, where a command made them; nil for others
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
	if len(world.Config.Commands()) > 0 {
		m.Pair.commanded = m.commanded
	}
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

// has reports whether a run of a seed can be flown under the kept settings: of those that a command made, the recorded.
func (p *Pair) has(seed uint64, run int) bool {
	d := p.commanded
	return d == nil || seed == d.config.Study.Seed && d.answers.Has(run)
}

// follow brings the kept settings to the run, the sample and the number of runs on show.
func (m *Model) follow() {
	p := m.Pair
	if p == nil {
		return
	}
	if !p.has(m.Config.Study.Seed, m.RunNumber) {
		m.DropWorld()
		m.Say(true, "The comparison has ended: of the kept settings there are only the flights that were recorded.")
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
	missing := slices.DeleteFunc(p.Ensemble.missing(), func(run int) bool { return !p.has(p.seed, run) })
	m.pool.assign(pairJob, m.runsJob(&p.World, draw, missing))
}

// Difference is what the settings in force change about the flights that were kept, run by run.
type Difference struct {
	Runs            int
	MeanKm          float64 // of the detection distance in force less the kept one's
	LowKm, HighKm   float64 // its 95 % interval, as veilpath compare gives it
	BetweenKm       float64 // the middle between the humps of all of these flights
	Nearer, Farther []int   // runs that crossed it from the far hump to the near one, and back
}

// Difference compares the runs that are there under both settings and that keep holds.
func (p *Pair) Difference(now *World, keep func(run int) bool) Difference {
	var d Difference
	var is, was []study.Run
	var both []*Member
	for run := range min(len(now.Ensemble.Members), len(p.Ensemble.Members)) {
		if !now.Ensemble.isFresh(run) || !p.Ensemble.isFresh(run) || !keep(run) {
			continue
		}
		a, b := now.Ensemble.Members[run], p.Ensemble.Members[run]
		both, is, was = append(both, a, b), append(is, a.Run), append(was, b.Run)
	}
	how := study.Pairing{Paired: true,
		FarthestKm: max(now.Config.Privacy.FarthestHandoverKm(), p.Config.Privacy.FarthestHandoverKm())}
	difference := study.MeanContrast(was, is, how, study.Confidence)
	d.Runs, d.MeanKm, d.LowKm, d.HighKm = len(is), difference.Difference, difference.Low, difference.High
	h, ok := humps(both)
	if !ok {
		return d
	}
	d.BetweenKm = (h.Near.FarKm + h.Far.NearKm) / 2
	for i := 0; i < len(both); i += 2 {
		a, b := both[i].Run.DetectionKm > d.BetweenKm, both[i+1].Run.DetectionKm > d.BetweenKm
		switch {
		case b && !a:
			d.Nearer = append(d.Nearer, both[i].Run.Run)
		case a && !b:
			d.Farther = append(d.Farther, both[i].Run.Run)
		}
	}
	return d
}

// Differs returns what tells settings from others, as key value of the former; empty for nothing. Their mission is
// named where the others are of another one that has a name, or differ in more than a value or two.
func Differs(own, from configs.Config) string {
	const few = 2
	missions, parts := Missions(), differences(own, from)
	named := slices.ContainsFunc(missions, func(m Mission) bool { return m.flownBy(from) })
	for _, mission := range missions {
		if (named || len(parts) > few) && mission.flownBy(own) && !mission.flownBy(from) {
			parts = append([]string{"mission " + mission.Name}, differences(own, mission.of(from))...)
		}
	}
	return strings.Join(parts, ", ")
}

// differences are the values in which settings differ from others.
func differences(own, from configs.Config) (parts []string) {
	values, others := own.Texts(), from.Texts()
	for key, value := range values {
		if others[key] != value && !strings.HasPrefix(key, "study.") {
			name := key[strings.LastIndex(key, ".")+1:]
			if of, cut := strings.CutSuffix(name, "_km"); cut {
				name, value = of, value+" km"
			}
			if value == "[]" {
				value = "none"
			}
			parts = append(parts, strings.ReplaceAll(name, "_", " ")+" "+value)
		}
	}
	slices.Sort(parts)
	return parts
}
