//go:build long

package main

import "testing"

// These scripts take long, and what they test rarely breaks alone.
func TestLongScript(t *testing.T) {
	t.Parallel()
	runScripts(t, "testdata/long")
}
