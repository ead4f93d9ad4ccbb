// Package reward reads and writes reward tables as CSV.
//
// A table has one of two layouts, and is written in the layout in which it was read:
//
//   - long: a header of the columns state, action and reward, in any order, and agent where there are
//     several; one row for every entry;
//   - wide: one row per state and one column per action, either numbers only, or under a header whose first
//     cell is state, the column of the names of the states, and whose others name the actions. A header of
//     action names alone is read as one where the reader is asked to.
//
// Cells are separated by commas or semicolons; a byte order mark, either line end and headings in capitals
// are accepted. Names of agents, states and actions are any text.
//
// # What is private
//
// Rewards are private, names are not. Nothing else is kept, so that a table of other rewards can be published as Write
// writes it:
//
//   - an unknown column is an error, and so is a heading with a digit in it, which may be a reward;
//   - errors name the row and the column of a cell, never its content;
//   - rows are written in the order of the names, not of the file, which may have been sorted by reward.
//     Only actions keep their order: that of the header, or the one that every state lists them in.
//
// # Assumptions and limitations
//
// Every agent has a reward in every state for each of its actions: missing, repeated and infinite entries are errors.
// All agents share the states. A table is held in memory; a file of more than MaxBytes is refused.
package reward
