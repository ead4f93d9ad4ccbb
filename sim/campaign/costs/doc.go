// Package costs runs studies of what privacy costs a problem, in folders.
//
// [New] checks a [Request]. The [Costs] that it returns are work that campaign.Program.Job turns into a job, whose
// results more runs extend. Package sim/cost makes the runs.
package costs
