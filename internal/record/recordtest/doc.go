// Package recordtest provides a file system in memory for tests of recorded results. Any operation can fail, be
// the last one before the process is killed, or wait for another process. A power failure loses unsynced changes.
package recordtest
