// Package cost measures what privacy costs: how much of a problem's optimal value at the start policies lose that are
// planned for private rewards, over epsilon and for several mechanisms on the same noise (arXiv 2309.12476, Section 6).
// Any problem of package planner will do. A run is one draw of noise, which all epsilons and mechanisms share; it does
// not depend on how many runs there are nor on who does it.
//
// The shortest whole program is the example of Study. Table makes files of its summaries, and package campaign keeps
// costs in folders.
package cost
