package page

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A site contains the page with relative addresses, the program with and without compression, and the files of
// unchanged recordings that the page shows.
func TestExport(t *testing.T) {
	s := newServer(t)
	folder, bundle := s.data.Name(), fakeBundle
	changed := filepath.Join(folder, "changed")
	if err := os.Mkdir(changed, 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := `{"program":"veilpath","verb":"study","config":{},"files":{"summary.csv":"00"}}`
	if err := os.WriteFile(filepath.Join(changed, "manifest.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "new", "site")
	leftOut, err := Export(bundle, folder, to)
	if err != nil || len(leftOut) != 1 || !strings.HasPrefix(leftOut[0], "changed: ") {
		t.Fatalf("left out %q, %v", leftOut, err)
	}
	var names []string
	fs.WalkDir(os.DirFS(to), ".", func(name string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	want := []string{"data/study-001/manifest.json", "data/study-001/summary.csv",
		"icon.svg", "index.html", "licenses.txt", "offline.js", "outline.js", "recordings.json", "viewer.css", "viewer.js",
		"viewer.wasm", "viewer.wasm.br", "viewer.wasm.gz", "wasm_exec.js"}
	if !slices.Equal(names, want) {
		t.Errorf("the site holds %q, want %q", names, want)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(to, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if index := read("index.html"); !strings.Contains(index, `data-program="viewer.wasm.gz" data-size="5"`) ||
		strings.Contains(index, `="/`) || strings.Contains(index, "http") {
		t.Error(index)
	}
	var offline map[string]string
	if err := json.Unmarshal([]byte(strings.TrimPrefix(read("offline.js"), "window.veilpathFiles = ")),
		&offline); err != nil || len(offline) != 5 {
		t.Fatalf("%d files, %v", len(offline), err)
	}
	for name, text := range offline {
		if own, err := base64.StdEncoding.DecodeString(text); err != nil || string(own) != read(name) {
			t.Errorf("%s differs offline (%v)", name, err)
		}
	}
}

// A folder that is not empty stays unchanged, and a refused site leaves no file.
func TestExportRefuses(t *testing.T) {
	s := newServer(t)
	parent := t.TempDir()
	full := filepath.Join(parent, "full")
	if err := errors.Join(os.Mkdir(full, 0o755), os.WriteFile(filepath.Join(full, "mine"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(fakeBundle, s.data.Name(), full); !errors.Is(err, ErrTaken) {
		t.Errorf("a full folder: %v", err)
	}
	if _, err := Export(fakeBundle, full, filepath.Join(parent, "site")); err == nil ||
		!strings.Contains(err.Error(), "has no recording") {
		t.Errorf("no recordings: %v", err)
	}
	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(fakeBundle, "", empty); err != nil {
		t.Errorf("an empty folder, without recordings: %v", err)
	}
	for _, below := range []string{"mine/site", "mine"} {
		err := CheckTarget(filepath.Join(full, below))
		if err == nil || below != "mine" && !strings.Contains(err.Error(), "name a folder that can be created") {
			t.Errorf("%s, where mine is a file: %v", below, err)
		}
	}
	if err := CheckTarget(filepath.Join(parent, "new", "site")); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(full)
	if err != nil || len(left) != 1 {
		t.Errorf("%v are left (%v), want mine", left, err)
	}
}
