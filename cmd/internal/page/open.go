package page

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"veilpath/cmd/internal/recording"
)

// CheckFolder returns an error if a folder cannot be shown. The empty name means no folder and is valid.
func CheckFolder(folder string) error {
	if folder == "" {
		return nil
	}
	if info, err := os.Stat(folder); err != nil {
		return fmt.Errorf("%s cannot be opened: %w; name the folder that run, study or tune wrote", folder,
			errors.Unwrap(err))
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a folder; name the one that run or study wrote", folder)
	}
	entries := recording.List(os.DirFS(folder))
	if len(entries) == 0 {
		return fmt.Errorf("%s has no recording; name the folder that run, study or tune wrote, or one with such "+
			"folders", folder)
	}
	if e := entries[0]; e.Problem != "" { // those that can be shown come first
		return fmt.Errorf("%s cannot be shown: %s", filepath.Join(folder, e.Path), e.Problem)
	}
	return nil
}

// OpenBrowser opens the address in a browser if the system knows one.
func OpenBrowser(address string) {
	command := []string{"xdg-open", address}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", address}
	default:
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return
		}
	}
	_ = exec.Command(command[0], command[1:]...).Start() // the address was told
}

// Ready returns the bundle of this program: the embedded one, or that of the sources, which it builds if
// necessary. It calls tell with progress messages.
func Ready(ctx context.Context, tell func(format string, args ...any)) (Bundle, error) {
	if len(embeddedProgram) > 0 {
		return unpack(embeddedProgram, embeddedLoader)
	}
	var places []string
	if here, err := os.Getwd(); err == nil {
		places = append(places, here)
	}
	if _, source, _, ok := runtime.Caller(0); ok && filepath.IsAbs(source) {
		places = append(places, filepath.Dir(source))
	}
	b, err := newBuilder(places...)
	if err != nil {
		return Bundle{}, err
	}
	if _, err := os.Stat(filepath.Join(b.cache, wasmName)); err != nil {
		tell("building the page in %s; the first time this takes one to three minutes on two idle cores …", b.cache)
	}
	return b.build(ctx)
}

// ReadySite returns the bundle of Ready, compressed for a site.
func ReadySite(ctx context.Context, tell func(format string, args ...any)) (Bundle, error) {
	bundle, err := Ready(ctx, tell)
	if err == nil {
		err = bundle.pack(tell)
	}
	return bundle, err
}
