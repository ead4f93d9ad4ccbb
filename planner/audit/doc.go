// Package audit tests whether a mechanism keeps its promise, from its releases alone.
//
// A Claim is a promise: (epsilon, delta) for tables that differ in one entry by at most b and, for Gaussian noise, its
// sigma. There are two kinds of evidence about a mechanism:
//
//   - Entry: many releases of a table and as many of its neighbour, with one number from each. How well the two can
//     be distinguished is measured at the optimal threshold (mu), and where they differ most (EpsilonLow and MuLow,
//     the latter over the whole trade-off curve), with bounds that hold for any mechanism.
//   - Joint: releases of whole tables in which a coin decides whether each entry is raised by b. Guesses of all coins
//     show entries with too little noise. A guess of one coin by those who know all others shows noise that entries
//     share, which they read off the other entries. Correlations between releases and between entries show noise that
//     is used more than once, which no test of one entry can detect.
//
// A Report has the evidence, the tests and the verdict. A release may be the reward, or anything computed from it: see
// Publication.
//
// # Promise and description
//
// Broken means that the releases contradict (epsilon, delta): a test says so only if every mechanism that keeps the
// promise passes it. Not as described means that they contradict something else that is claimed: sigma, normal tails,
// or independent noise for every entry and every release. Post-processing such as a moving average may contradict the
// description, but it never breaks the promise. Releases must be independent of each other. Entries of one release may
// depend on each other under (epsilon, delta), so numbers that pool entries concern the description alone.
//
// # How sure
//
// Every test gets an equal share of the false alarm rate, so that is the largest probability that a mechanism that is
// as described is not called consistent. Shares of correct guesses are binomial. The p-value of mu is the largest over
// its possible false positive rates (Berger and Boos 1994). EpsilonLow is a lower bound at 95 % confidence for any
// mechanism (Clopper and Pearson 1934, each side at 97.5 %); a tenth of the releases chooses where it looks, and is not
// used again. Joint.EpsilonLow is such a bound too: of the guesses of one coin, each has an equal share of the 5 %.
// Where there are both, each has half of the 5 %.
// Correlations are rank correlations. Their distribution is sampled over all orders, for any distribution
// of the noise; the limit for large tables is used only if that takes longer than mostWork. Normality of recorded
// noise, if it is promised, is tested with simulated values of Lilliefors' statistic. Values that repeat are events, as
// half-lines are. Noise that releases use again is found by the correlation of two releases, and in tables of 2 to 10
// entries by equal noise in all entries, whatever its law. At a rate of 1 %, if one release of all repeats another, 4
// entries show it from 6 releases on, 3 from 10 and 2 from some 60; if all noise is used twice, 4 entries from 14, 3
// from 40 and 2 from some 1,500. Tables of one entry do not show it.
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
//	    4x4    4.3    2.3    0.0
//	   5x40    5.7    3.7    0.7
//	    8x2    2.7    1.3    0.0
//	    8x3    6.3    3.3    1.0
//	    8x4    6.7    3.7    1.3
//	    8x6    5.0    3.0    0.7
//	  8x100    4.0    2.3    0.3
//	  12x12    8.3    4.0    0.7
//	   16x3    4.3    2.7    1.0
//	  20x20    6.7    4.7    0.7
//	   30x2    2.7    1.3    0.3
//	  30x10    5.3    3.0    1.0
//	   60x5    5.0    2.7    0.7
//	  60x60    6.7    4.0    1.0
//	  100x3    3.3    2.0    0.3
//	  200x2    2.7    1.3    0.3
//
// Faults found in 60 audits at 1 %, in percent, for epsilon 1 (go test -run '^$' -bench PowerOfTables -benchtime 60x
// ./planner/audit): sigma halved, sigma 10 % low, one release used twice, neighbours that share noise, an entry
// without.
//
//	releases x entries   halved   low   reused   shared   missing
//	 12 x 12                  8     0       83      100         0
//	 30 x 40                100     0      100      100       100
//	 60 x 300               100    38      100      100       100
//
// Mechanisms with a guarantee, audited by 4,000 releases of two neighbours each, and those on rewards and on rows of
// probabilities by 30 of whole tables, at a stated 1 %: alarms in 1,000 audits of each, and how many of 1,000 are found
// with half of their noise (go test -run '^$' -bench BenchmarkMechanisms -benchtime 1000x ./planner/audit).
//
//	mechanism        alarms   found at half
//	release               4            1000
//	input                 9            1000
//	output                9            1000
//	output-l1             9            1000
//	laplace               3            1000
//	laplace-output        3            1000
//	bounded               8            1000
//	bounded-output        8            1000
//	policy                5            1000
//	transitions           5            1000
//	goal                  3            1000
//	parameter             3            1000
//
// Rows that are drawn with the same random numbers are called broken by 98 of 100 audits with 60 releases of whole
// tables of four rows, and by 100 of 100 of eight rows (go test -run '^$' -bench SharedRows -benchtime 100x
// ./planner/audit). 30 releases are too few.
//
// A release is what privatize publishes. For one agent an output has the noise of its input. A mechanism is held to its
// own law: Gaussian noise to its mu, and any other to its distribution function, by the largest difference to that of
// the releases (Massart 1990).
//
// # Assumptions and limitations
//
// Of mechanisms on rows of probabilities one row is looked at closely, and all rows by releases of whole tables. Of a
// row the share of its smallest component in that and its largest is read. Consistent means that these tests found
// nothing, with the power that is listed above. Releases are taken as repetitions of one experiment. The guess that
// learns from other entries takes the mean noise of all of them, or that of one, off an entry, or compares a row with
// the most similar one; a mechanism that reveals an entry only through several others in another way passes.
package audit
