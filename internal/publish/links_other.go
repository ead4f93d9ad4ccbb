//go:build !unix

package publish

import "io/fs"

// links returns 1, because the system does not count the names of a file.
func links(fs.FileInfo) uint64 { return 1 }
