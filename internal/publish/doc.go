// Package publish releases private rewards and policies of problems: [Rewards] and [Joint] return the tables that
// Algorithms 1 and 2 of the paper (arXiv 2309.12476) perturb, [Plan] computes the policy, and [Files.Write] writes
// a release with its guarantee. A [Ledger] keeps the privacy budget of all releases of one table.
//
// # What is published
//
// Files and errors depend on rewards only through the mechanism. In addition to private rewards, or the policy planned
// for them, they show public data: transitions, the actions of each state, where episodes end, and names, in an order
// that does not depend on the file.
//
// # Assumptions and limitations
//
// A ledger holds no hash of the rewards, because anyone could check a guess of the rewards against it. It
// identifies the table by its names, so it is correct only if its owner uses it for that table alone. The names are
// hashed with a random key that only the ledger holds, and only the owner may read its file. A guarantee shows the
// ledger's seal, which covers the key, so that nobody can check a guess of the names or of other releases against it.
// Whoever reads the ledger can.
//
// The seal shows edits and damage. An owner could seal an edited ledger again, or restore an old copy. Every guarantee
// names its place in the ledger, so two guarantees with the same place reveal that.
package publish
