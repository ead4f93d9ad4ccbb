// Package audits runs audits in folders: whether a mechanism keeps its promise.
//
// [New] checks a [Request]. The [Audit] that it returns is work that campaign.Program.Job turns into a job. It
// audits the mechanism of the settings, or an external one that gives a file of its releases or a command that
// makes them. Package planner/audit has the tests and the verdict.
package audits
