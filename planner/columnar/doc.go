// Package columnar checks Parquet files before the Parquet library reads them. The library trusts the lengths
// that a file states, so a small file could exhaust the memory.
package columnar
