package campaign

import (
	"context"
	"slices"

	"veilpath/configs"
	"veilpath/internal/external"
	"veilpath/internal/pool"
	"veilpath/internal/record"
	"veilpath/sim/study"
)

// How many flights of a study the viewer shows when commands made them: an observer's answer to a flight takes some
// 30 kB, a policy 1 kB.
const (
	mostWatched = 200  // flights that a command watches
	mostPlanned = 2000 // flights that a command plans
	mostShown   = 200  // runs
)

// shownFlights returns the flights of some settings that the viewer shows when commands made them.
func shownFlights(c configs.Config, epsilons []float64) external.Flights {
	noisy := slices.DeleteFunc(slices.Clone(epsilons), func(e float64) bool { return e == study.None() })
	if len(noisy) == 0 {
		noisy = []float64{configs.Default().Privacy.Epsilon} // beside the planned flight there is always a private one
	}
	most := mostPlanned
	if _, watches := configs.CommandOf(c.Adversary.Observer); watches {
		most = mostWatched
	}
	return external.Flights{Runs: max(1, min(c.Study.Runs, mostShown, most/len(noisy))), Epsilons: noisy}
}

// fillAnswers flies some flights for what commands answer about them and about the flights without noise.
func (p *Program) fillAnswers(ctx context.Context, answers *external.Answers, settings *configs.Loaded,
	flights external.Flights) error {
	p.ExternalCommands().Keep(answers, settings.Config.Commands()...)
	answers.Begin(flights)
	experiment, err := p.Builder().Experiment(settings.Config)
	if err != nil {
		return err
	}
	runs := slices.Concat(slices.Collect(pool.Numbers(0, flights.Runs)), flights.Also)
	work := func() pool.Work[int, struct{}] {
		return (&answered{experiment: experiment, settings: settings.Config, epsilons: flights.Epsilons}).fly
	}
	done := 0
	for _, err := range pool.Ordered(ctx, pool.Workers(settings.Study.Workers), slices.Values(runs), work) {
		if err != nil {
			return err
		}
		done++
		p.Progress(ShownFlights, done*len(flights.Epsilons), len(runs)*len(flights.Epsilons))
	}
	return ctx.Err()
}

// answered flies runs for the answers to them.
type answered struct {
	experiment *study.Experiment
	settings   configs.Config
	epsilons   []float64
	flyer      *study.Flyer
}

// fly flies a run without noise and at every epsilon.
func (a *answered) fly(ctx context.Context, run int, _ struct{}) (none struct{}, err error) {
	if a.flyer == nil {
		if a.flyer, err = a.experiment.NewFlyer(); err != nil {
			return none, err
		}
		a.flyer.FlyDirect()
	}
	c := &a.settings
	for _, epsilon := range append([]float64{study.None()}, a.epsilons...) {
		sigma, err := a.experiment.Sigma(epsilon)
		if err == nil {
			_, err = a.flyer.Fly(study.Draw{Seed: c.Study.Seed, Run: run, Noise: study.Noise(c.Study.Noise),
				Epsilon: epsilon}, sigma)
		}
		if err != nil || ctx.Err() != nil {
			return none, err
		}
	}
	return none, a.flyer.Failure()
}

// writeAnswers flies the first runs of a finished study again, and writes what its commands answer. It writes nothing
// for a part of a study, and for settings without commands.
func (s *Session) writeAnswers(ctx context.Context, folder *record.Folder) error {
	first := s.plan.Points[0]
	if len(first.Config.Commands()) == 0 || s.plan.Shard != nil {
		return nil
	}
	flights := shownFlights(first.Config, first.Study.Epsilons)
	flights.Runs = min(flights.Runs, s.tallies[0].Runs())
	if err := s.program.fillAnswers(ctx, &s.answers, first, flights); err != nil {
		return err
	}
	return folder.Write(external.AnswersName, s.answers.Write)
}

// RecordAnswers flies the runs of the flight's settings at its epsilon for what their commands answer, which Write then
// writes: with that the viewer shows the flight among the others, without the commands.
func (f *Flight) RecordAnswers(ctx context.Context) error {
	c := f.Settings.Config
	if len(c.Commands()) == 0 {
		return nil
	}
	flights := shownFlights(c, []float64{c.Privacy.Epsilon})
	if !flights.Has(f.Draw.Run) && !f.Nominal {
		flights.Also = []int{f.Draw.Run}
	}
	f.answers = new(external.Answers)
	return f.program.fillAnswers(ctx, f.answers, f.Settings, flights)
}
