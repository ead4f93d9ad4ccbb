//go:build viewer && !js

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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

func run(args []string) error {
	flags := flag.NewFlagSet("veilpath-view", flag.ContinueOnError)
	flags.Usage = func() {}
	light := flags.Bool("light", false, "")
	size := flags.String("size", "1280x800", "")
	zoom := flags.Float64("zoom", 1, "")
	flags.SetOutput(io.Discard) // main says what is wrong
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return nil
	case err != nil:
		return err
	}
	var width, height int
	if _, err := fmt.Sscanf(*size, "%dx%d", &width, &height); err != nil || width < 1 || height < 1 {
		return fmt.Errorf("--size %s: want WIDTHxHEIGHT, such as 1280x800", *size)
	}
	if !(*zoom >= 0.5 && *zoom <= 4) {
		return fmt.Errorf("--zoom %v: want 0.5 to 4", *zoom)
	}
	if flags.NArg() > 1 {
		return fmt.Errorf("%d arguments; want one folder or file", flags.NArg())
	}
	return show(flags.Arg(0), width, height, *zoom, !*light)
}

// usage is the help that was requested.
const usage = `usage: veilpath-view [flags] [DIR|FILE]

DIR or FILE: what veilpath run, study or tune wrote with --out, or a YAML configuration.

  veilpath-view out/study-001

  --light              begin with the light theme
  --size WIDTHxHEIGHT  of the window (default 1280x800)
  --zoom FACTOR        enlarge everything, by 0.5 to 4 (default 1)
`

// show runs the window until it is closed.
func show(path string, width, height int, zoom float64, dark bool) error {
	m, err := model.New(configs.Default(), model.Workers{Goroutines: 1}, time.Now)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := screen.New(m, shell{}, dark, time.Now)
	if err != nil {
		return err
	}
	game := &view.Game{Screen: s, Zoom: zoom}
	s.Version = version.Number
	if path != "" {
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
	if path == "" {
		s.Begin()
	}
	title := ""
	game.Each = func(*view.Game) {
		if now := s.Status(); now != title {
			title = now
			ebiten.SetWindowTitle(title)
		}
	}
	ebiten.SetWindowSize(width, height)
	ebiten.SetWindowResizingMode(ebiten.WindowResizingModeEnabled)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	ebiten.SetScreenClearedEveryFrame(false)
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
