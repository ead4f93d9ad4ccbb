// Package problem reads and writes files of decision problems: it turns the files of other planning tools into
// problems of package planner, and back.
//
// [Read] determines the format from the ending of the file's name:
//
//   - .json, gymnasium's toy-text dictionary: {"state": {"action": [[probability, next, reward, terminated]]}};
//   - .csv and .parquet, one row per outcome: state, action, next, probability, reward, by names or numbers;
//   - .tra, PRISM's and Storm's transitions, with the .trew, .srew and .lab of the same name beside it;
//   - .drn, Storm's direct encoding;
//   - .mdp and .POMDP, Cassandra's grammar;
//   - .npz, NumPy arrays P[A,S,S] or Q[S,A,S], and R[S], R[S,A] or R[A,S,S];
//   - .yaml, a team: agents with one problem each, or one table of their rewards.
//
// Use .tra, .csv, .parquet, .drn or .json for a million states: they are read in bounded memory besides the
// problem, see BenchmarkMillionStates. .npz and Cassandra's grammar are for smaller problems: .npz holds every
// pair of states, and in the grammar a later line may override an earlier one.
//
// Text formats are also read compressed, with .gz at the end of the name: see [Unzipped].
//
// To add a format, write one file with its reading and writing, and a line in formats.
//
// # What a problem is
//
// Numbered states are in ascending order, named states in the order of the file. States may have different
// actions: an action that a state does not have has the reward -Inf. A state that ends an episode is terminal:
// absorbing, with reward 0. Terminal states are public, so mechanisms add no noise there: an agent of a team
// has no noise in its own terminal states, and the joint reward has none where all agents are in terminal
// states. A reward that depends on the next state becomes its expectation, which is all that plans and
// mechanisms use; repeated outcomes are added up. A reward of -0 is read as 0 in every format. Rows of
// probabilities whose sum differs from 1 by more than 1e-9 are refused, never normalised. An error names the
// file, the line, the state and the action. [Write] refuses or reports what a format cannot hold.
package problem
