// Command veilpath-view plays a flight back, shows why its destination was recognised, and lets the user
// tune epsilon against the observer's radius by hand, in a desktop window or, compiled to WebAssembly, as
// a web page.
//
//	go run -tags viewer ./cmd/veilpath-view [DIR|FILE]   a window; needs a display and a C compiler
//	go run ./cmd/veilpath view [DIR]                     the same as a page; needs the Go toolchain only
//
// Package model is what is shown, ui the widgets, draw the meshes, screen the layout; none of them needs a
// display. Package view shows a screen with ebiten, package page builds and serves the web page.
package main
