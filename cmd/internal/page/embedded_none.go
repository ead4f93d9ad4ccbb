//go:build !release

package page

// The page of a released program; others build it from the sources.
var embeddedProgram, embeddedLoader []byte
