// Package flightfile has the files that flights are told in but for their runs: summaries as CSV, and the columns of
// steps and of detection curves.
package flightfile
