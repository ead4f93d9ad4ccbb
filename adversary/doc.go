// Package adversary holds the observers who try to name a vehicle's destination while it flies, and the
// rule by which they succeed.
//
// An Observer foresees, at every step of a flight's History, where it ends; its PredictionErrors are how far
// from the target that lies. Who recognised the destination when follows from the errors alone, and for
// every radius at once: the Curve is the step function radius -> Detection. Studies, surveys and the viewer
// all ask it. Models lists the observers by the names that settings choose them by: a new one is a file
// with its type and a line there.
//
// A GoalObserver infers the goal instead: its Belief is the posterior of the goal given all seen so far, from what
// it knows of the planner (Knowledge) and that waypoints end at the hand-over distance. Stand says how the true
// goal does in it. GoalModels lists those. A Belief is an Observer too: its prediction error is the radius round the
// target within which half of the posterior lies, so that one rule says who recognised when.
//
// # Assumptions and limitations
//
// Observers of the end measure without error and know the final time, unless their doc says otherwise. Which of them
// recognises soonest depends on the flight; none is the best one possible. Prediction errors are judged against the
// true target, which the observer does not know: the rule marks when its best guess has settled on the target, not when
// it could be sure.
package adversary
