// Package flightfile defines the files about flights: summaries as CSV, and the columns of steps. Package runfile
// defines the table of runs.
package flightfile
