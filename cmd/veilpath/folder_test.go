package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"veilpath/internal/record"
)

// resultsIn reads every file of a folder; the manifest without the fields that tell runs of the program apart, and of
// the pieces of a part no more than their names.
func resultsIn(folder string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if name = filepath.ToSlash(name); filepath.Dir(name) != "." {
			if filepath.Ext(name) == ".piece" {
				files[name] = "a piece"
			}
			return err
		}
		text, failed := os.ReadFile(path)
		if name == record.ManifestName && failed == nil {
			var m record.Manifest
			failed = json.Unmarshal(text, &m)
			m.WallTimeS, m.Workers = 0, 0
			text, _ = json.Marshal(m)
		}
		files[name] = string(text)
		return errors.Join(err, failed)
	})
	return files, err
}

// unlike names the files that two folders do not have in common, byte by byte.
func unlike(want, got map[string]string) (names string) {
	all := maps.Clone(want)
	maps.Copy(all, got)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a, here := want[name]
		b, there := got[name]
		switch {
		case !here:
			names += fmt.Sprintf(" %s should not be there;", name)
		case !there:
			names += fmt.Sprintf(" %s is missing;", name)
		case a != b:
			names += fmt.Sprintf(" %s differs;", name)
		}
	}
	return names
}

// results reads every file of a folder.
func results(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := resultsIn(folder)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameResults compares two folders, file by file and byte by byte.
func sameResults(t *testing.T, want map[string]string, folder string) {
	t.Helper()
	if names := unlike(want, results(t, folder)); names != "" {
		t.Errorf("%s:%s", folder, names)
	}
}

// piecesIn returns the names of the pieces in a folder.
func piecesIn(folder string) []string {
	found, _ := filepath.Glob(filepath.Join(folder, record.PiecesName, "*.piece"))
	return found
}

// awaitPieces waits until work has kept so many pieces, or is done.
func awaitPieces(folder string, pieces int) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if len(piecesIn(folder)) >= pieces || fileExists(filepath.Join(folder, record.ManifestName)) {
			return nil
		}
	}
	return fmt.Errorf("%s has fewer than %d pieces after a minute", folder, pieces)
}

// folderOf runs a verb into a folder.
func folderOf(t *testing.T, args ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "out")
	if r := veilpath(t, append(args, "--quiet", "--out", folder)...); r.code != exitDone {
		t.Fatalf("%v: exit %d, %s", args, r.code, r.stderr)
	}
	return folder
}
