package model

import (
	"math"

	"veilpath/sim/study"
)

// Ensemble is the flights of many runs at one epsilon. While it is flown again its members are replaced
// one by one, so that there is always something to see; its statistics are of the new ones alone, of the first Fresh
// runs without a gap.
type Ensemble struct {
	Members []*Member // by run; nil where there is none yet
	Fresh   int
	Version uint64 // changes when any member or its detection does

	edition  uint64
	of       study.Study             // without runs
	recorded func() (Recorded, bool) // of the settings in force, see Model.Recorded; nil for none
	summary  study.Summary
	summedAt uint64
}

// begin asks for runs at new settings. The members there are stay on show until they are replaced.
func (n *Ensemble) begin(runs int, e *study.Experiment, epsilon float64) {
	n.edition++
	n.Version++
	n.Fresh = 0
	n.of = study.Study{Experiment: e, Epsilons: []float64{epsilon}}
	n.resize(runs)
}

// resize changes the number of runs.
func (n *Ensemble) resize(runs int) {
	if runs <= len(n.Members) {
		clear(n.Members[runs:])
		n.Members = n.Members[:runs]
	} else {
		n.Members = append(n.Members, make([]*Member, runs-len(n.Members))...)
	}
	n.Fresh = min(n.Fresh, runs)
	n.Version++
}

// put adds a member that was flown for the present settings.
func (n *Ensemble) put(run int, m *Member) {
	m.edition = n.edition
	n.Members[run] = m
	for n.Fresh < len(n.Members) && n.isFresh(n.Fresh) {
		n.Fresh++
	}
	n.Version++
}

// isFresh reports whether a run's member was flown with the present settings.
func (n *Ensemble) isFresh(run int) bool {
	m := n.Members[run]
	return m != nil && m.edition == n.edition
}

// Outdated reports whether a member was flown with other settings than the present ones.
func (n *Ensemble) Outdated(m *Member) bool { return m.edition != n.edition }

// missing returns the runs without a fresh member.
func (n *Ensemble) missing() (runs []int) {
	for run := range n.Members {
		if !n.isFresh(run) {
			runs = append(runs, run)
		}
	}
	return runs
}

// Complete reports whether all members are fresh.
func (n *Ensemble) Complete() bool { return n.Fresh == len(n.Members) }

// detect has all members judged again.
func (n *Ensemble) detect(judge func(*Member)) {
	for _, m := range n.Members {
		if m != nil {
			judge(m)
		}
	}
	n.Version++
}

// Summary condenses the fresh members, as a study of so many runs does. Its numbers are NaN when there
// are none. Of as many runs as are recorded it has the recorded intervals: those of a study allow for what flights at
// its other epsilons did, and for the rule that ended it.
func (n *Ensemble) Summary() study.Summary {
	if n.summedAt == n.Version {
		return n.summary
	}
	tally := made(n.of.NewTally())
	tally.Add(n.Runs())
	n.summary, n.summedAt = tally.Summaries()[0], n.Version
	if n.recorded != nil {
		s := &n.summary
		if r, ok := n.recorded(); ok && r.Runs == s.Runs && !math.IsNaN(r.LowKm) {
			s.CILowKm, s.CIHighKm, s.NoiseLowKm, s.NoiseHighKm = r.LowKm, r.HighKm, r.noiseLowKm, r.noiseHighKm
		}
	}
	return n.summary
}

// HiddenUntil returns the share of the flights that are recognised at a distance of km or nearer, or never.
func (n *Ensemble) HiddenUntil(km float64) float64 {
	runs, hidden := n.Runs(), 0.0
	for i := range runs {
		if runs[i].DetectionKm <= km {
			hidden++
		}
	}
	return hidden / float64(len(runs))
}

// Runs returns the fresh members.
func (n *Ensemble) Runs() []study.Run {
	var runs []study.Run
	for _, m := range n.Members[:n.Fresh] {
		runs = append(runs, m.Run)
	}
	return runs
}
