// Package release makes private versions of reward tables that may be published, and says what is promised
// about them.
//
// New perturbs every agent's table, or the joint one, with the exact mechanisms of package privacy. Write writes it
// in the layout of the original, and Statement says which guarantee holds for it.
//
// # What may be published
//
// What Write writes and all of the Statement depend on the rewards through the mechanism alone. Beside that
// they tell the names of agents, states and actions, and so how many there are. An error tells the row and the
// column of a reward in the original, and that it is out of range.
//
// # Assumptions and limitations
//
// The guarantee is for one entry of one agent and for one release: see package privacy, in particular
// ReleasesSigma for several releases and GroupGuarantee for tables that differ in more than one entry.
package release
