package external

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// Observer is a command that watches flights.
type Observer struct{ *Command }

// Model returns the observer as settings choose it, under a name.
func (o *Observer) Model(name string) adversary.Model {
	m := adversary.Model{Name: name, Meaning: o.meaning(), New: func(s adversary.Settings) (adversary.Observer, error) {
		return &pointObserver{watcher: watcher{Command: o.Command, mission: pointMission(s), seed: s.Seed}}, nil
	}}
	if o.Hello.Answers == Posterior {
		goal := o.GoalModel(name)
		m.Goal = true
		m.New = func(s adversary.Settings) (adversary.Observer, error) {
			if s.Knowledge == nil {
				return nil, fmt.Errorf("exec:%s: it infers the goal, and does not know which goals are possible", o.Line)
			}
			return adversary.NewBelief(goal, s.Knowledge)
		}
	}
	return m
}

// GoalModel returns the observer of the goal, under a name.
func (o *Observer) GoalModel(name string) adversary.GoalModel {
	return adversary.GoalModel{Name: name, Meaning: o.meaning(), Track: func(k *adversary.Knowledge) (
		adversary.TrackObserver, error) {
		if o.Hello.Answers != Posterior {
			return nil, fmt.Errorf("exec:%s: it answers points; an observer of the goal answers a posterior", o.Line)
		}
		priors := make([]float64, len(k.Candidates))
		for i, c := range k.Candidates {
			priors[i] = c.Prior
		}
		return &goalObserver{watcher{Command: o.Command, mission: goalMission(k)}, priors}, nil
	}}
}

func (o *Observer) meaning() string { return cmp.Or(o.Hello.Meaning, "is a command of the user's") }

// pointMission returns the line that tells an observer what it may know beside the flight.
func pointMission(s adversary.Settings) string {
	line := appendNumber([]byte(`{"mission":{"handover_km":`), s.Steering.HandoverKm)
	line = appendField(line, "speed_km_s", s.Steering.SpeedKmS)
	line = appendField(line, "lambda_per_s", s.LambdaPerS)
	return string(append(line, "}}\n"...))
}

// goalMission returns the line that tells an observer which goals are possible.
func goalMission(k *adversary.Knowledge) string {
	line := appendNumber([]byte(`{"mission":{"handover_km":`), k.HandoverKm)
	line = append(line, `,"goals":[`...)
	for i, c := range k.Candidates {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, `{"at_km":[`...)
		for j, x := range []float64{c.TargetKm.X, c.TargetKm.Y, c.TargetKm.Z} {
			if j > 0 {
				line = append(line, ',')
			}
			line = appendNumber(line, x)
		}
		line = append(line, ']')
		line = append(appendField(line, "prior", c.Prior), '}')
	}
	return string(append(line, "]}}\n"...))
}

// watcher asks a command about flights.
type watcher struct {
	*Command
	mission string // the line that tells it
	seed    uint64
	flights uint64
	track   []float64
}

// watch returns the answer about a flight at some samples, which check accepts.
func (w *watcher) watch(h *sim.History, samples []int, check func(a *answer, samples int) error) (*answer, error) {
	request := flightRequest(seedOf(w.seed, h), h)
	if known, err := w.known(request); known != nil || err != nil {
		if err == nil {
			err = check(known, len(samples))
		}
		if err != nil {
			return nil, w.failed(err)
		}
		return known, nil
	}
	p, err := w.take(w.mission)
	if err != nil {
		return nil, w.failed(err)
	}
	a, err := w.ask(p, h, samples, check)
	if err != nil {
		w.drop(p)
		return nil, w.failed(err)
	}
	w.give(p)
	w.kept.keep(request, a)
	return a, nil
}

func (w *watcher) failed(err error) error { return fmt.Errorf("exec:%s: %w", w.Line, err) }

// ask asks a process, the first time and of one flight in a hundred also of the flight's beginning, which must have
// the same answers.
func (w *watcher) ask(p *process, h *sim.History, samples []int, check func(a *answer, samples int) error) (*answer,
	error) {
	if p.told != w.mission {
		if err := p.tell([]byte(w.mission), w.limit); err != nil {
			return nil, err
		}
		p.told = w.mission
	}
	seed := seedOf(w.seed, h)
	a, err := w.request(p, h, len(h.Samples), samples, seed, check)
	repeats := w.repeats(p, w.flights)
	p.asked++
	w.flights++
	if err != nil || !repeats || len(samples) == 0 {
		return a, err
	}
	early := samples[:(len(samples)+1)/2]
	b, err := w.request(p, h, early[len(early)-1]+1, early, seed, check)
	if err != nil {
		return nil, err
	}
	all, some := a.table().values, b.table().values
	if i := firstDifference(all[:len(some)], some); i >= 0 {
		return nil, fmt.Errorf("of a flight's beginning it answered %v where it answered %v of the whole flight (sample "+
			"%d): it looks ahead, or does not draw from the seed of the request alone; a command may say \"deterministic\": "+
			"false in the hello", some[i], all[i], early[i*len(early)/len(some)])
	}
	w.twice.Add(1)
	return a, nil
}

// firstDifference returns the index of the first number that is another, -1 without one.
func firstDifference(a, b []float64) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// table returns the table that an answer of an observer is.
func (a *answer) table() *numbers { return cmp.Or(a.Points, a.Posterior) }

// request makes one request, with so many samples of the flight.
func (w *watcher) request(p *process, h *sim.History, known int, samples []int, seed uint64,
	check func(a *answer, samples int) error) (*answer, error) {
	const columns = 9
	w.track = w.track[:0]
	for _, s := range h.Samples[:known] {
		w.track = append(w.track, s.R.X, s.R.Y, s.R.Z, s.V.X, s.V.Y, s.V.Z, s.A.X, s.A.Y, s.A.Z)
	}
	p.request = strconv.AppendUint(append(p.request[:0], `{"seed":"`...), seed, 10)
	p.request = append(p.request, '"')
	id := p.asked + 1
	p.request = strconv.AppendInt(append(p.request, `,"id":`...), int64(id), 10)
	p.request = appendField(p.request, "step_s", h.StepS)
	p.request = appendField(p.request, "end_s", h.Duration())
	p.request = append(p.request, `,"ask":[`...)
	for i, sample := range samples {
		if i > 0 {
			p.request = append(p.request, ',')
		}
		p.request = strconv.AppendInt(p.request, int64(sample), 10)
	}
	p.request = append(p.request, `],"track":`...)
	p.request = append(appendNumbers(p.request, w.track, columns, w.Hello.Base64), "}\n"...)
	line, err := p.ask(p.request, w.limit)
	if err != nil {
		return nil, err
	}
	w.requests.Add(1)
	a, err := parseAnswer(line, ObserverRole, id)
	if err != nil {
		return nil, err
	}
	if err := check(a, len(samples)); err != nil {
		return nil, wrong(line, err)
	}
	return a, nil
}

// seedOf returns a seed that follows from the study's and the waypoints flown, so that one flight is always observed
// alike.
func seedOf(seed uint64, h *sim.History) uint64 {
	hash := fnv.New64a()
	text := strconv.AppendUint(nil, seed, 10)
	for _, v := range h.Visits {
		text = strconv.AppendInt(append(text, ' '), int64(v.State), 10)
	}
	hash.Write(text)
	return hash.Sum64()
}

// pointObserver is an adversary.Observer. From its first error on it foresees nothing.
type pointObserver struct {
	watcher
	err error
}

// Err returns the first error.
func (o *pointObserver) Err() error { return o.err }

// Foresee implements adversary.Observer. Between the samples that the command is asked about, its last answer holds.
func (o *pointObserver) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	every := max(1, o.Hello.Every)
	var samples []int
	for sample := 0; sample < len(h.Samples); sample += every {
		samples = append(samples, sample)
	}
	var points []float64
	if o.err == nil {
		var a *answer
		a, o.err = o.watch(h, samples, (*answer).checkPoints)
		switch {
		case o.err == nil:
			points = a.Points.values
		case errors.Is(o.err, ErrNotRecorded):
			o.err = nil // of this flight it foresees nothing
		}
	}
	for i := range foreseen {
		foreseen[i] = nowhere
		if points != nil {
			at := points[3*(i/every):]
			foreseen[i] = r3.Sub(r3.Vec{X: at[0], Y: at[1], Z: at[2]}, origin)
		}
	}
}

// goalObserver is an adversary.TrackObserver.
type goalObserver struct {
	watcher
	priors []float64 // of the goals
}

// Every implements adversary.TrackObserver.
func (o *goalObserver) Every() int { return max(1, o.Hello.Every) }

// Judge implements adversary.TrackObserver.
func (o *goalObserver) Judge(h *sim.History, samples []int, to [][]float64) error {
	a, err := o.watch(h, slices.Clone(samples), func(a *answer, n int) error {
		return a.checkPosterior(n, len(o.priors))
	})
	if err != nil && !errors.Is(err, ErrNotRecorded) {
		return err
	}
	for k := range to {
		if err != nil { // of this flight it learns nothing
			copy(to[k], o.priors)
			continue
		}
		copy(to[k], a.Posterior.values[k*len(o.priors):])
	}
	return nil
}

// nowhere is what an observer foresees that failed.
var nowhere = r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
