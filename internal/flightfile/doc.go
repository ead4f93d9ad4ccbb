// Package flightfile has the formats of files about flights, except the table of runs: summaries as CSV, and the
// columns of steps and of detection curves.
package flightfile
