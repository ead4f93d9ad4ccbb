package benchmark

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/setup"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/planner/privacy"
	"veilpath/sim/cost"
	"veilpath/sim/leak"
	"veilpath/sim/study"
)

// Bench measures rows.
type Bench struct {
	Version string // of the program
	Builder *setup.Builder
	Models  []adversary.GoalModel // the observers of the suite
	Workers int                   // goroutines; 0 for one per core
	// Commands names commands of users, with their versions, by their lines. Nil leaves the names out.
	Commands func(lines []string) []string
	// Audit returns the verdict on the mechanism of some settings: see package audit. Nil leaves audits out.
	Audit func(ctx context.Context, settings *configs.Loaded) (verdict string, err error)
}

// Request returns what the row of a case depends on.
func (s *Suite) Request(c *Case) Request {
	return Request{Config: cmp.Or(c.Mission.Config, configs.DefaultPreset), Set: c.Settings(), Flights: s.Flights,
		Policies: s.Policies, Training: s.Training, Seed: s.Seed, RadiusKm: s.RadiusKm, Observers: s.Observers}
}

// Case measures a case of a suite. done is called with the flights and private policies that are made.
func (b *Bench) Case(ctx context.Context, s *Suite, c *Case, done func(n int)) (Row, error) {
	row := Row{Mission: c.Mission.Name, Way: c.Way.Name, Parameter: c.Way.Parameter, Value: c.Value, Request: s.Request(c)}
	if err := b.measure(ctx, &row, done); err != nil {
		return row, fmt.Errorf("%s: %w", c.Title(), err)
	}
	return row, nil
}

// measure completes a row by its Request.
func (b *Bench) measure(ctx context.Context, row *Row, done func(n int)) error {
	r := &row.Request
	loaded, err := r.Load(b.Workers)
	if err != nil {
		return err
	}
	c := loaded.Config
	experiment, err := b.Builder.Experiment(c)
	if err != nil {
		return err
	}
	planned := &experiment.Baselines.Planned
	row.PlannedKm = planned.FlightTimeS * c.Vehicle.SpeedKmS
	var flownKm []float64
	for _, fraction := range Fractions {
		flownKm = append(flownKm, math.Round(fraction*row.PlannedKm*10)/10)
	}
	row.Version, row.Arch, row.Command = b.Version, runtime.GOARCH, r.command(c.Privacy.Epsilon, flownKm)
	promise := promiseOf(c, experiment)
	row.Protects, row.Guarantee = promise.Protects, promise.Guarantee
	if err := b.leak(ctx, row, c, flownKm, done); err != nil {
		return err
	}
	if err := row.deceive(ctx, c, experiment, done); err != nil {
		return err
	}
	row.Audit = "none"
	if b.Audit != nil && row.Guarantee != privacy.None.Guarantee {
		row.Audit, err = b.Audit(ctx, loaded)
	}
	return err
}

// promiseOf returns what the mechanism of some settings promises.
func promiseOf(c configs.Config, e *study.Experiment) privacy.Promise {
	if c.Privacy.Epsilon == study.None() {
		return privacy.None
	}
	for _, m := range privacy.GoalMechanisms() {
		if m.Name() == c.Privacy.Mechanism {
			return m.Promise()
		}
	}
	if e.Mechanism == nil {
		return planner.PromiseOf(planner.Standard())
	}
	return planner.PromiseOf(e.Mechanism)
}

// leak measures what observers learn of flights to goals drawn from the candidates, and what hiding costs.
func (b *Bench) leak(ctx context.Context, row *Row, c configs.Config, flownKm []float64, done func(n int)) error {
	r := &row.Request
	way, err := b.Builder.Way(ctx, c)
	if err != nil {
		return err
	}
	way.Epsilon = c.Privacy.Epsilon
	s := &leak.Study{Ways: []leak.Way{way}, Flights: r.Flights, FlownKm: flownKm, RadiiKm: []float64{r.RadiusKm},
		InARow: c.Adversary.ConsecutiveSteps, Observers: b.Models,
		Policies: r.Policies, Training: r.Training, Seed: r.Seed, Workers: b.Workers}
	if b.Commands != nil {
		row.Commands = b.Commands(r.Lines(&c))
	}
	result, err := s.Fly(ctx, done)
	if err != nil {
		return err
	}
	row.PriorBits = result.PriorBits()
	for _, strongest := range result.Strongest() {
		row.Bits = append(row.Bits, Bits{FlownKm: strongest.FlownKm, Observer: strongest.Observer,
			Left: NewEstimate(strongest.BitsLeft.Mean, strongest.BitsLeft.StandardError)})
	}
	for _, seen := range result.Recognitions() {
		if seen.Observer == row.Bits[Half].Observer {
			row.RecognisedKm = Estimate{table.Maybe(seen.Distance.Mean), table.Maybe(seen.Low),
				table.Maybe(seen.High)}
		}
	}
	outcome := result.Outcomes()[0]
	row.Cost = NewEstimate(outcome.Cost.Mean, 0) // without noise the cost is certain
	if way.Epsilon != study.None() {
		if row.Cost, err = costEstimate(outcome.Cost.Mean, outcome.Costs, way.World); err != nil {
			return err
		}
	}
	row.TimedOut = outcome.TimedOut
	row.Detour = NewEstimate(outcome.Detour.Mean, outcome.Detour.StandardError)
	return nil
}

// costEstimate returns the mean cost with its interval, see study.MeanInterval: costs lie between 0 and what the worst
// policy for any goal loses, and flights that cost so much need not be among those that were flown.
func costEstimate(mean float64, costs []float64, w *leak.World) (Estimate, error) {
	most := 0.0
	for _, g := range w.Goals {
		loss, err := cost.LargestLoss(g.Mission.Solved)
		if err != nil {
			return Estimate{}, err
		}
		most = max(most, loss/math.Abs(g.Mission.Optimal.Value[g.Mission.Start]))
	}
	low, high := study.MeanInterval(slices.Sorted(slices.Values(costs)), 0, most, study.Confidence)
	return Estimate{table.Maybe(mean), table.Maybe(low), table.Maybe(high)}, nil
}

// Lines returns the commands of users that settings of a row and its observers name.
func (r Request) Lines(c *configs.Config) []string {
	lines := c.Commands()
	for _, name := range r.Observers {
		if line, is := configs.CommandOf(name); is {
			lines = append(lines, line)
		}
	}
	return lines
}

// deceive measures the last deceptive point of flights to the mission's own goal.
func (r *Row) deceive(ctx context.Context, c configs.Config, e *study.Experiment, done func(n int)) error {
	s := setup.Study(c, e)
	s.Epsilons, s.Axis, s.Runs = []float64{c.Privacy.Epsilon}, study.Range{}, r.Request.Flights
	var sample privacy.Sample
	err := s.Do(ctx, func(runs []study.Run) error {
		for i := range runs {
			if km := runs[i].LastDeceptiveKm; !math.IsNaN(km) {
				sample.Add(km)
			}
		}
		done(len(runs))
		return nil
	})
	mean := sample.Mean()
	r.Deceptive = NewEstimate(mean.Mean, mean.StandardError)
	return err
}
