// Package campaign keeps work on disk: studies above all, and what else is asked of them and of their problems.
//
// A [Request] is resolved once to a [Plan]: the settings of every point of a sweep, which part of it to fly, and until
// when. A [Session] flies a plan, goes on where another one stopped, and writes the files of the study; what it flew is
// in a journal from the moment it is flown, so a session that is interrupted, killed or out of disk loses nothing.
// [Program.Fly] does all of that for a folder. [Program.Merge] joins the parts of a study that was shared out,
// [Program.Read] reads a study back, [Program.Refly] repeats one of its flights, and [Program.NewTuning] finds the
// epsilon that meets a requirement.
//
// [Program.Costs] does and resumes studies of costs. [Program.NewLeak], [Program.NewReleases], [Program.NewAudit],
// [Program.NewTuning] and [Program.NewReproduction] prepare work that [Program.Job] makes a job of, see package job.
// [Program.Compare] tells how two answers differ.
//
// The shortest whole program of one's own is in the example of [Program]: a mechanism that makes plans private, an
// observer and a mission, flown on all cores into a folder that every verb of the command line reads. [Program.Do] does
// the same for costs and leakage.
//
// The bytes written depend on the plan alone, not on the number of workers, parts or interruptions.
package campaign
