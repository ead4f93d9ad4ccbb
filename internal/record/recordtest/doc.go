// Package recordtest is a file system in memory for tests of what becomes of results: any operation can be made
// to fail, be the last one, or wait for another process, and a power failure loses what was not synced.
package recordtest
