// Package audit tests whether a mechanism keeps its promise, from its releases alone.
//
// A Claim is what is promised: (epsilon, delta) for tables that differ in one entry by at most b and, of Gaussian
// noise, its sigma. Two ways to watch a mechanism give evidence:
//
//   - Entry: many releases of a table and as many of its neighbour, one number read off each. How well the
//     two can be told apart is measured at the optimal threshold (mu), and wherever they differ most (EpsilonLow
//     and MuLow, the latter over the whole trade-off curve), with bounds that hold for any mechanism.
//   - Joint: releases of whole tables in which a coin decides of every entry whether it is raised by b. Guesses
//     of all coins show entries with too little noise; how releases and entries go together shows noise
//     that is used more than once, which no test of one entry can see.
//
// A Report has the evidence, the tests that were made of it and the verdict. What is released may be the
// reward, or anything computed from it: see Publication.
//
// # How sure
//
// Every test gets an equal share of the false alarm rate, so a mechanism that keeps its promise is called broken with
// at most that probability. EpsilonLow is a lower bound at 95 % confidence whatever the mechanism (Clopper and Pearson
// 1934, each side at 97.5 %); where it looks is chosen on a tenth of the releases that is not used again.
//
// # Assumptions and limitations
//
// Consistent means that these tests saw nothing, with the power that is told beside them. Releases are taken as
// repetitions of one experiment. Post-processing never alarms, since it tells less: all tests are bounds on
// what may be told, or of independence. Guesses read one entry each; a mechanism that leaks an entry only in
// what it does to others passes.
package audit
