// Package record writes what studies and flights came to: the runs as Parquet, the summary and the
// trajectory as CSV, the manifest that says how to repeat them as JSON.
//
// A file appears whole or not at all: it is written under a temporary name beside its own, synced to
// disk and renamed. Equal inputs give equal bytes, whatever the machine or the number of workers; the
// manifest's fields wall_time_s and workers are the only ones that tell runs of the program apart.
//
// # Assumptions and limitations
//
// Runs are written in the order given, in row groups as they come, so memory does not grow with a study.
package record
