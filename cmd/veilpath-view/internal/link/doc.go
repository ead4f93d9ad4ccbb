// Package link reads and writes what the fragment of an address says of the viewer beside the settings, key by key.
package link
