// Package record stores the results of studies and flights: the manifest that says how to repeat them, the journal of
// finished work, and the folders that hold all files. Package table writes tables as CSV. Package parquet, below this
// one, encodes them as Parquet.
//
// An answer appears whole or not at all: its files are written under temporary names, synced to disk and renamed
// together, the manifest last. Equal inputs give equal bytes on every machine and with every number of workers. Only
// the manifest's fields wall_time_s and workers differ between runs of the program.
//
// # Assumptions and limitations
//
// A folder has one writer at a time, which holds a lock on an open file. The files that a manifest lists are checked by
// hash when they are read.
package record
