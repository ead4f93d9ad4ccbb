// Package study runs Monte Carlo studies of the detection distance: many privatized policies per
// epsilon, each flown and observed, and what they come to in numbers.
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
// The shortest whole program, with a mechanism and an observer of one's own, is the example of campaign.Program; the
// example of setup.Builder is the same without files.
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
// Of 1,000 studies drawn from 20,000 runs so many bands held the whole true curve and so many intervals the true means
// at both ends of the range, where 95 % are asked for. Each number is the least of 20: the presets paper and passage,
// each with the observers ballistic and mechanism, and the preset three-goals, on 0.2..4, 0.05..20, 4..20 and 0.2..10.
//
//	runs   bands    means
//	  10   95.9 %   99.3 %
//	  20   99.3 %   98.7 %
//	  30   99.2 %   97.5 %
//	  50   99.0 %   96.9 %
//	 100   98.8 %   97.3 %
//	 200   97.5 %   96.2 %
//	 256   97.6 %   96.7 %
//	 257   97.4 %   95.9 %
//	 300   98.4 %   96.7 %
//	1000   96.1 %   95.8 %
//	4000   94.9 %   95.4 %
//
//	go test ./sim/study -run '^$' -bench Coverage -benchtime 1000x -timeout 3h
//
// Of studies that end once a mean is known to 2 km at 95 %, at most 1 % were wrong, 300 studies each at epsilon 0.2, 1
// and 4 of the same missions and observers (go test ./sim/study -run '^$' -bench UntilErrors -benchtime 300x).
//
// An Answer of a Search is wrong where any epsilon of Met does not meet the demand or any of NotMet does. Of 1,000
// searches at 95 %, each of up to 4,000 runs drawn from 20,000 of a mission on epsilons from 0.05 to 20, so many were
// wrong; the wall is planner.keep_out [[8, 0, 8, 15]] (BenchmarkSearchErrors):
//
//	mission  demand                  wrong  of the range decided
//	preset   mean at most 56 km      0.4 %  93 %
//	preset   mean at most 59.5 km    0.0 %  89 %
//	preset   30 % within 59.5 km     0.5 %  96 %
//	preset   10 % within 30 km       0.5 %  93 %
//	preset   mean cost at most 10 %  0.6 %  99 %
//	wall     mean at most 30 km      0.3 %  94 %
//	wall     mean at most 39 km      0.4 %  84 %
//	wall     60 % within 30 km       0.2 %  93 %
//	wall     90 % within 30 km       0.5 %  98 %
//
//	go test ./sim/study -run '^$' -bench SearchErrors -benchtime 1x -timeout 1h
//
// # Where the time goes
//
// A flight depends on its waypoints alone, and of the 4,000 flights of the paper's study 309 command different ones
// before the hand-over. A route that was flown is remembered, in bounded memory, and not flown again; others fly six
// side by side, those that begin alike after each other, so that what they have in common is flown once. The plans of
// a run at many epsilons come from the pieces of its axis, 5.4 a run: four solves of the whole problem, at knots of
// equal ratio of sigma, and six small ones of what can still matter between. Of 100,000 flights, 5,000 runs at 20
// epsilons, two fifths of the time go to the solves at the knots, an eighth to what is left between them, a bit less
// than a third to the flights that are new and who observes them, a twentieth to the noise, and the rest to memory and
// records (BenchmarkTarget; BenchmarkPart has the parts). What this package and the records add to a record is a
// little over a microsecond: 0.1 for the pool of workers, 0.2 for the journal, 0.4 for the tally and its summary, 0.7
// for the Parquet table at the end (BenchmarkTally, and BenchmarkRecord in sim/record). Joining shards costs about as
// much once more, 0.3 of it to read them (BenchmarkShare in cmd/veilpath). Workers share the pool, which they touch
// once in some milliseconds, and the remembered flights, which they mostly read, so they scale with the cores: the
// floor is the solves at the knots of every run. Points of a sweep share plans and flights where those are the same.
// Common noise saves more than any of that: the difference between neighbouring epsilons has 2 (epsilon 0.2 and 0.4)
// to 25 times (3.8 and 4) less variance than with independent noise, so it takes as many times fewer flights
// (BenchmarkCommonNoise).
//
// # Memory
//
// Of an experiment's flights up to 24 MB are remembered. A worker keeps room for one long flight, 5 MB for the 36,000
// steps of the longest, and for as many usual ones as go side by side. The whole axis of 10,000, 100,000 and 1,000,000
// runs takes 83, 84 and 104 MB as a process with two workers, 21 of them the program itself.
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
