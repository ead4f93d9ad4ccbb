package record_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"veilpath/internal/record"
)

var site = map[string][]byte{"index.html": []byte("page"), "empty": nil, "data/one/summary.csv": []byte("1"),
	"data/two/summary.csv": []byte("2")}

// A tree appears whole in a missing or an empty directory, beside which nothing is left, and another one stays as
// it is.
func TestWriteTree(t *testing.T) {
	for _, found := range []string{"missing", "empty", "full"} {
		parent := filepath.Join(t.TempDir(), "a")
		path := filepath.Join(parent, "site")
		if found != "missing" {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		want := site
		if found == "full" {
			want = map[string][]byte{"mine": []byte("x")}
			if err := os.WriteFile(filepath.Join(path, "mine"), want["mine"], 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := record.WriteTree(path, site); (found == "full") != errors.Is(err, fs.ErrExist) ||
			found != "full" && err != nil {
			t.Errorf("%s: %v", found, err)
		}
		files := 0
		err := filepath.WalkDir(parent, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			files++
			name, err := filepath.Rel(path, at)
			if text, read := os.ReadFile(at); read != nil || string(text) != string(want[filepath.ToSlash(name)]) {
				t.Errorf("%s: %s holds %q, %v", found, at, text, read)
			}
			return err
		})
		if err != nil || files != len(want) {
			t.Errorf("%s: %d files, want %d, %v", found, files, len(want), err)
		}
		if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
			t.Errorf("%s: %v is left, %v", found, entries, err)
		}
	}
}
