//go:build unix

package publish

import (
	"io/fs"
	"syscall"
)

// links returns the number of names, hard links, that a file has.
func links(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
