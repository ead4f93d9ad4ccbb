// Package columnar checks Parquet files before the library that reads them sees them, since that believes what a file
// says of its own lengths: a small file could take all memory.
package columnar
