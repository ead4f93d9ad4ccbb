// Command veilpath-view plays a flight back, shows why its destination was recognised, and lets the user
// tune epsilon against the observer's radius by hand, in a desktop window or, compiled to WebAssembly, as
// a web page.
//
//	go run -tags viewer ./cmd/veilpath-view [DIR|FILE]   a window; needs a display and a C compiler
//	go run ./cmd/veilpath view [DIR]                     the same as a page; needs the Go toolchain only
//
// A story is told step by step with the live view. One's own is a JSON file: story.json beside the page, a file dropped
// on it, or --story FILE of the window.
//
//	{"title": "...", "steps": [{"title": "...", "text": "At ε {epsilon} ...", "show": "privacy.epsilon=0.4&run=3&t=60"}]}
//
// Show is what follows the # of a link, which #story=N leads to: what else such a link says goes over it. The text
// stands for what is shown; once other settings, another flight or another map are on show, the step says so instead.
// Names in braces stand for numbers and words on screen:
//
//	{epsilon} {radius} {run}  the settings in force, the radius in km, and the number of the flight
//	{shown}                   where the flight on show is recognised, in words
//	{direct} {planned}        the distances at which the run's direct and planned flights are recognised, km
//	{mean} {noise}            that at which flights are recognised on average, km; what noise does to it, in words
//	{detour} {cost}           how much longer the flight is than the planned one, and what the plan loses of its value, %
//	{humps}                   the humps of the distribution, in sentences
//	{bits} {prior}            what the observer of the goal has left to learn, of what there was, bits
//
// Package model is what is shown, ui the widgets, draw the meshes, screen the layout; none of them needs a
// display. Package view shows a screen with ebiten, package page builds and serves the web page.
package main
