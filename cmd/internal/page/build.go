package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
)

// viewerPackage is the package of the page's program.
const viewerPackage = "./cmd/veilpath-view"

// Bundle is the built program of the page in a folder.
type Bundle struct {
	Folder string
	Cached bool // it was already built
}

// The files of a bundle. That of a site has the program compressed too, with the extensions .gz and .br.
const (
	wasmName   = "viewer.wasm"
	loaderName = "wasm_exec.js"
)

// Builder holds the paths for building.
type Builder struct {
	Source string // root of the module's sources
	Cache  string // folder for bundles
	Go     string // the go command
}

// NewBuilder finds the sources at or above the given places, the cache and the go command.
func NewBuilder(places ...string) (*Builder, error) {
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
			return &Builder{Source: source, Cache: filepath.Join(cache, "veilpath", "viewer"), Go: command}, nil
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

// Build returns the bundle of the current sources, and builds it if necessary.
func (b *Builder) Build(ctx context.Context) (Bundle, error) {
	hash, err := b.hash(ctx)
	if err != nil {
		return Bundle{}, err
	}
	bundle, err := store(b.Cache, hash, func(work string) error { return b.make(ctx, work) })
	if err == nil && !bundle.Cached {
		b.removeOld(bundle.Folder)
	}
	return bundle, err
}

// store returns the bundle of a name in a cache. If it is not there, write writes its files, and they appear all or
// none.
func store(cache, name string, write func(folder string) error) (Bundle, error) {
	bundle := Bundle{Folder: filepath.Join(cache, name)}
	there := func() bool {
		_, err := os.Stat(filepath.Join(bundle.Folder, loaderName))
		return err == nil
	}
	if bundle.Cached = there(); bundle.Cached {
		return bundle, nil
	}
	work, err := temporary(cache)
	if err != nil {
		return Bundle{}, fmt.Errorf("storing the page: %w", err)
	}
	defer os.RemoveAll(work)
	if err := write(work); err != nil {
		return Bundle{}, err
	}
	if err := os.Rename(work, bundle.Folder); err != nil && !there() { // another program may have stored it
		return Bundle{}, fmt.Errorf("storing the page: %w", err)
	}
	return bundle, nil
}

// temporary makes a folder in a cache.
func temporary(cache string) (string, error) {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", err
	}
	return os.MkdirTemp(cache, "building-*")
}

// make writes the files of a bundle to a folder.
func (b *Builder) make(ctx context.Context, folder string) error {
	wasm := filepath.Join(folder, wasmName)
	root, err := b.run(ctx, "env", "GOROOT")
	if err != nil {
		return err
	}
	goroot := strings.TrimSpace(string(root))
	if err := b.compile(ctx, goroot, wasm); err != nil {
		return err
	}
	loader, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", loaderName))
	if err != nil {
		return fmt.Errorf("the Go toolchain's part of the page: %w", err)
	}
	return os.WriteFile(filepath.Join(folder, loaderName), loader, 0o644)
}

// compile compiles the program.
func (b *Builder) compile(ctx context.Context, goroot, wasm string) error {
	work, err := temporary(b.Cache)
	if err != nil {
		return fmt.Errorf("compiling the page: %w", err)
	}
	defer os.RemoveAll(work)
	overlay, err := lean(goroot, work)
	if err != nil {
		return err
	}
	if _, err := b.run(ctx, "build", "-overlay="+overlay, "-trimpath", "-ldflags=-s -w", "-o", wasm,
		viewerPackage); err != nil {
		return fmt.Errorf("compiling the page: %w", err)
	}
	return nil
}

// pack compresses the program of a bundle as browsers can read it, once: for most servers, and as small as it gets,
// which takes 45 s.
func pack(bundle Bundle, tell func(format string, args ...any)) error {
	wasm := filepath.Join(bundle.Folder, wasmName)
	for extension, writer := range map[string]func(io.Writer) io.WriteCloser{
		".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		".br": func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, brotli.BestCompression) },
	} {
		if _, err := os.Stat(wasm + extension); err == nil {
			continue
		}
		tell("compressing the page, once, to %s; the smallest takes about 45 s on an idle core …", extension)
		text, err := os.ReadFile(wasm)
		if err != nil {
			return fmt.Errorf("the built page cannot be read: %w", err)
		}
		var packed bytes.Buffer
		w := writer(&packed)
		_, err = w.Write(text)
		half := wasm + extension + ".half"
		err = errors.Join(err, w.Close(), os.WriteFile(half, packed.Bytes(), 0o644))
		if err = errors.Join(err, os.Rename(half, wasm+extension)); err != nil {
			return fmt.Errorf("compressing the page: %w", err)
		}
	}
	return nil
}

// run runs the go command for WebAssembly in the sources and returns its output. An error contains the first line
// of the command's error output.
func (b *Builder) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, b.Go, args...)
	cmd.Dir = b.Source
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

// hash returns a hash of everything that determines the program: the toolchain, the versions of modules and the
// files of every imported package of the module.
func (b *Builder) hash(ctx context.Context) (string, error) {
	const ofModule = "{{if .Module}}{{if .Module.Main}}{{range .GoFiles}}{{$.Dir}}/{{.}}\n{{end}}" +
		"{{range .EmbedFiles}}{{$.Dir}}/{{.}}\n{{end}}{{end}}{{end}}"
	listed, err := b.run(ctx, "list", "-deps", "-f", ofModule, viewerPackage)
	if err != nil {
		return "", fmt.Errorf("listing the sources of the page: %w", err)
	}
	version, err := b.run(ctx, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	files := append([]string{filepath.Join(b.Source, "go.mod"), filepath.Join(b.Source, "go.sum")},
		strings.FieldsFunc(string(listed), func(r rune) bool { return r == '\n' })...)
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s\n", version, looksAway)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", fmt.Errorf("reading the sources of the page: %w", err)
		}
		fmt.Fprintf(sum, "%s %d\n", strings.TrimPrefix(name, b.Source), len(text))
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// keptFor is how long a bundle, about 20 MB, stays in the cache after it was built, and what is left of a build that
// was killed.
const keptFor = 7 * 24 * time.Hour

// removeOld removes bundles that are old, except keep. Errors are ignored.
func (b *Builder) removeOld(keep string) {
	entries, err := os.ReadDir(b.Cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != filepath.Base(keep) && time.Since(info.ModTime()) > keptFor {
			os.RemoveAll(filepath.Join(b.Cache, e.Name()))
		}
	}
}
