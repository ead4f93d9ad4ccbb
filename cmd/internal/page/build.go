package page

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// The files of a bundle. The program is also stored compressed, with the extension .gz, and for sites .br.
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
	text, err := os.ReadFile(wasm)
	if err != nil {
		return fmt.Errorf("compiling the page: %w", err)
	}
	if err := zipped(wasm+".gz", text); err != nil {
		return fmt.Errorf("compressing the page: %w", err)
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

// pack compresses the program of a bundle as small as it gets, which takes 45 s, unless that was done before.
func pack(bundle Bundle, tell func(format string, args ...any)) error {
	wasm := filepath.Join(bundle.Folder, wasmName)
	if _, err := os.Stat(wasm + ".br"); err == nil {
		return nil
	}
	text, err := os.ReadFile(wasm)
	if err != nil {
		return fmt.Errorf("the built page cannot be read: %w", err)
	}
	tell("compressing the page, once; this takes about 45 s on an idle core …")
	work, err := temporary(filepath.Dir(bundle.Folder))
	if err != nil {
		return fmt.Errorf("compressing the page: %w", err)
	}
	defer os.RemoveAll(work)
	packed := filepath.Join(work, wasmName+".br")
	err = compressed(packed, text, func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterLevel(w, brotli.BestCompression)
	}, func(percent int) { tell("compressed %d %%", percent) })
	if err == nil {
		err = os.Rename(packed, wasm+".br")
	}
	if err != nil {
		return fmt.Errorf("compressing the page: %w", err)
	}
	return nil
}

// zipped writes a compressed file that every browser can read.
func zipped(path string, text []byte) error {
	return compressed(path, text, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, func(int) {})
}

// compressed writes a compressed file. It calls done after every fifth of the text.
func compressed(path string, text []byte, writer func(io.Writer) io.WriteCloser, done func(percent int)) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := writer(file)
	const parts = 5
	for i := 0; i < parts && err == nil; i++ {
		_, err = w.Write(text[len(text)*i/parts : len(text)*(i+1)/parts])
		done(100 * (i + 1) / parts)
	}
	return errors.Join(err, w.Close(), file.Close())
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
	listed, err := b.run(ctx, "list", "-deps", "-json=Dir,GoFiles,EmbedFiles,Module", viewerPackage)
	if err != nil {
		return "", fmt.Errorf("listing the sources of the page: %w", err)
	}
	version, err := b.run(ctx, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	files := []string{filepath.Join(b.Source, "go.mod"), filepath.Join(b.Source, "go.sum")}
	decoder := json.NewDecoder(bytes.NewReader(listed))
	for {
		var p struct {
			Dir                 string
			GoFiles, EmbedFiles []string
			Module              *struct{ Main bool }
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return "", fmt.Errorf("listing the sources of the page: %w", err)
		}
		if p.Module != nil && p.Module.Main {
			for _, name := range slices.Concat(p.GoFiles, p.EmbedFiles) {
				files = append(files, filepath.Join(p.Dir, name))
			}
		}
	}
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

// keptBundles is the number of bundles in the cache, about 30 MB each.
const keptBundles = 4

// abandoned is the age of a build that was killed.
const abandoned = 24 * time.Hour

// removeOld removes the oldest bundles except keep, and builds that were killed. Errors are ignored.
func (b *Builder) removeOld(keep string) {
	entries, err := os.ReadDir(b.Cache)
	if err != nil {
		return
	}
	age := func(e fs.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		building := strings.HasPrefix(e.Name(), "building-")
		if building && time.Since(time.Unix(0, age(e))) > abandoned {
			os.RemoveAll(filepath.Join(b.Cache, e.Name()))
		}
		return building || e.Name() == filepath.Base(keep)
	})
	slices.SortFunc(entries, func(a, c fs.DirEntry) int { return int(max(-1, min(1, age(c)-age(a)))) })
	for i := keptBundles - 1; i < len(entries); i++ {
		os.RemoveAll(filepath.Join(b.Cache, entries[i].Name()))
	}
}
