//go:build unix

package record

import (
	"errors"
	"os"
	"syscall"
)

// lock locks the file for this process until it is closed or the process ends.
func lock(file *os.File) (err error) {
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return ErrBusy
		}
		return nil // a file system without locks
	}
	return nil // closing the file releases it
}
