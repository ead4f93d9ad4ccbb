//go:build unix

package external

import (
	"io"
	"os/exec"
	"syscall"
)

// ownGroup gives a command a process group of its own: who interrupts this program at a terminal does not interrupt
// the command, and what the command has started can be killed with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill kills a command that was started, and all that it has started.
func kill(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // which fails where nothing of it runs any more
}

// waiting returns the beginning of what a pipe holds already. It does not wait.
func waiting(pipe io.Reader) []byte {
	file, ok := pipe.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := file.SyscallConn()
	if err != nil {
		return nil
	}
	var text [256]byte
	n := 0
	err = raw.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), text[:]) // fails where nothing waits
		return true
	})
	if err != nil {
		return nil
	}
	return text[:max(n, 0)]
}
