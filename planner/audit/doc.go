// Package audit tests whether a mechanism keeps its promise, from its releases alone.
//
// A Claim is a promise: (epsilon, delta) for inputs that differ in one entry by at most b and, for Gaussian noise, its
// sigma. One comparison gives the evidence, see Claim.Compare: one number from each of many releases of two inputs that
// the mechanism may not tell apart. Inputs are such pairs: a reward table and its neighbour, two rows of probabilities,
// or two goals. Of recorded releases and those of commands, coins decided which entries were raised, and three kinds of
// numbers are compared: all entries, one entry of each release, and one entry less what can be read off the others.
//
// Three more tests concern noise, which is what a release has more than its input: that it has the stated law, that no
// value repeats, and that no two releases have the same. A Report has the evidence, the tests and the verdict.
//
// # Promise and description
//
// Broken means that the releases contradict (epsilon, delta): a test says so only if every mechanism that keeps the
// promise passes it. Not as described means that they contradict something else that is claimed: sigma, normal noise,
// or independent noise for every entry and every release. Post-processing such as a moving average may contradict the
// description, but it never breaks the promise. Releases must be independent of each other. Entries of one release may
// depend on each other under (epsilon, delta), so numbers that pool entries concern the description alone.
//
// # How sure
//
// Every test gets an equal share of the false alarm rate, so that is the largest probability that a mechanism that is
// as described is not called consistent. p-values of epsilon and mu are the largest over the possible false positive
// rates (Berger and Boos 1994). EpsilonLow is a lower bound at 95 % confidence for any mechanism (Clopper and Pearson
// 1934, each side at 97.5 %); a tenth of the releases chooses where it looks, and is not used again. Bounds from
// several kinds of numbers share the 5 %. Noise is tested against its law by its sum of squares, which is chi-squared,
// and by the largest distance of the distribution functions (Massart 1990); both leave room for rounding. Noise of two
// releases is the same if it is equal in every entry, which tests the releases for any law of the noise.
//
// In 300 audits of noise that is as described, of each of 21 sizes from 2 releases of 2 entries to 60 of 60 and of
// normal, rounded, Laplace and Cauchy noise, at most 5.3, 3.0 and 1.0 % alarmed at stated rates of 10, 5 and 1 %
// (go test -tags long -run '^$' -bench FalseAlarms -benchtime 300x ./planner/audit).
//
// Releases of tables of 10 entries that find a fault in nine of ten audits at 1 %, for epsilon 1 with sigma stated, and
// how many the best test takes that knows the fault (go test -run '^$' -bench ReleasesNeeded ./planner/audit):
//
//	fault                              this audit   best
//	sigma halved                                3      2
//	sigma 10 % low                             89     60
//	2 % of the entries without noise           31     12
//	one entry of 10 without noise               5      1
//	one normal for two entries                 31      1
//	noise clipped at 3 sigma                  254     86
//	one release used twice                      3      2
//
// Tables of fewer entries take more releases to show one that is used twice: 6 of 4 entries, 10 of 3, some 60 of 2.
// Tables of one entry never show it, since noise that comes again may be discrete.
//
// # Assumptions and limitations
//
// A mechanism is held to its own law: Gaussian noise to sigma, and any other to its distribution function. Of
// mechanisms on rows of probabilities one row is compared. Consistent means that these tests found nothing, with the
// power that is listed above. Releases are taken as repetitions of one experiment. What is read off other entries is a
// multiple of the noise of one of them or of their mean; a mechanism that reveals an entry only through several others
// in another way passes.
package audit
