// Package comparison compares the studies in two folders.
//
// [Compare] reads both folders and computes the differences at every place, which is an epsilon and the swept
// settings. Runs with the same noise are compared run by run. A [Condition] is a limit on a difference.
package comparison
