// Package mdp holds finite Markov decision processes and the dynamic programs that solve them.
//
// A Law is a transition law: Model (sparse rows), SlipModel (one successor per action and a slip), or
// Joint (a team of agents that move independently). Rewards are a separate table, because the point of the
// project is to solve the same law under many privatized rewards. Tables are flat and state-major: entry
// state*actions+action, the order of the paper's vector R^i (arXiv 2309.12476, Section 3).
//
// A Solver returns a policy and a value with a certificate, Solution.Bound, that holds in spite of
// rounding. NewSolver picks the fastest for a law; the choice is between
//
//   - Functional: exact policy iteration, when every transition is certain;
//   - PolicyIteration: exact evaluation by elimination, for narrow bands such as grids of a few hundred cells;
//   - ModifiedPolicyIteration: sweeps, for large grids and for teams;
//   - ValueIteration: the reference, and the sweeps that the paper counts.
//
// Reduced solves what is left of a problem with certain moves between two solves of it, when rewards are a line
// in one number. An Evaluator computes the value of any policy, and CostOfPrivacy compares two.
//
// # Assumptions and limitations
//
// States and actions are finite. A state that does not have an action has the reward -Inf for it, and some transition,
// such as to itself; every state has an action. Rewards are maximised and discounted by a factor strictly between 0
// and 1; the paper's limit of 1 has no finite value. Ties go to the lowest action, up to rounding (Functional: to the
// action it already holds). A row of probabilities may miss 1 by 1e-9; certificates then refer to the row as it is,
// and so does the value. Joint problems hold their full reward table in memory.
package mdp
