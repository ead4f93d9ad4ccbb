// Package campaign runs studies and other work of the command line, and stores it on disk.
//
// A [Program] has the version, disk, clock and commands of all work. A [Request] for a study is resolved to a
// [Plan]: the settings of every point of a sweep, the part to fly, and the stopping rule. A [Session] flies a
// plan, continues an interrupted one, and writes the files of the study. Finished flights are in a journal, so a
// session that is interrupted, killed or out of disk space loses none of them. [Program.Fly] resolves, flies and
// writes a study in one call. [Program.Merge] joins the parts of a divided study, [Program.Read] reads a study,
// and [Program.Refly] repeats one of its flights.
//
// Other work is a [Resumable], which [Program.Job] turns into a job, see package job, and [Program.Do] does in a
// folder. The packages below this one have it: audits, benchmarks, costs, leaks, reproduction and tuning. Package
// comparison compares the results in two folders. Every answer is an [Answer], which says in sections of sentences
// and tables what people read of it.
//
// The example of [Program] is a short complete program: it flies a mission with its own mechanism and observer, on
// all cores, into a folder that every verb of the command line reads. [Program.Do] does the same for costs and
// leakage.
//
// The bytes written depend on the plan alone, not on the number of workers, parts or interruptions.
package campaign
