// Package parquet writes tables of package table as Parquet files and reads them back, and tables of other programs.
//
// A table is columns over rows of one Go type. Names, units and meanings go into the file, where Arrow finds them as
// metadata of the fields. Equal rows give equal bytes, however they are handed over. What is read is bounded by the
// number of rows that the caller knows of before the Parquet library sees it, so a damaged or hostile file is refused
// and takes little memory.
//
// # Assumptions and limitations
//
// Rows are written in the order given, in row groups as they come, so memory does not grow with a study. Two row
// groups are encoded at once beside the one that fills.
package parquet
