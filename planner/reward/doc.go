// Package reward reads and writes reward tables as CSV.
//
// A table comes in one of two layouts, and is written back in the one it came in:
//
//   - long: a header that names the columns state, action and reward, in any order, and agent where there
//     are several; one row for every entry;
//   - wide: one row per state and one column per action, numbers only, or under a header of action names; a
//     first column headed state holds the names of the states.
//
// Names of agents, states and actions are any text. They are numbered in the order of their first row.
//
// # Assumptions and limitations
//
// Every agent is rewarded in every state for every one of its actions: entries that are missing, repeated or
// not finite are errors, none is filled in. All agents share the states. A table is held in memory.
package reward
