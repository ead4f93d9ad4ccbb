// Package runfile has the tables of a study's runs in Parquet: runs.parquet has a row for every flight, axis.parquet
// one for every piece of a run on a range of epsilon.
//
// columns.md, beside this file, lists the columns of all files of veilpath.
package runfile
