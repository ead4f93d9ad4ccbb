// Package record has the manifest, which says how results were made and how to repeat them, and reads the files of a
// results folder. Package pieces writes them; package table writes tables as CSV; package parquet, in a folder of this
// package, writes them as Parquet.
//
// Equal inputs give equal bytes on every machine and with any number of workers, except the manifest's fields
// wall_time_s and workers. Reading a file that a manifest lists checks its hash.
package record
