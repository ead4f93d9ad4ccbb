// Package parquet encodes what package record describes as Parquet tables, and reads the runs of a study back.
//
// A table is columns over rows of one Go type; names, units and meanings come from packages record and study and
// go into the file, where Arrow finds them as metadata of the fields. Equal rows give equal bytes, however
// they are handed over. What is read is bounded by what its manifest says before the Parquet library sees it,
// so a damaged or hostile file is refused and takes little memory.
//
// # Assumptions and limitations
//
// Rows are written in the order given, in row groups as they come, so memory does not grow with a study. Two row
// groups are encoded at once beside the one that fills.
package parquet
