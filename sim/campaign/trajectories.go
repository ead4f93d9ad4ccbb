package campaign

import (
	"context"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/gonum/spatial/r3"

	"veilpath/configs"
	"veilpath/internal/answer"
	"veilpath/internal/figure"
	"veilpath/internal/flightfile"
	"veilpath/internal/pool"
	"veilpath/internal/record/parquet"
	"veilpath/internal/table"
	"veilpath/planner"
	"veilpath/sim"
	"veilpath/sim/study"
)

// flightsName is the file name of the map of flights, without extension.
const flightsName = "flights"

const (
	mostMaps  = 3   // maximum number of epsilons in the figure
	mostPaths = 400 // maximum number of flights of an epsilon
)

// writeTrajectories flies the first runs of a finished study again and writes them step by step, with a figure of
// their paths.
func (s *Study) writeTrajectories(ctx context.Context, write writeFile, a *answer.Answer) error {
	runs := min(s.trajectories, s.tallies[0].Runs())
	if runs == 0 {
		return nil
	}
	points := s.seen[:s.swept.Watching()]
	sigmas, err := points[0].Sigmas()
	if err != nil {
		return err
	}
	maps := s.maps(runs)
	err = write(flightfile.TrajectoriesName, func(w io.Writer) error {
		table := parquet.NewWriter(w, flightfile.FlightStepColumns(s.swept.Observers), s.manifest.Version)
		work := func() pool.Work[int, []flightfile.FlightStep] { return (&stepper{points: points, sigmas: sigmas}).fly }
		for steps, err := range pool.Ordered(ctx, s.sweep.Workers, pool.Numbers(0, runs), work) {
			if err != nil {
				return err
			}
			if err := table.Add(steps.Value); err != nil {
				return err
			}
			addPaths(maps, steps.Value)
		}
		return table.Close()
	})
	if err == nil && len(maps) > 0 {
		a.Figures[flightsName] = s.flightsFigure(maps, runs)
	}
	return err
}

// stepper flies runs for their steps, once for every observer.
type stepper struct {
	points []study.Study // by observer
	sigmas []float64
	flyers []*study.Flyer
	guess  []r3.Vec
}

// fly returns the steps of a run at all listed epsilons.
func (s *stepper) fly(ctx context.Context, run int, steps []flightfile.FlightStep) ([]flightfile.FlightStep, error) {
	for k := len(s.flyers); k < len(s.points); k++ {
		flyer, err := s.points[k].Experiment.NewFlyer()
		if err != nil {
			return nil, err
		}
		s.flyers = append(s.flyers, flyer)
	}
	steps = steps[:0]
	for i, epsilon := range s.points[0].Epsilons {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		draw := study.Draw{Seed: s.points[0].Seed, Run: run, Noise: s.points[0].Noise, Epsilon: epsilon}
		var err error
		if steps, err = s.flyEpsilon(draw, s.sigmas[i], steps); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

// flyEpsilon appends the steps of a flight with the guesses of all observers.
func (s *stepper) flyEpsilon(draw study.Draw, sigma float64,
	steps []flightfile.FlightStep) ([]flightfile.FlightStep, error) {
	first := len(steps)
	for observer, flyer := range s.flyers {
		if _, err := flyer.Fly(draw, sigma); err != nil {
			return nil, err
		}
		flown := flyer.Detail()
		if s.guess = flyer.Foresee(s.guess); flyer.Failure() != nil {
			return nil, flyer.Failure()
		}
		if observer > 0 {
			for k, g := range s.guess {
				step := &steps[first+k]
				step.Others = append(step.Others, flightfile.Guess{ErrorKm: flown.Errors.ErrorKm[k], X: g.X, Y: g.Y, Z: g.Z})
			}
			continue
		}
		for k, row := range flightfile.Trajectory(flown.History, flown.Errors) {
			steps = append(steps, flightfile.FlightStep{Run: draw.Run, Epsilon: draw.Epsilon, TrajectoryRow: row,
				GuessKm: s.guess[k]})
		}
	}
	return steps, nil
}

// epsilonMap is the map of one epsilon.
type epsilonMap struct {
	epsilon float64
	*figure.MissionMap
}

// maps returns maps without flights for some epsilons, spread over all.
func (s *Study) maps(runs int) []epsilonMap {
	point := &s.sweep.Points[0]
	e := point.Experiment
	var history sim.History
	e.Scenario.Fly(&planner.Route{Grid: e.Mission.Grid, Policy: e.Mission.Optimal.Policy}, &history)
	var flown []r3.Vec
	for _, sample := range history.Samples {
		flown = append(flown, sample.R)
	}
	optimal := drawnPath(e.Mission.Grid, flown)
	var maps []epsilonMap
	epsilons := slices.Sorted(slices.Values(point.Epsilons))
	if last := len(epsilons) - 1; last >= mostMaps && epsilons[last] == study.None() {
		epsilons = epsilons[:last] // with noise only, because every map shows the plan without noise
	}
	for _, i := range table.Spread(len(epsilons), mostMaps) {
		maps = append(maps, epsilonMap{epsilon: epsilons[i], MissionMap: &figure.MissionMap{
			Title: "epsilon " + configs.EpsilonText(epsilons[i]), Grid: e.Mission.Grid,
			Targets:    append([]r3.Vec{e.Scenario.Target}, e.Scenario.Others...),
			HandoverKm: e.Scenario.HandoverKm, Optimal: optimal, Flights: make([][]r3.Vec, 0, min(runs, mostPaths)),
		}})
	}
	return maps
}

// addPaths adds the flights of a run to the maps of their epsilons.
func addPaths(maps []epsilonMap, steps []flightfile.FlightStep) {
	for k := range maps {
		m := &maps[k]
		if len(m.Flights) == mostPaths {
			continue
		}
		var flown []r3.Vec
		for i := range steps {
			if steps[i].Epsilon == m.epsilon {
				flown = append(flown, steps[i].R)
			}
		}
		m.Flights = append(m.Flights, drawnPath(m.Grid, flown))
	}
}

// drawnPath returns the positions of a flight that a map needs: no position is farther from the line through them
// than a thousandth of the map.
func drawnPath(g *planner.Grid, flown []r3.Vec) []r3.Vec {
	return figure.Simplify(flown, g.SpacingKm*float64(max(g.Columns, g.Rows))/1000)
}

// ground returns the meaning of the colours of cells on a map.
func ground(g *planner.Grid) string {
	text, keptOut, beside := "", false, false
	for state := range g.States() {
		keptOut, beside = keptOut || g.KeptOut(state), beside || g.Beside(state) != 0
	}
	if keptOut {
		text += "; grey: cells to keep out of"
	}
	if beside {
		text += "; tinted: cells that cost or earn more"
	}
	return text
}

// flightsFigure draws the maps side by side.
func (s *Study) flightsFigure(maps []epsilonMap, runs int) *figure.Figure {
	var panels []*figure.MissionMap
	for _, m := range maps {
		panels = append(panels, m.MissionMap)
	}
	return figure.MapFigure(fmt.Sprintf("Where the flights go: %s of each epsilon", table.Count(min(runs, mostPaths),
		"flight")),
		"Seen from above. Thin: private flights; thick: flight without noise; dashed: end of privacy"+
			ground(maps[0].Grid), panels)
}
