// Package problem reads and writes files of decision problems: what people plan with already becomes a problem of
// package planner, and goes back.
//
// [Read] knows a format by the ending of the file's name:
//
//   - .json, gymnasium's toy-text dictionary: {"state": {"action": [[probability, next, reward, terminated]]}};
//   - .csv and .parquet, a row an outcome: state, action, next, probability, reward, by names or numbers;
//   - .tra, PRISM's and Storm's transitions, with the .trew, .srew and .lab of the same name beside it;
//   - .drn, Storm's direct encoding;
//   - .mdp and .POMDP, Cassandra's grammar;
//   - .npz, NumPy arrays P[A,S,S] or Q[S,A,S], and R[S], R[S,A] or R[A,S,S];
//   - .yaml, a team: agents with a problem each, or one table of their rewards.
//
// A million states go into .tra, .csv, .parquet, .drn or .json, which are read in bounded memory beside the problem,
// see BenchmarkMillionStates; .npz holds every pair of states, and Cassandra's grammar may write over what it said
// before, so that both are for smaller ones.
//
// Text formats are also read compressed, with .gz at the end of the name: see [Unzipped].
//
// Another format is one file with its reading and writing, and a line in formats.
//
// # What a problem is
//
// Numbered states are in ascending order, named ones in that of the file. States may have different actions: an
// entry that a state lacks has the reward -Inf. A state that ends an episode is terminal: absorbing, with reward 0.
// Which states are terminal is public, so mechanisms add no noise there: of a team no agent's own where it is in a
// terminal state of its own, and none to the joint reward where all are.
// A reward that depends on the next state is held as its expectation, which is all that plans and mechanisms use;
// outcomes that a file repeats are added up. A reward of -0 is read as 0 in every format. Rows of probabilities that
// miss 1 by more than 1e-9 are refused, never normalised. An error names the file, the line, the state and the action.
// What a format cannot hold, [Write] refuses or tells.
package problem
