// Package study runs Monte Carlo studies of the detection distance: many privatized policies per
// epsilon, each flown and observed, and what they come to in numbers.
//
// The shortest whole program is the example of this package: a mission, a mechanism and an observer of one's own, flown
// on all cores, with intervals and files. In short,
//
//	scenario := settings.Scenario() // of configs.Default(), or one's own
//	mission, err := planner.NewMission(settings.Mission(), scenario.Start, scenario.Target)
//	experiment, err := study.New(scenario, mission, study.Options{Guarantee: ..., Mechanism: ..., Adversary: ...})
//	s := study.Study{Experiment: experiment, Epsilons: []float64{0.4, 4}, Runs: 100, Noise: study.Common}
//	tally, err := s.NewTally()
//	err = s.Do(ctx, func(runs []study.Run) error { tally.Add(runs); return nil })
//	err = study.WriteSummaries(file, tally.Summaries())
//
// Options.Others are further observers of the same flights: Study.Watch passes on what each of them saw.
//
// Package campaign keeps studies in folders, from which interrupted ones go on.
//
// An Experiment is one configuration of the closed loop, immutable and shared. A Flyer flies single runs
// of it in buffers of its own. A Study is epsilons x runs of an experiment; a Sweep is studies flown as
// one, the points of a sweep. A Schedule says which flights to make next, a fixed range (Slots) or until
// every mean is known well enough (Precision). Records come in one order whatever the workers do, and a
// Summary condenses them. A Study with a Range as its Axis finds and flies all of it: a run is a few pieces in
// epsilon then, each with one route, and a MeanCurve gathers them. A Survey sees its flights with observers of many
// radii; a Search finds the epsilons at which a Demand is met.
//
// Randomness enters at one place, the noise z of a linear mechanism, addressed by (seed, run), so a
// record depends on the experiment, the seed, the run's number and its epsilon and on nothing else: not
// on the number of workers, nor on which runs came before. With common noise all epsilons of a run share
// z, scaled by their sigma, which makes their differences far less noisy than themselves; with independent
// noise every epsilon draws its own. A mechanism that is not linear on the reward gets the stream of (seed, run)
// from its beginning at every epsilon instead, and has no sigma and no axis.
//
// # How sure
//
// The detection distance has two humps, one of them often small, so intervals that suppose a bell cover
// too seldom. A mean gets an interval that leaves room for flights that no run has shown (MeanInterval), a share
// Wilson's, a quantile that of the order statistics. The room is up to the hand-over distance, or as far as a run has
// shown, and up to FarthestKm for observers of the goal, who may name it anywhere. All those are for a number of runs
// fixed beforehand. Where the flights themselves decide when to stop, every look is accounted for: in Precision by a
// Sequence, in Search by e-processes, evidence that follows epsilon along the runs. Such statements hold at all times
// at once, so at any one time they hold with more than the confidence asked for.
//
// MEASURED.md, beside this file, tells how often they are wrong, and what flights take in time and memory, with the
// benchmarks that say so.
//
// # Assumptions and limitations
//
// A flight that was never detected counts as detected at 0 km. Flights that fell back or ran out of time
// are counted like any other and reported as such. A tally counts how often each detection distance came,
// so it grows with different distances, not with runs; flights that draw their heading have one each. Where moves are
// uncertain the ends of pieces are as sharp as BisectedTo, and a change that comes and goes between two plans is not
// seen. The same bits need the same kind of processor: some fuse multiplication and addition and so round once where
// others round twice.
package study
