//go:build unix

package shell

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own, which Cancel kills: an interrupt of this program at a terminal
// does not interrupt the command, and what the command has started is killed with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // which fails if nothing of the group runs any more
		return nil
	}
}
