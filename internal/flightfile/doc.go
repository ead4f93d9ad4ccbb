// Package flightfile defines the files about flights: summaries as CSV, and the columns of steps and of detection
// curves. Package runfile defines the table of runs.
package flightfile
