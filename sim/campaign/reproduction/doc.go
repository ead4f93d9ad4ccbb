// Package reproduction recomputes the numbers of the paper, in folders.
//
// The [Reproduction] that [New] returns is work that campaign.Program.Job turns into a job. Package
// internal/reproduce has the items and judges them.
package reproduction
