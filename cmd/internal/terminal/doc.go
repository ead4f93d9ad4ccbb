// Package terminal has what the verbs of a command line share: how they print and what their flags take.
//
// A table of Columns fits 80 characters and explains its own headings; Answers are single numbers with their
// meanings. WriteTable, WriteAnswers and WriteJSON write for people and programs, Decimals, Percent, Span and Count
// a number in a sentence. Whole and Number are flags that take numbers as settings are written. Progress shows how
// far a long job is, Output remembers what could not be printed, and ReadAtMost and Interruptible end when the user
// says so. What is wrong with a command line is told in one line by FlagMistake, NoSuchVerb and Suggestion.
//
// # Assumptions and limitations
//
// Terminals are at least 80 columns wide; progress fits narrower ones.
package terminal
