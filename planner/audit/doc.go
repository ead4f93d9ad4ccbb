// Package audit tests whether a mechanism keeps its promise, from its releases alone.
//
// A Claim is what is promised: (epsilon, delta) for tables that differ in one entry by at most b and, of Gaussian
// noise, its sigma. Two ways to watch a mechanism give evidence:
//
//   - Entry: many releases of a table and as many of its neighbour, one number read off each. How well the
//     two can be told apart is measured at the optimal threshold (mu), and wherever they differ most (EpsilonLow
//     and MuLow, the latter over the whole trade-off curve), with bounds that hold for any mechanism.
//   - Joint: releases of whole tables in which a coin decides of every entry whether it is raised by b. Guesses
//     of all coins show entries with too little noise; how releases and entries go together, all of them and the
//     closest two, shows noise that is used more than once, which no test of one entry can see.
//
// A Report has the evidence, the tests that were made of it and the verdict. What is released may be the
// reward, or anything computed from it: see Publication.
//
// # Promise and description
//
// Broken is what contradicts (epsilon, delta): a test says so only if every mechanism that keeps that promise passes
// it. Not as described is what contradicts something else that is said of the mechanism: its sigma, normal tails, noise
// of its own for every entry and every release. Post-processing may undo a description, as a moving average does, and
// never breaks a promise. Releases are taken to be made one apart from the other. Entries of one release may go
// together under (epsilon, delta), so numbers that are pooled over entries speak of the description alone.
//
// # How sure
//
// Every test gets an equal share of the false alarm rate, so a mechanism that is as described is called anything but
// consistent with at most that probability. Shares of guesses are binomial. Mu has the largest probability over what
// its false positives may be (Berger and Boos 1994). EpsilonLow is a lower bound at 95 % confidence whatever the
// mechanism (Clopper and Pearson 1934, each side at 97.5 %); where it looks is chosen on a tenth of the releases that
// is not used again. Correlations are those of ranks, whose distribution over all orders is drawn from, whatever the
// noise is distributed like; only where that takes longer than mostWork is the limit of large tables used. Whether
// recorded noise is normal, where that is promised, is told by the draws of Lilliefors' statistic. Values that are
// released again and again are events like half-lines are.
//
// Alarms in 300 audits of noise that is as described, in percent, at stated rates of 10, 5 and 1 %, for releases x
// entries, the largest of normal, Laplace and Cauchy noise; the standard error of 1 % is 0.6
// (go test -run '^$' -bench FalseAlarms -benchtime 300x ./planner/audit):
//
//	size      at 10 %   5 %    1 %
//	    2x2    0.0    0.0    0.0
//	    2x3    0.0    0.0    0.0
//	  2x200    3.0    1.3    0.7
//	    3x2    0.0    0.0    0.0
//	    3x3    0.7    0.0    0.0
//	    4x4    4.3    2.7    0.0
//	   5x40    5.7    3.7    0.7
//	    8x2    3.0    1.3    0.0
//	    8x3    7.0    3.7    1.0
//	    8x4    6.7    4.3    1.7
//	    8x6    5.3    3.0    0.7
//	  8x100    4.0    2.3    0.3
//	  12x12    8.3    4.0    0.7
//	   16x3    5.7    3.0    1.0
//	  20x20    7.3    5.0    1.0
//	   30x2    3.7    2.0    0.3
//	  30x10    6.3    3.3    1.3
//	   60x5    6.3    3.0    1.0
//	  60x60    6.7    5.0    1.0
//	  100x3    4.7    2.3    0.3
//	  200x2    4.0    2.0    0.3
//
// Faults found in 60 audits at 1 %, in percent, for epsilon 1 (go test -run '^$' -bench PowerOfTables -benchtime 60x
// ./planner/audit): sigma halved, sigma 10 % low, one release used twice, neighbours that share noise, an entry
// without.
//
//	releases x entries   halved   low   reused   shared   missing
//	 12 x 12                  8     0       83      100         0
//	 30 x 40                100     0      100      100       100
//	 60 x 300               100    37      100      100       100
//
// # Assumptions and limitations
//
// Consistent means that these tests saw nothing, with the power that is told beside them. Releases are taken as
// repetitions of one experiment. Guesses read one entry each; a mechanism that leaks an entry only in
// what it does to others passes.
package audit
