package page

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// fakeGo is a go command.
const fakeGo = `#!/bin/sh
case "$1" in
env) echo "$PWD/goroot" ;;
build)
  if grep -q broken pkg/a.go; then echo '# pkg' >&2; echo 'pkg/a.go:1: syntax error' >&2; exit 1; fi
  while [ "$1" != -o ]; do shift; done; cp pkg/a.go "$2" ;;
esac
`

func fakeBuilder(t *testing.T) *builder {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for the go command is a shell script")
	}
	b := &builder{source: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache")}
	b.command = filepath.Join(b.source, "go")
	write(t, b, "go", fakeGo)
	write(t, b, "go.mod", "module veilpath\n")
	write(t, b, "pkg/a.go", "package a")
	write(t, b, "goroot/lib/wasm/wasm_exec.js", "loader")
	return b
}

func write(t *testing.T, b *builder, name, text string) {
	t.Helper()
	path := filepath.Join(b.source, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// A failed build gives an error of one line and leaves no file.
func TestBuildFails(t *testing.T) {
	b := fakeBuilder(t)
	write(t, b, "pkg/a.go", "broken")
	_, err := b.build(context.Background())
	if err == nil || !strings.Contains(err.Error(), "pkg/a.go:1: syntax error") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	entries, err := os.ReadDir(b.cache)
	if err != nil || len(entries) != 0 {
		t.Errorf("left in the cache: %v (%v)", entries, err)
	}
}

func TestBuilderFindsWhatItNeeds(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := newBuilder("."); err == nil || !strings.Contains(err.Error(), "no go command") {
		t.Errorf("without a go command: %v", err)
	}
	b := fakeBuilder(t)
	t.Setenv("PATH", b.source)
	if _, err := newBuilder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "sources") {
		t.Errorf("outside the sources: %v", err)
	}
	if found, err := newBuilder(filepath.Join(b.source, "pkg")); err != nil || found.source != b.source {
		t.Errorf("within the sources: %+v, %v", found, err)
	}
}

// The program is the one that was built, and is compressed for a site once.
func TestProgramIsPackedOnce(t *testing.T) {
	b := fakeBuilder(t)
	for _, told := range []int{1, 0} {
		bundle, err := b.build(context.Background())
		if err != nil || string(bundle.program) != "package a" || string(bundle.loader) != "loader" {
			t.Fatalf("%q, %q, %v", bundle.program, bundle.loader, err)
		}
		err = bundle.pack(func(string, ...any) { told-- })
		got, wrong := io.ReadAll(brotli.NewReader(bytes.NewReader(bundle.packed)))
		if err != nil || wrong != nil || string(got) != "package a" || told != 0 {
			t.Errorf("the packed program is %q, %v, %v; %d messages are missing", got, err, wrong, told)
		}
	}
}
