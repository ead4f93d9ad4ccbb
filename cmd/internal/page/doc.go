// Package page builds the viewer's web page and serves it with a folder of recorded runs.
//
// Build compiles the WebAssembly with the Go toolchain, once for each state of the sources: the files are kept under a
// hash of them. Export writes a site of plain files for any web server. Server hands out the page, compressed, and
// below data/ what the page reads of the recordings of one folder. Serve answers requests until it is stopped.
//
// # Assumptions and limitations
//
// The server is for one user on one machine. It listens on a loopback address, answers GET and HEAD only,
// and only requests that name a loopback host, so that a web site cannot reach it under a name of its own.
// Nothing outside the folder can be read, also through symbolic links, and of the folder only the files
// that the page needs, none of them hidden. Connections that are idle or slow are closed.
package page
