// Package vary draws settings that differ from run to run, such as the speed of a vehicle that is known to a few per
// cent. A Variation is a setting with the distribution of its values. The value of a run depends on nothing but the
// seed, the run and the name of the setting, so it is the same at every epsilon, in the baselines of the run, and in
// every part of a study.
package vary
