package model

import (
	"cmp"
	"maps"
	"slices"

	"veilpath/adversary"
	"veilpath/sim/study"
)

// AxisRange is the epsilons that an axis has: those of the charts. At others every flight is flown by itself; at the
// smallest it circles for long.
var AxisRange = study.Range{Low: 0.1, High: 10}

// Piece is a part of a run's axis of epsilon on which one flight is flown. It is never changed.
type Piece struct {
	Low, High float64 // epsilon at which it begins, and at which the next one begins or the axis ends

	run study.Run
	track
	curve     adversary.Curve
	baselines *study.Baselines // of its run; nil for those of the experiment
}

// Axis is runs at every epsilon at once. A run is a few pieces, so the flights at any epsilon are looked up.
type Axis struct {
	Version uint64 // changes when a run comes in

	runs map[int][]Piece
}

// mostAxisRuns is the most runs whose axis is found, unless Workers says otherwise.
const mostAxisRuns = 1000

// put keeps the pieces of a run.
func (a *Axis) put(run int, pieces []Piece) {
	a.runs[run] = pieces
	a.Version++
}

// keep forgets all runs but the first ones and the one on show.
func (a *Axis) keep(first, shown int) {
	if len(a.runs) > first {
		maps.DeleteFunc(a.runs, func(run int, _ []Piece) bool { return run >= first && run != shown })
	}
}

// clear forgets all runs.
func (a *Axis) clear() {
	a.runs = map[int][]Piece{}
	a.Version++
}

// pieces returns the pieces of a run, with epsilon ascending; nil while they have not been found.
func (a *Axis) pieces(run int) []Piece { return a.runs[run] }

// pieceAt returns the number of the piece that an epsilon lies on, and -1 where there is none.
func pieceAt(pieces []Piece, epsilon float64) int {
	if len(pieces) == 0 || !AxisRange.Contains(epsilon) {
		return -1
	}
	i, found := slices.BinarySearchFunc(pieces, epsilon,
		func(p Piece, epsilon float64) int { return cmp.Compare(p.Low, epsilon) })
	if !found {
		i--
	}
	return i
}

// member returns the member of an ensemble that a run is at an epsilon; nil while its axis has not been found.
func (a *Axis) member(run int, epsilon float64) *Member {
	pieces := a.runs[run]
	i := pieceAt(pieces, epsilon)
	if i < 0 {
		return nil
	}
	p := &pieces[i]
	m := &Member{Run: p.run, curve: p.curve, baselines: p.baselines}
	m.Run.Epsilon = epsilon
	if run < FanRuns {
		m.keep(p.track)
	}
	return m
}

// DetectionKm returns where a run is recognised at an epsilon by a radius, 0 for never; ok is false where its axis has
// not been found.
func (a *Axis) DetectionKm(run int, epsilon, radiusKm float64) (km float64, ok bool) {
	pieces := a.runs[run]
	i := pieceAt(pieces, epsilon)
	if i < 0 {
		return 0, false
	}
	return pieces[i].curve.Detect(radiusKm).DistanceKm, true
}

// along returns the mean along the axis of the distances that set puts into the runs that have come in without a gap,
// flights of a study, with a band that holds along the whole of it where one is requested. Without runs it has no
// epsilons.
func (m *Model) along(mean *study.MeanCurve, band bool, set func(*Piece, *study.Run)) study.Curve {
	var records []study.Run
	n := 0
	for ; n < m.axisRuns() && m.Axis.runs[n] != nil; n++ {
		records = records[:0]
		for i := range m.Axis.runs[n] {
			p := &m.Axis.runs[n][i]
			r := p.run
			r.Epsilon = p.Low
			set(p, &r)
			records = append(records, r)
		}
		mean.Add(records)
	}
	switch {
	case n == 0:
		return study.Curve{}
	case band:
		return mean.Curve(study.Confidence)
	}
	return mean.Mean()
}

// MeanAlong returns the mean distance of recognition along the axis for the radius on show, with its band once all runs
// are there.
func (m *Model) MeanAlong(band bool) study.Curve {
	of := study.Study{Experiment: m.Experiment, Axis: AxisRange}
	return m.along(of.NewMeanCurve(), band && m.AxisComplete(),
		func(p *Piece, r *study.Run) { r.SetDetection(p.curve.Detect(m.RadiusOf(r.Run))) })
}

// ShareAlong returns the mean of a share of every run along the axis, of at most so many percent, with its band once
// all runs are there.
func (m *Model) ShareAlong(most float64, share func(*study.Run) float64) study.Curve {
	return m.along(study.NewMeanCurve(AxisRange, most), m.AxisComplete(),
		func(_ *Piece, r *study.Run) { r.DetectionKm = 100 * share(r) })
}

// axisRuns returns how many runs the axis is found of.
func (m *Model) axisRuns() int { return min(m.Runs(), cmp.Or(m.workers.AxisRuns, mostAxisRuns)) }

// AxisComplete reports whether the axis of all these runs is there.
func (m *Model) AxisComplete() bool {
	for run := range m.axisRuns() {
		if m.Axis.runs[run] == nil {
			return false
		}
	}
	return true
}

// HasAxis reports whether runs are a few pieces in epsilon that are found in a moment.
func (m *Model) HasAxis() bool {
	return m.Experiment.Resolution() == 0 &&
		m.Experiment.HasAxis(study.Noise(m.Config.Study.Noise))
}

// axisJob finds the axis of some runs. Those that follow each other are flown side by side.
func (m *Model) axisJob(runs []request) *job {
	s := study.Study{Experiment: m.Experiment, Runs: MaxRuns, Seed: m.Config.Study.Seed,
		Noise: study.Noise(m.Config.Study.Noise)}
	return &job{
		experiment: m.Experiment, config: m.Config, requests: runs,
		fly: func(flyer *study.Flyer, o study.FlightOptions, requests []request, report func(request, any)) {
			for n, stopped := 0, false; len(requests) > 0 && !stopped; requests = requests[n:] {
				for n = 1; n < len(requests) && requests[n].slot == requests[n-1].slot+1; {
					n++
				}
				stopped = !flyAxes(s, requests[:n], flyer, o, report)
			}
		},
	}
}

// flyAxes finds the axes of runs that follow each other, and reports each when it is whole, until the flyer is stopped.
func flyAxes(s study.Study, runs []request, flyer *study.Flyer, o study.FlightOptions,
	report func(request, any)) (all bool) {
	s.Axis = AxisRange
	var pieces []Piece
	at := 0
	whole, err := flyer.FlyAxis(&s, runs[0].slot, runs[len(runs)-1].slot+1, o, func(f study.Flight) bool {
		r := f.Run
		if r.Run != runs[at].slot {
			report(runs[at], pieces)
			at, pieces = at+1, nil
		}
		if n := len(pieces); n > 0 {
			pieces[n-1].High = r.Epsilon
		}
		p := Piece{Low: r.Epsilon, High: s.Axis.High, run: r, track: f.Kept.(track), curve: f.Curve}
		if s.Experiment.Varies() {
			p.baselines = f.Baselines
		}
		pieces = append(pieces, p)
		return true
	})
	if err != nil {
		panic("model: an axis that there is: " + err.Error()) // HasAxis and the noise of both ends were asked
	}
	if at < whole {
		report(runs[at], pieces)
	}
	return whole == len(runs)
}

// flyAxis has the pool find the axis of the runs that have none yet, first of the run on show.
func (m *Model) flyAxis() {
	if !m.HasAxis() {
		return
	}
	m.Axis.keep(m.axisRuns(), m.RunNumber)
	var requests []request
	miss := func(run int) {
		if m.Axis.runs[run] == nil {
			requests = append(requests, request{slot: run})
		}
	}
	miss(m.RunNumber)
	for run := range m.axisRuns() {
		if run != m.RunNumber {
			miss(run)
		}
	}
	m.pool.assign(axisJob, m.axisJob(requests))
}
