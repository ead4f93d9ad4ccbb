// Package mdp holds finite Markov decision processes and the dynamic programs that solve them.
//
// A Model is a transition law; rewards are a separate table, because the point of the project is to
// solve the same law under many privatized rewards. Tables are flat and state-major: entry
// state*actions+action, the order of the paper's vector R^i (arXiv 2309.12476, Section 3).
//
// # Assumptions and limitations
//
// States and actions are finite and every action is allowed in every state. Rewards are maximised and
// discounted by a factor strictly between 0 and 1; the paper's limit of 1 has no finite value.
package mdp
