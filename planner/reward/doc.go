// Package reward reads and writes reward tables as CSV.
//
// A table has one of two layouts, and is written in the layout in which it was read:
//
//   - long: a header with the columns state, action and reward, in any order, and agent if there are several;
//     one row per entry;
//   - wide: one row per state and one column per action. It has only numbers, or a header with state as its
//     first cell, for the column of the states' names, and the action names as its other cells. On request, the
//     first row is read as a header of action names only.
//
// Cells are separated by commas or semicolons; a byte order mark, either line end and headings in capitals
// are accepted. Names of agents, states and actions are any text.
//
// # What is private
//
// Rewards are private, names are public. A Table keeps nothing else, so the output of Write with other rewards
// may be published:
//
//   - an unknown column is an error, and so is a heading with a digit, which may be a reward;
//   - errors name the row and the column of a cell, never its content;
//   - agents, states and actions are written in the order of their names, not of the file, which may be sorted by
//     reward. In a file without names, the position of a row or of a column is the state's or the action's name.
//
// # Assumptions and limitations
//
// Every agent has a reward in every state for each of its actions: missing, repeated and infinite entries are
// errors. All agents share the states. A table is held in memory; a file of more than MaxBytes is refused.
package reward
