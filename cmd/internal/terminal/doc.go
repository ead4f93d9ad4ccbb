// Package terminal contains the printing and the flags that verbs of the command line share.
//
// A Printer prints the sections of answers within the width of the terminal. Count formats a number in a sentence.
// Whole and Number are flags for numbers, with the syntax of settings. Progress shows the progress of a long job,
// Output remembers the first error of printing, and ReadAtMost ends with its context. FlagError, NoSuchVerb and
// Suggestion describe errors of a command line in one line.
//
// # Assumptions and limitations
//
// A terminal of unknown width counts as 80 columns wide.
package terminal
