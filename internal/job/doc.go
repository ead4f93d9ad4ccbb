// Package job runs resumable work in a folder.
//
// A Job is work whose answer depends only on its manifest. Its pieces are done in a fixed order, and each result
// is appended to a journal in the folder. A job that was interrupted, killed or stopped by a full disk resumes
// after these results when it is run again. The journal is removed once the answer is written. A job can be
// divided into parts for several machines, whose results are then joined.
package job
