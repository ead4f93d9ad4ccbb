// Package adversary holds the observers who try to name a vehicle's destination while it flies, and the
// rule by which they succeed.
//
// An observer turns a flight's History into a Track: how far its predicted final position lies from the
// target at every step. Detection follows from the track alone, and for every radius at once: the Profile
// is the step function radius -> distance to the target at which the destination was recognised.
//
// # Assumptions and limitations
//
// The observer measures position, velocity and acceleration exactly and knows the final time; any
// realistic one does worse, so its success is an upper bound (paper, Example 3). Prediction errors are
// judged against the true target, which the observer does not know: the rule marks when its best guess
// has settled on the target, not when it could be sure.
package adversary
