//go:build viewer && !js

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"veilpath/cmd/internal/recording"
	"veilpath/cmd/internal/version"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/screen"
	"veilpath/cmd/veilpath-view/internal/view"
	"veilpath/configs"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "veilpath-view:", strings.ReplaceAll(err.Error(), "\n", "; "))
		os.Exit(1)
	}
}

// usage is the help that was requested.
const usage = `usage: veilpath-view [DIR|FILE]

DIR or FILE: what veilpath run, study or tune wrote with --out, or a YAML configuration.

  veilpath-view out/study-001
`

// run shows the window until it is closed.
func run(args []string) error {
	path := strings.Join(args, "")
	switch {
	case path == "-h" || path == "--help":
		fmt.Print(usage)
		return nil
	case len(args) > 1 || strings.HasPrefix(path, "-"):
		return errors.New("want one folder or file, and no flags: a larger window has larger type, and Find in it finds " +
			"\"light theme\"")
	}
	m, err := model.New(configs.Default(), model.Workers{Goroutines: 1}, time.Now)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := screen.New(m, shell{}, true, time.Now)
	if err != nil {
		return err
	}
	game := &view.Game{Screen: s}
	s.Version = version.Number
	if path == "" {
		s.Begin()
	} else {
		files, name, err := filesAt(path)
		if err != nil {
			return err
		}
		if err := m.Open(name, files); err != nil && !m.Await(err, func() { s.Open(name, files) }) {
			return err
		}
		s.Library = library(files)
	}
	m.Clock.Playing = true
	title := ""
	game.Each = func(*view.Game) {
		if now := s.Status(); now != title {
			title = now
			ebiten.SetWindowTitle(title)
		}
	}
	const width, height = 1280, 800
	ebiten.SetWindowSize(width, height)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	view.SetUp()
	if err := ebiten.RunGameWithOptions(game, &ebiten.RunGameOptions{X11ClassName: "veilpath-view",
		X11InstanceName: "veilpath-view"}); err != nil {
		return fmt.Errorf("the window cannot be shown: %w; veilpath view shows the same in a browser", err)
	}
	return nil
}

// library lists the recordings at and below a folder.
func library(files fs.FS) []screen.Entry {
	var entries []screen.Entry
	for _, e := range recording.List(files) {
		entries = append(entries, screen.Entry{Name: e.Path, Verb: e.Verb, Problem: e.Problem,
			Load: func() (recording.Files, error) { return recording.Read(files, e.Path) }})
	}
	return entries
}

// filesAt returns the files at a path: those below a folder, or the one file.
func filesAt(path string) (fs.FS, string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be opened: %w", path, errors.Unwrap(err))
	}
	if info.IsDir() {
		return os.DirFS(path), filepath.Base(filepath.Clean(path)), nil
	}
	name := filepath.Base(path)
	text, err := recording.ReadFile(os.DirFS(filepath.Dir(path)), name)
	if err != nil {
		return nil, "", fmt.Errorf("%s cannot be opened: %w", path, err)
	}
	return fstest.MapFS{name: {Data: text}}, name, nil
}

// shell is what is around a window. It implements screen.Shell.
type shell struct{}

// Share has no addresses to share.
func (shell) Share(string, func(bool)) bool { return false }

// Chooser has nothing: files are dropped on the window, or named when it is opened.
func (shell) Chooser() func(folder bool) { return nil }

// Save writes into the working folder, under the next free name.
func (shell) Save(name string, data []byte) (string, error) {
	extension := filepath.Ext(name)
	base := strings.TrimSuffix(name, extension)
	for i := 1; ; i++ {
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			name = fmt.Sprintf("%s-%d%s", base, i, extension)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.Write(data)
		return name, errors.Join(err, file.Close())
	}
}

// Film makes none: a browser has a recorder for that.
func (shell) Film() func() bool { return nil }
