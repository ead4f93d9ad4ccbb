// Package recording finds and reads what the viewer shows of a folder: the manifests, summaries and configurations
// of run, study and tune in it and in its subfolders, and the recorded steps of a study's flights.
//
// The window, the page and its server read folders with this package, so that all three accept the same files. The
// length of a file is bounded, and only regular files are opened: a pipe with the name of a manifest is skipped.
//
// # Assumptions and limitations
//
// Folders more than three levels deep, hidden folders, and entries after the first 20,000 are ignored.
// So are recorded steps of more than 32 MB, and those of folders that are dropped on a page, whose program does not
// read Parquet.
package recording
