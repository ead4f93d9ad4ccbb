// Package problem reads files of decision problems: it turns the files of other planning tools into problems of
// package planner.
//
// [Read] determines the format from the ending of the file's name:
//
//   - .json, gymnasium's toy-text dictionary: {"state": {"action": [[probability, next, reward, terminated]]}};
//   - .csv, one row per outcome: state, action, next, probability, reward, by names or numbers;
//   - .drn, Storm's direct encoding;
//   - .npz, NumPy arrays P[A,S,S] or Q[S,A,S], and R[S], R[S,A] or R[A,S,S];
//   - .yaml, a team: agents with one problem each, or one table of their rewards.
//
// Use .csv, .drn or .json for a million states: they are read in memory in proportion to the outcomes, see
// BenchmarkMillionStates. .npz is for smaller problems: it holds every pair of states.
//
// Text formats are also read compressed, with .gz at the end of the name: see [Unzipped].
//
// To add a format, write one file with its reading, and a line in formats.
//
// # What a problem is
//
// Numbered states are in ascending order, named states in the order of the file. States may have different
// actions: an action that a state does not have has the reward -Inf. A state without actions, or in which a file says
// that episodes end, is terminal: absorbing, with reward 0. Terminal states are public, so mechanisms add no noise
// there: an agent of a team has no noise in its own terminal states, and the joint reward has none where all agents
// are in terminal states. A reward that depends on the next state becomes its expectation, which is all that plans and
// mechanisms use; repeated outcomes are added up. A reward of -0 is read as 0 in every format.
//
// # What is assumed
//
// A row of probabilities in a text may miss 1 by 1e-5, and one of an array by 1e-6, which is what float32 can hold. It
// is divided by its sum. What misses 1 by more is an error, as is everything that a problem cannot hold: nothing is
// left out or assumed that the first of the problem's Remarks does not say. An error names the file, the line, the
// state and the action.
package problem
