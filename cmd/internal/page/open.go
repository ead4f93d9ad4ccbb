package page

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"

	"veilpath/cmd/internal/recording"
)

// CheckFolder says what keeps a folder from being shown; no folder, "", is fine.
func CheckFolder(folder string) error {
	if folder != "" {
		if info, err := os.Stat(folder); err != nil {
			return fmt.Errorf("%s cannot be opened: %w", folder, errors.Unwrap(err))
		} else if !info.IsDir() {
			return fmt.Errorf("%s is no folder; name the one that run or study wrote", folder)
		}
		if len(recording.List(os.DirFS(folder))) == 0 {
			return fmt.Errorf("%s holds no recording; name the folder that run, study or tune wrote, or one that holds such folders", folder)
		}
	}
	return nil
}

// OpenBrowser opens the address in a browser if the system knows one.
func OpenBrowser(address string) {
	commands := [][]string{{"xdg-open", address}}
	switch runtime.GOOS {
	case "darwin":
		commands = [][]string{{"open", address}}
	case "windows":
		commands = [][]string{{"rundll32", "url.dll,FileProtocolHandler", address}}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
	}
	for _, c := range commands {
		if program, err := exec.LookPath(c[0]); err == nil && exec.Command(program, c[1:]...).Start() == nil {
			return
		}
	}
}
