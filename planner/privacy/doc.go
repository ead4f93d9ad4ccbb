// Package privacy makes reward tables differentially private and computes what this costs: the noise for a guarantee
// and the guarantee of a noise, the change of the reward, whether its goals survive, and how many more sweeps value
// iteration takes. It holds the mechanisms and Theorems 1 to 6 of "Differentially Private Reward Functions in Policy
// Synthesis for Markov Decision Processes" (arXiv 2309.12476), and the exact value beside every bound.
//
// The parts, each a file or two:
//
//   - Calibration, Delta, Epsilon: noise from privacy and back, by the paper's
//     Lemma 1 and exactly (Balle and Wang 2018); ReleasesSigma and its inverses
//     for k releases of one reward.
//   - Shape, Rewards, Mechanism, Linear: Algorithms 1 and 2, and the interfaces of other mechanisms.
//   - MaxErrorBound and the other measures: Theorem 3 and Corollary 1.
//   - Goals, Team: Theorem 5 and the exact probability.
//   - Convergence: Theorems 4 and 6 and the exact expectation.
//   - Design: all of these for one problem, and the inverse questions.
//   - Laplace, BoundedGaussian, Dirichlet: other noise, for rewards and for rows of probabilities; Promise says
//     what each guarantees, and of what.
//   - GoalMechanism: draws the goal itself at random instead of perturbing the reward.
//   - Noise, Address: the fast, seeded normals of studies.
//   - Release, DiscreteGaussian, Entropy: a table that may be published.
//
// Package loss adds up what releases of different mechanisms spend together.
//
// Types separate studies from releases. Noise is repeatable and adds floating-point normals, whose low bits can
// betray the reward (Mironov 2012); the results of a study are about privacy, but they are not private. Release
// draws discrete Gaussian noise from the system's randomness with integers only (Canonne, Kamath and Steinke
// 2020) and accepts no generator.
//
// # Assumptions and limitations
//
// Two reward tables are neighbours if they differ in one entry by at most the adjacency b (the paper's Definition 3;
// its Section 3 restates it with an "and" that must be an "or"). A change of several entries is covered only by group
// privacy. Input perturbation protects one entry of every agent, output perturbation one entry of one agent. delta = 0
// and epsilon = 0 ask for infinite noise under Lemma 1 and are refused, as are NaN and infinities everywhere.
//
// Mechanism perturbs rounded real numbers: the guarantee holds for the mathematics, not for the program. Release covers
// one agent's own table (Algorithm 1), one release at a time: its certificate is for that release, and the exact
// composition of several releases is for continuous noise, which k discrete releases match only closely. Its running
// time depends on the noise drawn. Rewards are assumed not to depend on the randomness, and table sizes to be public.
//
// Exact expectations and probabilities take joint entries as independent where their name says so. Entries that
// share a local action share its noise; the Simulated functions include this. Survival and sweeps concern the
// reward and the formula for K, not the policy, which may stay the same when the reward does not.
//
// Streams of Noise are the same on every machine, bit for bit.
package privacy
