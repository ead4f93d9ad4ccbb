// Package benchmarks measures ways to hide against observers of the goal, in folders.
//
// [New] prepares a suite. The [Benchmark] that it returns is work that campaign.Program.Job turns into a job with
// a row per mission, way and strength. [CheckRows] measures the rows of a file again, and [Submit] writes rows so
// that they can be published. Package internal/benchmark measures a row.
package benchmarks
