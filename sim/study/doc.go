// Package study runs Monte Carlo studies of the detection distance: it flies and observes many private policies
// per epsilon, and summarises the flights.
//
// The example of this package is the shortest complete program: a mission, a mechanism and an observer, flown
// on all cores, with intervals and files. In short,
//
//	scenario := settings.Scenario() // settings: configs.Default(), or your own
//	mission, err := planner.NewMission(settings.Mission(), scenario.Start, scenario.Target)
//	experiment, err := study.New(scenario, mission, study.Options{Guarantee: ..., Mechanism: ..., Adversary: ...})
//	s := study.Study{Experiment: experiment, Epsilons: []float64{0.4, 4}, Runs: 100, Noise: study.Common}
//	tally, err := s.NewTally()
//	err = s.Do(ctx, func(runs []study.Run) error { tally.Add(runs); return nil })
//	err = study.WriteSummaries(file, tally.Summaries())
//
// Options.Others are further observers of the same flights. Study.Watch also returns the records of each.
//
// Package campaign keeps studies in folders and resumes interrupted ones.
//
// An Experiment is one configuration of the closed loop, immutable and shared. A Flyer flies single runs of it
// in its own buffers. A Study is epsilons x runs of an experiment. A Sweep flies the studies of its points
// together. A Schedule says which flights to make next: all of them (Fixed), or more until every mean is
// precise enough (Precision). Records come in a fixed order, whatever the workers do. A Summary summarises
// them. A Study with a Range as its Axis finds and flies the whole range: a run then consists of a few pieces
// in epsilon, each with one route, and a MeanCurve gathers them. A Survey observes its flights with many radii.
// A Search finds the epsilons at which a Demand is met.
//
// The only random quantity is the noise z of a linear mechanism, which (seed, run) determines. A record depends
// on the experiment, the seed, the run's number and its epsilon only, not on the number of workers or on
// earlier runs. With common noise, all epsilons of a run share z, scaled by their sigma, so that differences
// between epsilons are far less noisy than the means. With independent noise, every epsilon draws its own. A
// mechanism that is not linear on the reward gets the stream of (seed, run) from its beginning at every epsilon
// instead, and has no sigma and no axis.
//
// # How sure
//
// The distribution of the detection distance has two humps, one of them often small, so intervals that assume a
// normal distribution cover too seldom. The interval of a mean allows for flights that no run has shown
// (MeanInterval). The interval of a share is Wilson's, and that of a quantile uses the order statistics. It
// assumes that these are detected no farther out than the hand-over or the farthest run; for observers of the
// goal, who may recognise it anywhere, no farther out than FarthestKm. All these intervals need a number of
// runs that is fixed beforehand. Precision and Search decide from the flights when to stop, so their statements
// are valid at every stopping time: Precision uses a Sequence, Search uses e-processes, for all epsilons of a
// run at once. At a fixed time these statements hold with more than the stated confidence.
//
// MEASURED.md, in this folder, lists their measured error rates, the time and memory of flights, and the
// benchmarks that measure these.
//
// # Assumptions and limitations
//
// A flight that was never detected counts as detected at 0 km. Flights that fell back or ran out of time are
// counted like any other and reported. A tally counts how often each detection distance occurred, so its memory
// grows with the number of different distances, not of runs. Flights with a random heading all have different
// distances. With uncertain transitions, the ends of pieces are exact to BisectedTo, and a change of route that
// is undone between two plans is missed. Results are equal to the bit only on the same kind of processor: some
// fuse multiplication and addition, and round once where others round twice.
package study
