// Package record keeps what studies and flights came to: the manifest that says how to repeat them, the journal of
// what was flown, and the folders that hold all files. Package table writes tables as CSV; package parquet below
// encodes them as Parquet.
//
// An answer appears whole or not at all: its files are written under temporary names beside their own, synced to disk
// and renamed together, the manifest last. Equal inputs give equal bytes, whatever the machine or the number of
// workers; the manifest's fields wall_time_s and workers are the only ones that tell runs of the program apart.
//
// # Assumptions and limitations
//
// Folders are for one writer at a time, which the lock of an open file tells. What a manifest lists is checked by
// hash where it is read.
package record
