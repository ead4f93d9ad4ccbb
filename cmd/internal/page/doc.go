// Package page builds the viewer's web page and serves it with a folder of recorded runs.
//
// Ready has the Go toolchain compile the WebAssembly program, or unpacks that of a released program. Export writes a
// site of plain files for any web server. Server serves the page and, under data/, the recordings of one folder. Serve
// runs the server until its context ends.
//
// # Assumptions and limitations
//
// The server is for one user on one machine. It listens on a loopback address, and answers only GET and HEAD
// requests that name a loopback host, so that a web site cannot reach it under its own name. It serves no file
// outside the folder, not even through symbolic links, and in the folder only the files that the page needs. Idle
// and slow connections are closed.
package page
