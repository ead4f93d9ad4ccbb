// Package runfile writes and reads the Parquet tables of a study's runs. runs.parquet has a row for every flight;
// axis.parquet has a row for every piece of a run over a range of epsilon.
//
// columns.md, beside this file, lists the columns of all files of veilpath.
package runfile
