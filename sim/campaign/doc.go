// Package campaign answers the questions of the command line, in memory or in folders.
//
// A verb is a file or a few: a request, a question and an answer. An [Asker], such as a [Study] of flights, [Costs],
// a [Leak] or an [Audit], gives its [Question], whose answer depends only on the settings, the request and the program.
// [Program.Do] answers it in a folder: the finished pieces of the work are kept there, so that the same call goes on
// after an interruption, a crash or a full disk. A [Part] of a question keeps its pieces alone, and [Program.Merge]
// joins the parts. An answer is data: package answer says what it has, and every format shows the same. [Program.Fly]
// does all this for a study, [Program.Read] reads a finished one, and [Program.Flight] flies one of its runs.
//
// The example of [Program] is a short complete program: it flies a mission with its own mechanism and observer, on
// all cores, into a folder that every verb of the command line reads. [Program.Do] does the same for costs and
// leakage.
//
// The bytes written depend on the question alone, not on the number of workers, parts or interruptions.
package campaign
