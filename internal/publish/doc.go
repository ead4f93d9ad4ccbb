// Package publish releases private rewards and policies of problems: [Rewards] and [Joint] are the tables that
// Algorithms 1 and 2 of the paper perturb (arXiv 2309.12476), [Plan] computes the policy, and [Files.Write] writes a
// release with its promise. A [Ledger] keeps the budget of all releases of one table.
//
// # What is published
//
// Files and errors depend on rewards only through the mechanism. In addition to private rewards, or the policy planned
// for them, they show public data: transitions, the actions of each state, where episodes end, and names, in an order
// that does not depend on the file.
//
// # Assumptions and limitations
//
// A ledger cannot check to whom the rewards of a problem belong: a hash of the rewards would confirm a guess of them.
// It identifies the table by its names, and it is correct as long as its owner keeps both together. Its seal shows
// edits and damage. It does not stop an owner who seals it again or restores an old copy, but every promise names its
// place in the ledger, so two promises with the same place reveal that.
package publish
