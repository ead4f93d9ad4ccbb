package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// shellNames are programs whose >&- closes the standard output of a command.
var shellNames = []string{"sh", "bash", "dash", "ash", "busybox", "zsh", "ksh", "mksh", "fish"}

// StandardOutput returns the standard output. Each write fails if the shell closed it with >&-. Go opens /dev/null in
// the place of a closed standard output before any code of the program, for reading and writing. A shell's
// >/dev/null only writes, and a program that discards output does the same as Go. So the output counts as closed where
// it is such a /dev/null, the parent is a shell, and the shell's own output is another. Where there is no /proc it
// never does.
func StandardOutput() io.Writer {
	parent := filepath.Join("/proc", strconv.Itoa(os.Getppid()))
	name, err := os.ReadFile(filepath.Join(parent, "comm"))
	shell := err == nil && slices.Contains(shellNames, strings.TrimSpace(string(name)))
	if shell && discards("/proc/self") && !discards(parent) {
		return closed{}
	}
	return os.Stdout
}

// discards reports whether the standard output of a process, a folder of /proc, is /dev/null for reading and writing.
func discards(process string) bool {
	if path, err := os.Readlink(filepath.Join(process, "fd/1")); err != nil || path != os.DevNull {
		return false
	}
	about, err := os.ReadFile(filepath.Join(process, "fdinfo/1"))
	_, flags, _ := strings.Cut(string(about), "flags:")
	var mode int
	if _, scan := fmt.Sscanf(flags, "%o", &mode); err != nil || scan != nil {
		return false
	}
	return mode&(os.O_WRONLY|os.O_RDWR) == os.O_RDWR
}

// errClosed is the error of a write to a closed standard output.
var errClosed = errors.New("standard output is closed; redirect it, to " + os.DevNull + " if nobody reads it")

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errClosed }
