// Package model is what the viewer shows, without showing it: the settings, one flight to play back, the
// ensemble around it, the map of epsilon and radius, and a clock.
//
// A Model owns an experiment and a pool. Changing epsilon plans and flies the shown flight at once and
// has the pool refly the ensemble; changing the radius flies nothing, because every flight keeps the
// detection step function that answers for all radii. Advance moves the clock and takes over what the pool
// has flown. The pool works in goroutines of its own; on a page, which has one thread, its goroutine rests
// often enough for frames to be drawn in time.
//
// Observers of the goal plan and learn for seconds before they can watch. Settings that need that are refused by an
// error which Await prepares for: it has the work done beside the frames, and the settings asked for again after it.
//
// The numbers are those of package study: the same draws, flown by study.Flyer, gathered in the order of
// their runs in a study.Tally.
//
// # Assumptions and limitations
//
// The fan draws the first FanRuns runs of an ensemble. Recorded runs are flown again from their manifest,
// which gives the same bits on the same kind of processor; the record's own summary, where there is one,
// is compared and a difference is shown.
package model
