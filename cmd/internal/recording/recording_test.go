package recording

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

const (
	good      = `{"program":"veilpath","verb":"study","config":{}}`
	commanded = `{"program":"veilpath","verb":"run","config":{"privacy":{"mechanism":"exec:./decoy"}}}`
)

// The list begins with the recordings that can be shown, has the problem of each other one, and leaves out hidden
// folders.
func TestList(t *testing.T) {
	files := fstest.MapFS{
		"b/manifest.json":             {Data: []byte(good)},
		"a/manifest.json":             {Data: []byte(`{"program":"vei`)},
		"c/manifest.json":             {Data: []byte(`{"program":"other"}`)},
		"d/e/f/manifest.json":         {Data: []byte(good)},
		"d/e/f/g/manifest.json":       {Data: []byte(good)},
		".hidden/manifest.json":       {Data: []byte(good)},
		"b/.git/manifest.json":        {Data: []byte(good)},
		"b/.manifest.json":            {Data: []byte(good)},
		"manifest.json/manifest.json": {Data: []byte(good)},
		"e/summary.csv":               {Data: []byte("epsilon")},
		"g/manifest.json":             {Data: []byte(commanded)},
		"h/manifest.json":             {Data: []byte(strings.Replace(good, "{", `{"own":"mechanism staircase",`, 1))},
	}
	want := []struct{ path, problem string }{{"b", ""}, {"d/e/f", ""}, {"manifest.json", ""}, {"a", "incomplete"},
		{"c", "not a manifest of veilpath"}, {"g", "names the command exec:./decoy, and the viewer runs no commands"},
		{"h", "a program with mechanism staircase, which the viewer does not have"}}
	got := List(files)
	if len(got) != len(want) {
		t.Fatalf("%+v, want %d entries", got, len(want))
	}
	for i, w := range want {
		if got[i].Path != w.path || (w.problem == "") != (got[i].Problem == "") ||
			!strings.Contains(got[i].Problem, w.problem) {
			t.Errorf("entry %d is %+v, want %v", i, got[i], w)
		}
	}
	if got[0].Verb != "study" {
		t.Errorf("the verb is %q", got[0].Verb)
	}
}

// The length of a file is bounded: a sparse file of 10 GB, and an endless one.
func TestReadsAreBounded(t *testing.T) {
	folder := t.TempDir()
	sparse, err := os.Create(filepath.Join(folder, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	defer sparse.Close()
	if err := sparse.Truncate(10 << 30); err != nil {
		t.Skipf("skipped: the file system holds no sparse file: %v", err)
	}
	if _, err := Read(os.DirFS(folder), "."); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("10 GB: %v", err)
	}
	if got := List(os.DirFS(folder)); len(got) != 1 || !strings.Contains(got[0].Problem, "longer than") {
		t.Errorf("the list has %+v", got)
	}
}

// The error for a folder whose files differ from its manifest names the files.
func TestReadRefusesDifferentFiles(t *testing.T) {
	const sum = "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865" // of "1\n"
	manifest := `{"program":"veilpath","verb":"study","config":{},"files":{"summary.csv":"` + sum + `","runs.parquet":"` +
		sum + `"}}`
	whole := func() fstest.MapFS {
		return fstest.MapFS{"a/manifest.json": {Data: []byte(manifest)}, "a/summary.csv": {Data: []byte("1\n")},
			"a/runs.parquet": {Data: []byte("1\n")}}
	}
	if _, err := Read(whole(), "a"); err != nil {
		t.Fatal(err)
	}
	for want, damage := range map[string]func(fstest.MapFS){
		"changed: summary.csv":  func(f fstest.MapFS) { f["a/summary.csv"].Data = []byte("2\n") },
		"changed: runs.parquet": func(f fstest.MapFS) { f["a/runs.parquet"].Data = nil },
		"missing: runs.parquet": func(f fstest.MapFS) { delete(f, "a/runs.parquet") },
		"changed: summary.csv; missing: run": func(f fstest.MapFS) {
			f["a/summary.csv"].Data = nil
			delete(f, "a/runs.parquet")
		},
		`"../b", which is not the name of a file in its folder`: func(f fstest.MapFS) {
			f["a/manifest.json"].Data = []byte(strings.Replace(manifest, "runs.parquet", "../b", 1))
		},
	} {
		files := whole()
		damage(files)
		if _, err := Read(files, "a"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
