// Package study runs Monte Carlo studies of the detection distance: it flies and observes many private policies per
// epsilon, and summarises the flights.
//
// The example of this package is the shortest complete program: a mission, a mechanism and an observer, flown on all
// cores, with intervals and files. In short,
//
//	scenario := settings.Scenario() // of configs.Default(), or one's own
//	mission, err := planner.NewMission(settings.Mission(), scenario.Start, scenario.Target)
//	experiment, err := study.New(scenario, mission, study.Options{Guarantee: ..., Mechanism: ..., Adversary: ...})
//	s := study.Study{Experiment: experiment, Epsilons: []float64{0.4, 4}, Runs: 100, Noise: study.Common}
//	tally, err := s.NewTally()
//	err = s.Do(ctx, func(runs []study.Run) error { tally.Add(runs); return nil })
//	err = study.WriteSummaries(file, tally.Summaries())
//
// Options.Others are further observers of the same flights. Study.Watch passes on what each of them saw.
//
// Package campaign keeps studies in folders and resumes interrupted ones.
//
// An Experiment is one configuration of the closed loop, immutable and shared. A Flyer flies single runs of it in its
// own buffers. A Study is epsilons x runs of an experiment. A Sweep flies several studies together, the points of a
// sweep. A Schedule says which flights to make next: a fixed range (Slots), or until every mean is known well enough
// (Precision). Records come in one order, whatever the workers do, and a Summary summarises them. A Study with a Range
// as its Axis finds and flies the whole range: a run then consists of a few pieces in epsilon, each with one route, and
// a MeanCurve gathers them. A Survey observes its flights with many radii. A Search finds the epsilons at which a
// Demand is met.
//
// Randomness enters at one place: the noise z of a linear mechanism, addressed by (seed, run). A record depends on the
// experiment, the seed, the run's number and its epsilon, and on nothing else: not on the number of workers, nor on
// earlier runs. With common noise, all epsilons of a run share z, scaled by their sigma, so that differences between
// epsilons are far less noisy than the means. With independent noise, every epsilon draws its own. A mechanism that is
// not linear on the reward gets the stream of (seed, run) from its beginning at every epsilon instead, and has no sigma
// and no axis.
//
// # How sure
//
// The detection distance has two humps, one of them often small, so intervals that assume a normal distribution cover
// too seldom. The interval of a mean includes flights that no run has shown (MeanInterval). The interval of a share is
// Wilson's, and that of a quantile uses the order statistics. Unseen flights are taken up to the hand-over distance or
// to the farthest run, and up to FarthestKm for observers of the goal, who may recognise it anywhere. All these
// intervals are for a number of runs that is fixed beforehand. Where the flights decide when to stop, the statements
// are valid at every stopping time: in Precision by a Sequence, in Search by e-processes, evidence that follows epsilon
// along the runs. At a fixed time they hold with more than the stated confidence.
//
// MEASURED.md, in this folder, has their measured error rates, and the time and memory that flights take, with the
// benchmarks that measure them.
//
// # Assumptions and limitations
//
// A flight that was never detected counts as detected at 0 km. Flights that fell back or ran out of time are counted
// like any other and reported. A tally counts how often each detection distance occurred, so it grows with the number
// of different distances, not of runs; flights with a random heading all have different ones. With uncertain
// transitions, the ends of pieces are known to BisectedTo, and a change that comes and goes between two plans is not
// seen. Equal bits need the same kind of processor: some fuse multiplication and addition, and round once where others
// round twice.
package study
