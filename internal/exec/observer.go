package exec

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/adversary"
	"veilpath/sim"
)

// Model returns the observer that the command is, as settings choose it, under a name.
func (c *Command) Model(name string) adversary.Model {
	m := adversary.Model{Name: name, Meaning: c.Hello.Meaning, Goal: c.Hello.Answers == posterior}
	m.New = func(s adversary.Settings) (adversary.Observer, error) {
		switch {
		case m.Goal && s.Knowledge == nil:
			return nil, fmt.Errorf("exec:%s: it infers the goal, and does not know which goals are possible", c.Line)
		case m.Goal:
			return adversary.NewBelief(c.GoalModel(name), s.Knowledge)
		}
		mission := pointMission{s.Steering.HandoverKm, s.Steering.SpeedKmS, s.LambdaPerS}
		return &watcher{Command: c, mission: mission, seed: s.Seed, columns: 3}, nil
	}
	return m
}

// GoalModel returns the observer of the goal that the command is, under a name.
func (c *Command) GoalModel(name string) adversary.GoalModel {
	track := func(k *adversary.Knowledge) (adversary.TrackObserver, error) {
		if c.Hello.Answers != posterior {
			return nil, fmt.Errorf("exec:%s: it answers points; an observer of the goal answers a posterior", c.Line)
		}
		mission := goalMission{HandoverKm: k.HandoverKm}
		for _, c := range k.Candidates {
			at := [3]float64{c.TargetKm.X, c.TargetKm.Y, c.TargetKm.Z}
			mission.Goals = append(mission.Goals, goalMessage{at, c.Prior})
		}
		return &watcher{Command: c, mission: &mission, columns: len(k.Candidates)}, nil
	}
	return adversary.GoalModel{Name: name, Meaning: c.Hello.Meaning, Track: track}
}

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

// flightRequest asks about a flight at some samples. Row i of the track was flown at i times the step: position,
// velocity and acceleration in km and s.
type flightRequest struct {
	Seed  uint64       `json:"seed,string"`
	ID    int          `json:"id"`
	StepS float64      `json:"step_s"`
	EndS  float64      `json:"end_s"`
	Ask   []int        `json:"ask"`
	Track [][9]float64 `json:"track"`
}

// watcher asks a command about flights. It is an adversary.Observer if the command answers points, and an
// adversary.TrackObserver if it answers posteriors.
type watcher struct {
	*Command
	mission any // comparable
	seed    uint64
	columns int // numbers of a row of an answer
	track   [][9]float64
	err     error // the first one of Foresee
}

// watch returns the answer about a flight at some samples, row by row. The first request of a command is made again
// with the beginning of the flight alone, and must have the same answers.
func (w *watcher) watch(h *sim.History, samples []int) (all []float64, err error) {
	err = w.converse(w.mission, func() any { return w.mission }, func(p *process) error {
		all, err = w.ask(p, h, len(h.Samples), samples)
		if err != nil || len(samples) == 0 || !w.verifies() {
			return err
		}
		early := samples[:(len(samples)+1)/2]
		some, err := w.ask(p, h, early[len(early)-1]+1, early)
		if err != nil {
			return err
		}
		for i, x := range some {
			if all[i] != x {
				return fmt.Errorf("of a flight's beginning it answered %v where it answered %v of the whole flight (sample "+
					"%d): it looks ahead, or does not draw from the seed of the request alone; a command may say "+
					"\"deterministic\": false in the hello", x, all[i], early[i/w.columns])
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("exec:%s: %w", w.Line, err)
	}
	return all, nil
}

// ask makes one request, with so many samples of the flight.
func (w *watcher) ask(p *process, h *sim.History, known int, samples []int) (values []float64, err error) {
	w.track = w.track[:0]
	for _, s := range h.Samples[:known] {
		w.track = append(w.track, [9]float64{s.R.X, s.R.Y, s.R.Z, s.V.X, s.V.Y, s.V.Z, s.A.X, s.A.Y, s.A.Z})
	}
	request := flightRequest{seedOf(w.seed, h), p.answered, h.StepS, h.Duration(), samples, w.track}
	wanted := cmp.Or(w.Hello.Answers, points)
	_, err = w.request(p, request, w.columns*len(samples), []string{wanted}, func(a answer) error {
		if values, err = a.numbers(len(samples), w.columns); err != nil {
			return err
		}
		if wanted == posterior {
			return normalize(values, w.columns)
		}
		if i := slices.Index(values, math.Inf(-1)); i >= 0 {
			return fmt.Errorf("coordinate %d of point %d is not a number", i%w.columns, i/w.columns)
		}
		return nil
	})
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
	fmt.Fprint(hash, seed)
	for _, v := range h.Visits {
		fmt.Fprintf(hash, " %d", v.State)
	}
	return hash.Sum64()
}

// Every implements adversary.TrackObserver.
func (w *watcher) Every() int { return max(1, w.Hello.Every) }

// Judge implements adversary.TrackObserver.
func (w *watcher) Judge(h *sim.History, samples []int, to [][]float64) error {
	rows, err := w.watch(h, slices.Clone(samples))
	if err != nil {
		return err
	}
	for k := range to {
		copy(to[k], rows[k*w.columns:])
	}
	return nil
}

// Err returns the first error of Foresee, after which the observer foresees nothing: a point at infinity.
func (w *watcher) Err() error { return w.err }

// Foresee implements adversary.Observer. Between the samples that the command is asked about, its last answer holds.
func (w *watcher) Foresee(h *sim.History, origin r3.Vec, foreseen []r3.Vec) {
	var samples []int
	for sample := 0; sample < len(h.Samples); sample += w.Every() {
		samples = append(samples, sample)
	}
	var expected []float64
	if w.err == nil {
		expected, w.err = w.watch(h, samples)
	}
	for i := range foreseen {
		foreseen[i] = r3.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}
		if expected != nil {
			at := expected[3*(i/w.Every()):]
			foreseen[i] = r3.Sub(r3.Vec{X: at[0], Y: at[1], Z: at[2]}, origin)
		}
	}
}
