package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// viewerPackage is the package of the page's program.
const viewerPackage = "./cmd/veilpath-view"

// The names of the program and its loader. A site has the program compressed too, with the extensions .gz and .br.
const (
	wasmName   = "viewer.wasm"
	loaderName = "wasm_exec.js"
)

// Bundle is the page's program with its loader.
type Bundle struct {
	program, loader []byte
	packed          []byte // the program as small as brotli makes it; nil where it is still to be packed
	cache           string // folder in which it is kept then
}

// id names the program by its content.
func (b *Bundle) id() string {
	sum := sha256.Sum256(b.program)
	return hex.EncodeToString(sum[:8])
}

// builder holds the paths for building.
type builder struct {
	source  string // root of the module's sources
	cache   string // folder for what is built of them
	command string // the go command
}

// newBuilder finds the sources at or above the given places, the cache and the go command.
func newBuilder(places ...string) (*builder, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, errors.New("building the page needs the Go toolchain, and there is no go command in PATH; install Go " +
			"from https://go.dev/dl")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("there is no cache folder for the built page: %w", err)
	}
	for _, place := range places {
		if source, ok := moduleAbove(place); ok {
			own := sha256.Sum256([]byte(source))
			return &builder{source, filepath.Join(cache, "veilpath", "page", hex.EncodeToString(own[:8])), command}, nil
		}
	}
	return nil, errors.New("building the page needs veilpath's sources, which were not found; run the command in " +
		"their folder")
}

// moduleAbove returns the nearest folder at or above a path that is the root of the module veilpath.
func moduleAbove(place string) (string, bool) {
	for {
		text, err := os.ReadFile(filepath.Join(place, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module veilpath\n")) {
			return place, true
		}
		above := filepath.Dir(place)
		if above == place {
			return "", false
		}
		place = above
	}
}

// build compiles the program. The go command leaves one as it is that is up to date.
func (b *builder) build(ctx context.Context) (bundle Bundle, err error) {
	if err := os.MkdirAll(b.cache, 0o755); err != nil {
		return bundle, fmt.Errorf("compiling the page: %w", err)
	}
	root, err := b.run(ctx, "env", "GOROOT")
	if err != nil {
		return bundle, err
	}
	goroot, wasm := strings.TrimSpace(string(root)), filepath.Join(b.cache, wasmName)
	overlay, err := lean(goroot, b.cache)
	if err != nil {
		return bundle, err
	}
	if _, err := b.run(ctx, "build", "-overlay="+overlay, "-trimpath", "-ldflags=-s -w", "-o", wasm,
		viewerPackage); err != nil {
		return bundle, fmt.Errorf("compiling the page: %w", err)
	}
	bundle.cache = b.cache
	if bundle.program, err = os.ReadFile(wasm); err == nil {
		bundle.loader, err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", loaderName))
	}
	if err != nil {
		return bundle, fmt.Errorf("the built page cannot be read: %w", err)
	}
	return bundle, nil
}

// largestWindow is the largest window that every browser's decoder has, as a power of two.
const largestWindow = 24

// pack compresses the program for browsers as small as it gets, once.
func (b *Bundle) pack(tell func(format string, args ...any)) (err error) {
	if b.packed != nil {
		return nil
	}
	at := filepath.Join(b.cache, wasmName+".br-"+b.id())
	if b.packed, err = os.ReadFile(at); err == nil {
		return nil
	}
	tell("compressing the page, once; this takes about 45 s on an idle core …")
	var packed bytes.Buffer
	w := brotli.NewWriterOptions(&packed, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: largestWindow})
	if _, err = w.Write(b.program); err == nil {
		err = w.Close()
	}
	if err = errors.Join(err, writeFile(at, packed.Bytes())); err != nil {
		return fmt.Errorf("compressing the page: %w", err)
	}
	b.packed = packed.Bytes()
	return nil
}

// run runs the go command for WebAssembly in the sources and returns its output. An error contains the first line
// of the command's error output.
func (b *builder) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.command, args...)
	cmd.Dir = b.source
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=-buildvcs=false")
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for line := range strings.Lines(complaint.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") &&
			!strings.HasPrefix(line, "go: downloading") {
			return nil, fmt.Errorf("go %s: %s", args[0], line)
		}
	}
	return nil, fmt.Errorf("go %s: %w", args[0], err)
}
