//go:build viewer || js

package main

import "runtime/debug"

// built is the version that the program was built of; empty where that is not known.
func built() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "(devel)" {
		return ""
	}
	return info.Main.Version
}
