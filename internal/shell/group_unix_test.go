//go:build unix

package shell

import (
	"syscall"
	"time"
)

// kill0 returns an error once no process of a group is left, and nil if there still is one after a second.
func kill0(group int) (err error) {
	for range 100 {
		if err = syscall.Kill(-group, 0); err != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}
