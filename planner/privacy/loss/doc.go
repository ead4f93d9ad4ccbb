// Package loss adds up what releases of the same data reveal together, whatever their mechanisms: Gaussian
// and discrete Gaussian noise, and mechanisms of which only a guarantee (epsilon, delta) is known.
//
// A mechanism is described by its two hardest neighbours: the distributions P and Q of its output for two
// neighbouring tables that are the easiest to distinguish, at every epsilon (a dominating pair; Zhu, Dong and Wang
// 2022, Definition 7). The privacy loss is L = log P(x)/Q(x) for x drawn from P, and
//
//	delta(epsilon) = E[max(0, 1 - exp(epsilon-L))].
//
// The losses of several releases add up, also if each release is chosen after seeing those before (their Theorem
// 10). So the law of a sum of independent losses says what all releases spend together (Sommer, Meiser and
// Mohammadi 2019; Koskela, Jalko and Honkela 2020).
//
//   - [Loss]: [Gaussian], [DiscreteGaussian], [Guarantee].
//   - [Epsilon] bounds the epsilon of several losses from above.
//
// # How the bound is computed
//
// Each loss is moved to a grid of losses. An interval's probability is split between the interval's ends so
// that both P and Q keep theirs: the discrete delta(epsilon) joins the true one's values on the grid by straight
// lines in exp(epsilon), and lies above it, because the true one is convex (Doroshenko, Ghazi, Kamath, Kumar and
// Manurangsi 2022). The sum's law is a product of Fourier transforms. Equal guarantees have a closed form.
//
// A Fourier transform is accurate relative to the largest probability, and delta is far smaller. So probabilities
// are first weighted by exp(t L), with t such that losses near the epsilon in question are the likely ones, and
// divided by the weights afterwards. What the finite grid leaves out is bounded by Chernoff's inequality under the
// weighted law; it and a margin for rounding are added to the bound.
//
// # Assumptions and limitations
//
// Every loss has the same law for (P, Q) and (Q, P), as with noise that is symmetric about the value. For one
// release after another on the same two neighbours, as in a ledger, no more is needed. A loss below 1e-40 of
// probability counts as infinite.
package loss
