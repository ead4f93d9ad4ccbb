// Package recording finds and reads what the viewer shows of a folder: the manifests, summaries and
// configurations that run, study and tune left in it and in the folders below.
//
// The window, the page and its server see a folder through this package, so that all three offer and refuse
// the same. Files are bounded before they are read, and only regular files are opened: a pipe that is named
// like a manifest is passed over.
//
// # Assumptions and limitations
//
// Folders more than three deep, hidden ones, and entries beyond the first 20,000 are not looked at.
package recording
