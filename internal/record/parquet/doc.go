// Package parquet writes tables of package table as Parquet files, and reads them back.
//
// A table has columns over rows of one Go type. The file contains the names, units and meanings of columns;
// Arrow's readers show them as metadata of the fields. Equal rows give equal bytes, in any number of calls.
//
// # Assumptions and limitations
//
// Rows are written in order, one row group at a time, so memory does not grow with the number of rows. One row
// group is encoded while the next one fills.
package parquet
