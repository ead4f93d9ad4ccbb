package external

import (
	"cmp"
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
		mission := pointMission{s.Steering.HandoverKm, s.Steering.SpeedKmS, s.LambdaPerS}
		return &pointObserver{watcher: watcher{Command: o.Command, mission: mission, seed: s.Seed, columns: 3}}, nil
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
		mission := newGoalMission(k)
		return &goalObserver{watcher{Command: o.Command, mission: &mission, columns: len(k.Candidates)}}, nil
	}}
}

func (o *Observer) meaning() string { return cmp.Or(o.Hello.Meaning, "is a command of the user's") }

// pointMission tells an observer what it may know beside the flight.
type pointMission struct {
	HandoverKm float64 `json:"handover_km"`
	SpeedKmS   float64 `json:"speed_km_s"`
	LambdaPerS float64 `json:"lambda_per_s"`
}

// goalMission tells an observer which goals are possible.
type goalMission struct {
	HandoverKm float64       `json:"handover_km"`
	Goals      []goalMessage `json:"goals"`
}

type goalMessage struct {
	AtKm  [3]float64 `json:"at_km"`
	Prior float64    `json:"prior"`
}

// newGoalMission returns the message about goals.
func newGoalMission(k *adversary.Knowledge) goalMission {
	m := goalMission{HandoverKm: k.HandoverKm}
	for _, c := range k.Candidates {
		m.Goals = append(m.Goals, goalMessage{[3]float64{c.TargetKm.X, c.TargetKm.Y, c.TargetKm.Z}, c.Prior})
	}
	return m
}

// flightRequest asks about a flight at some samples. Row i of the track was flown at i times the step, km and s.
type flightRequest struct {
	Seed  uint64  `json:"seed,string"`
	ID    int     `json:"id"`
	StepS float64 `json:"step_s"`
	EndS  float64 `json:"end_s"`
	Ask   []int   `json:"ask"`
	Track matrix  `json:"track"`
}

// watcher asks a command about flights. A row of an answer has so many numbers.
type watcher struct {
	*Command
	mission any // comparable
	seed    uint64
	columns int
	track   []float64
}

// watch returns the answer about a flight at some samples, row by row.
func (w *watcher) watch(h *sim.History, samples []int) ([]float64, error) {
	p, err := w.take(w.mission)
	if err != nil {
		return nil, w.failed(err)
	}
	values, err := w.ask(p, h, samples)
	if err != nil {
		w.drop(p)
		return nil, w.failed(err)
	}
	w.give(p)
	return values, nil
}

func (w *watcher) failed(err error) error { return fmt.Errorf("exec:%s: %w", w.Line, err) }

// ask asks a process, the first time also about the flight's beginning, which must have the same answers.
func (w *watcher) ask(p *process, h *sim.History, samples []int) ([]float64, error) {
	if p.told != w.mission {
		if err := p.tell(map[string]any{"mission": w.mission}, w.limit); err != nil {
			return nil, err
		}
		p.told = w.mission
	}
	all, err := w.request(p, h, len(h.Samples), samples)
	if err != nil || len(samples) == 0 || !w.verifies() {
		return all, err
	}
	early := samples[:(len(samples)+1)/2]
	some, err := w.request(p, h, early[len(early)-1]+1, early)
	if err != nil {
		return nil, err
	}
	for i, x := range some {
		if all[i] != x {
			return nil, fmt.Errorf("of a flight's beginning it answered %v where it answered %v of the whole flight (sample "+
				"%d): it looks ahead, or does not draw from the seed of the request alone; a command may say "+
				"\"deterministic\": false in the hello", x, all[i], early[i/w.columns])
		}
	}
	return all, nil
}

// request makes one request, with so many samples of the flight.
func (w *watcher) request(p *process, h *sim.History, known int, samples []int) ([]float64, error) {
	w.track = w.track[:0]
	for _, s := range h.Samples[:known] {
		w.track = append(w.track, s.R.X, s.R.Y, s.R.Z, s.V.X, s.V.Y, s.V.Z, s.A.X, s.A.Y, s.A.Z)
	}
	request := flightRequest{seedOf(w.seed, h), p.asked, h.StepS, h.Duration(), samples, matrix{w.track, 9}}
	line, err := p.ask(request, w.limit, digits*w.columns*len(samples))
	if err != nil {
		return nil, err
	}
	a, err := parseAnswer(line, ObserverRole, request.ID)
	if err != nil {
		return nil, err
	}
	values, err := w.values(a, len(samples))
	if err != nil {
		return nil, wrong(line, err)
	}
	return values, nil
}

// values returns the table of an answer, in which every place is finite and every posterior sums to 1.
func (w *watcher) values(a *answer, samples int) ([]float64, error) {
	if w.Hello.Answers == Posterior {
		if a.Posterior == nil {
			return nil, fmt.Errorf("its hello says that it answers %q; want that", Posterior)
		}
		values, err := a.Posterior.flat(Posterior, samples, w.columns)
		if err != nil {
			return nil, err
		}
		return values, normalize(values, w.columns)
	}
	if a.Points == nil {
		return nil, fmt.Errorf("its hello says that it answers %q; want those", Points)
	}
	values, err := a.Points.flat(Points, samples, w.columns)
	for i, x := range values {
		if math.IsInf(x, 0) {
			return nil, fmt.Errorf("coordinate %d of point %d is not a finite number", i%w.columns, i/w.columns)
		}
	}
	return values, err
}

// sumTolerance is how far probabilities may sum from 1: people print them with few digits.
const sumTolerance = 1e-6

// normalize makes every row sum to 1. It refuses rows that are no probabilities.
func normalize(values []float64, goals int) error {
	for i := 0; i < len(values); i += goals {
		row := values[i : i+goals]
		sum := 0.0
		for goal, p := range row {
			if !(p >= 0) {
				return fmt.Errorf("row %d of the posterior gives goal %d probability %v; want 0 or more", i/goals, goal, p)
			}
			sum += p
		}
		if !(math.Abs(sum-1) <= sumTolerance) {
			return fmt.Errorf("row %d of the posterior sums to %v; want 1", i/goals, sum)
		}
		for goal := range row {
			row[goal] /= sum
		}
	}
	return nil
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
		points, o.err = o.watch(h, samples)
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
type goalObserver struct{ watcher }

// Every implements adversary.TrackObserver.
func (o *goalObserver) Every() int { return max(1, o.Hello.Every) }

// Judge implements adversary.TrackObserver.
func (o *goalObserver) Judge(h *sim.History, samples []int, to [][]float64) error {
	posterior, err := o.watch(h, slices.Clone(samples))
	if err != nil {
		return err
	}
	for k := range to {
		copy(to[k], posterior[k*o.columns:])
	}
	return nil
}

// nowhere is what an observer foresees that failed.
var nowhere = r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
