// Package record stores results in folders: the manifest, which says how to repeat them, the journal of unfinished
// work, and all other files. Package table writes tables as CSV; package parquet, in a folder of this package,
// writes them as Parquet.
//
// The files of an answer appear all together or not at all: they are written under temporary names, synced to disk
// and then renamed, the manifest last. Equal inputs give equal bytes on every machine and with any number of
// workers, except the manifest's fields wall_time_s and workers.
//
// # Assumptions and limitations
//
// A folder has one writer at a time, which holds a lock on an open file. Reading a file that a manifest lists
// checks its hash.
package record
