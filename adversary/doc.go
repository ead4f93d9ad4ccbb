// Package adversary has the observers, who try to recognise a vehicle's destination during its flight, and the rule
// that decides when they have recognised it.
//
// At every step of a flight's History, an Observer predicts where the flight ends. PredictionErrors are the distances
// between these predictions and the target. They determine who recognised the destination when, for every radius: the
// Curve is the step function from radius to Detection. Studies, surveys and the viewer use it. Models lists the
// observers by the names that settings use. A new observer is one file with its type, and one line in Models.
//
// A GoalObserver infers the goal. Its Belief is the posterior of the goal, given the flight so far, what the observer
// knows about the planner (Knowledge), and the fact that waypoints end at the hand-over distance. Stand compares the
// true goal with the belief. GoalModels lists the observers of the goal. A Belief is an Observer too: its prediction
// error is the radius around the target that holds half of the posterior, so one rule decides for all observers.
//
// # Assumptions and limitations
//
// Observers that predict the end of the flight measure without error and know the final time, unless their
// documentation says otherwise. Which observer recognises the destination first depends on the flight; no observer here
// is the best possible one. Prediction errors are measured from the true target, which the observer does not know: the
// rule marks when the prediction has settled on the target, not when the observer could be certain.
package adversary
