// Package parquet writes tables of package table as Parquet files, and reads them and tables of other programs.
//
// A table has columns over rows of one Go type. The file contains the names, units and meanings of columns;
// Arrow's readers show them as metadata of the fields. Equal rows give equal bytes, in any number of calls. The
// caller knows the number of rows, and the file is checked against it before the Parquet library reads it. A
// damaged or hostile file is therefore refused with little memory.
//
// # Assumptions and limitations
//
// Rows are written in order, one row group at a time, so memory does not grow with the number of rows. One row
// group is encoded while the next one fills.
package parquet
