// Package cost measures what privacy costs: the share of a problem's optimal value at the start that is lost by
// policies planned for private rewards, over epsilon and for several mechanisms with the same noise (arXiv
// 2309.12476, Section 6). It works for any problem of package planner. A run is one draw of noise, which all
// epsilons and mechanisms share. It does not depend on the number of runs or on the worker.
//
// The example of Study is the shortest complete program. Table makes a table of its summaries, and package
// campaign keeps costs in folders.
package cost
