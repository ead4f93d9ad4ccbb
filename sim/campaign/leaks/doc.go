// Package leaks runs studies of what observers learn about the goal, in folders.
//
// [New] checks a [Request] for flights, and [NewReleases] one for released rewards or policies. The [Leak] that
// they return is work that campaign.Program.Job turns into a job. Package sim/leak computes the bits.
package leaks
