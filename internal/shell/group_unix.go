//go:build unix

package shell

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own: an interrupt of this program at a terminal does not interrupt
// the command, and what the command has started can be killed with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill kills a command that was started, and all that it has started.
func Kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // which fails where nothing of it runs any more
}
