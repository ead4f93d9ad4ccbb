// Package mdp holds finite Markov decision processes and the dynamic programs that solve them.
//
// A Law is a transition law: Model (sparse rows), SlipModel (one successor per action and a slip), or Joint (a
// team of agents that move independently). Rewards are a separate table, because the same law is solved under
// many privatized rewards. Tables are flat and state-major: entry state*actions+action, the order of the
// paper's vector R^i (arXiv 2309.12476, Section 3).
//
// A Solver returns a policy and a value with a certificate, Solution.Bound, that includes rounding. NewSolver
// chooses the fastest solver for a law among
//
//   - Functional: exact policy iteration, for deterministic transitions;
//   - policy iteration with exact evaluation by elimination, for narrow bands such as grids of a few hundred cells;
//   - modified policy iteration by sweeps, for large grids and for teams.
//
// ValueIteration is the reference, whose sweeps the paper counts.
//
// If rewards are linear in one number sigma, Reduced solves a deterministic problem between two solved values
// of sigma. An Evaluator computes the value of any policy, and CostOfPrivacy compares two.
//
// # Assumptions and limitations
//
// States and actions are finite. An action that a state does not have has the reward -Inf and any transition,
// such as to the state itself; every state has at least one action. Rewards are maximised and discounted by a
// factor strictly between 0 and 1; with the paper's limit of 1, values are infinite. Ties go to the lowest
// action, up to rounding (Functional: to its current action). A row of probabilities may differ from 1 by 1e-9;
// the value and the certificate then refer to the row as given. Joint problems hold their full reward table in
// memory.
package mdp
