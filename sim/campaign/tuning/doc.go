// Package tuning finds the epsilons that meet a demand, in folders.
//
// [New] searches with flights for a demand on the detection distance and the cost, [NewCosts] with policies of any
// problem for a demand on the cost, and [NewLeak] with flights for a demand on what an observer of the goal
// learns. What they return is work that campaign.Program.Job turns into a job. All say which epsilons are shown to
// meet the demand, which are shown not to, and which are undecided.
package tuning
