// Package campaign runs studies, and everything else that is computed from them and their problems, and keeps the work
// on disk.
//
// A [Request] is resolved once to a [Plan]: the settings of every point of a sweep, which part of it to fly, and when
// to stop. A [Session] flies a plan, continues an interrupted one, and writes the files of the study. Finished flights
// are in a journal, so a session that is interrupted, killed or out of disk space loses nothing. [Program.Fly] does all
// of that for a folder. [Program.Merge] joins the parts of a shared study, [Program.Read] reads a study,
// [Program.Refly] repeats one of its flights, and [Program.NewTuning] finds the epsilon that meets a requirement.
//
// [Program.Costs] makes and resumes studies of costs. [Program.NewLeak], [Program.NewReleases], [Program.NewAudit],
// [Program.NewTuning] and [Program.NewReproduction] prepare work that [Program.Job] turns into a job, see package job.
// [Program.Compare] computes how two answers differ.
//
// The example of [Program] is the shortest complete program: a mechanism, an observer and a mission, flown on all cores
// into a folder that every verb of the command line reads. [Program.Do] does the same for costs and leakage.
//
// The bytes written depend on the plan alone, not on the number of workers, parts or interruptions.
package campaign
