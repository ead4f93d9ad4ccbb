// Package release makes private versions of reward tables that may be published, and states the promise that holds for
// them.
//
// New perturbs every agent's table, or the joint table, with the exact mechanisms of package privacy. Write writes the
// result in the layout of the original, and Statement states its guarantee.
//
// # What may be published
//
// The output of Write and the Statement depend on the rewards only through the mechanism. They also contain the names
// of agents, states and actions, and so their numbers. An error says at most
// that some reward cannot be released.
//
// # Assumptions and limitations
//
// The guarantee is for one entry of one agent and for one release: see package privacy, in particular
// ReleasesSigma for several releases and GroupPrivacy for tables that differ in more than one entry.
package release
