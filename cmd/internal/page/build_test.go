package page

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
)

// fakeGo is a go command that records each build.
const fakeGo = `#!/bin/sh
case "$1" in
list)
	echo "$PWD/pkg/a.go" ;;
env) if [ "$2" = GOROOT ]; then echo "$PWD/goroot"; else echo go1.0; fi ;;
build) echo build >> builds
  if grep -q broken pkg/a.go; then echo '# pkg' >&2; echo 'pkg/a.go:1: syntax error' >&2; exit 1; fi
  while [ "$1" != -o ]; do shift; done; cp pkg/a.go "$2" ;;
esac
`

func newBuilder(t *testing.T) *Builder {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the go command is a shell script")
	}
	b := &Builder{Source: t.TempDir(), Cache: filepath.Join(t.TempDir(), "cache")}
	b.Go = filepath.Join(b.Source, "go")
	write(t, b, "go", fakeGo)
	write(t, b, "go.mod", "module veilpath\n")
	write(t, b, "go.sum", "")
	write(t, b, "pkg/a.go", "package a")
	write(t, b, "goroot/lib/wasm/wasm_exec.js", "loader")
	return b
}

func write(t *testing.T, b *Builder, name, text string) {
	t.Helper()
	path := filepath.Join(b.Source, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func builds(t *testing.T, b *Builder) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.Source, "builds"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "build")
}

// A version of the sources is built once, and another version is built again.
func TestBuildsOnce(t *testing.T) {
	b := newBuilder(t)
	first, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{wasmName, loaderName} {
		if _, err := os.Stat(filepath.Join(first.Folder, name)); err != nil {
			t.Errorf("the bundle lacks %s: %v", name, err)
		}
	}
	second, err := b.Build(context.Background())
	if err != nil || second.Folder != first.Folder || !second.Cached || builds(t, b) != 1 {
		t.Errorf("built again: %+v, %d builds, %v", second, builds(t, b), err)
	}
	write(t, b, "pkg/a.go", "package a // edited")
	third, err := b.Build(context.Background())
	if err != nil || third.Folder == first.Folder || third.Cached || builds(t, b) != 2 {
		t.Errorf("an edit: %+v, %d builds, %v", third, builds(t, b), err)
	}
}

// A failed build gives an error of one line and leaves no file.
func TestBuildFails(t *testing.T) {
	b := newBuilder(t)
	write(t, b, "pkg/a.go", "broken")
	_, err := b.Build(context.Background())
	if err == nil || !strings.Contains(err.Error(), "pkg/a.go:1: syntax error") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	entries, err := os.ReadDir(b.Cache)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in the cache: %v (%v)", entries, err)
	}
}

func TestOldBundlesAreForgotten(t *testing.T) {
	b := newBuilder(t)
	for name, age := range map[string]time.Duration{"building-1": 2 * keptFor, "old": 2 * keptFor, "new": keptFor / 2} {
		at, folder := time.Now().Add(-age), filepath.Join(b.Cache, name)
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chtimes(folder, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	bundle, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(b.Cache)
	if err != nil || len(left) != 2 || left[0].Name() != filepath.Base(bundle.Folder) && left[1].Name() !=
		filepath.Base(bundle.Folder) {
		t.Errorf("left are %v (%v), want the new ones", left, err)
	}
}

func TestBuilderFindsWhatItNeeds(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := NewBuilder("."); err == nil || !strings.Contains(err.Error(), "no go command") {
		t.Errorf("without a go command: %v", err)
	}
	b := newBuilder(t)
	t.Setenv("PATH", b.Source)
	if _, err := NewBuilder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "sources") {
		t.Errorf("outside the sources: %v", err)
	}
	if found, err := NewBuilder(filepath.Join(b.Source, "pkg")); err != nil || found.Source != b.Source {
		t.Errorf("within the sources: %+v, %v", found, err)
	}
}

// The program of a site is compressed once.
func TestSitesArePackedOnce(t *testing.T) {
	b := newBuilder(t)
	bundle, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := pack(bundle, t.Logf); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(bundle.Folder, wasmName+".br"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(text))); err != nil || string(got) != "package a" {
			t.Errorf("the packed program is %q, %v", got, err)
		}
		if err := os.WriteFile(filepath.Join(bundle.Folder, wasmName), nil, 0o644); err != nil {
			t.Fatal(err) // which a second compression would read
		}
	}
	if entries, err := os.ReadDir(b.Cache); err != nil || len(entries) != 1 {
		t.Errorf("the cache holds %v, %v", entries, err)
	}
}
