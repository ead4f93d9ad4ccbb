//go:build !release

package page

// The page of a released program. Other programs build it from the sources.
var embeddedProgram, embeddedLoader []byte
