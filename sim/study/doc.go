// Package study runs Monte Carlo studies of the detection distance: many privatized policies per
// epsilon, each flown and observed, and what they come to in numbers.
//
// An Experiment is one configuration of the closed loop, immutable and shared. A Flyer flies single runs
// of it in buffers of its own. A Study is epsilons x runs of an experiment; Study.Do flies them on all
// cores and hands the records on in order, and a Summary condenses them.
//
// Randomness enters at one place, the noise z of the Gaussian mechanism, addressed by (seed, run), so a
// record depends on the experiment, the seed, the run's number and its epsilon and on nothing else: not
// on the number of workers, nor on which runs came before. With common noise all epsilons of a run share
// z, scaled by their sigma, which makes their differences far less noisy than themselves; with
// independent noise every epsilon draws its own.
//
// # Assumptions and limitations
//
// A flight that was never detected counts as detected at 0 km. Flights that fell back or ran out of time
// are counted like any other and reported as such. A summary keeps 8 bytes a run for exact quantiles.
package study
