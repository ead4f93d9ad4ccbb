// Package publish makes private rewards and policies of problems public: [Rewards] and [Joint] are what Algorithms 1
// and 2 of the paper perturb (arXiv 2309.12476), [Plan] is how they end, and [Files.Write] writes a release with the
// promise that goes with it. A [Ledger] keeps the budget of all releases of one table.
//
// # What is published
//
// Files and errors depend on rewards through the mechanism alone. Beside private rewards or the policy planned for
// them they show what is public: transitions, which actions a state has, where episodes end, and names, in an order of
// their own.
//
// # Assumptions and limitations
//
// A ledger cannot tell whose rewards a problem holds: a hash of them would tell whoever guesses them. It knows the
// table by its names, and is the table's for as long as its owner keeps both. Its seal shows that it was edited or
// damaged. It does not stop an owner who seals it again or goes back to an old copy; but every promise names its place
// in the ledger, so two promises of one place show that.
package publish
