package main

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// What keeps the page from being served is one line and an exit code that is not 0.
func TestViewRefuses(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	empty, commanded := t.TempDir(), t.TempDir()
	manifest := `{"program":"veilpath","verb":"run","config":{"privacy":{"mechanism":"exec:./decoy"}}}`
	if err := os.WriteFile(filepath.Join(commanded, "manifest.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		path string // PATH, the present one when empty
		args []string
		code int
		want string
	}{
		{"port in use", "", []string{"view", "--port", port}, exitFailed,
			"port " + port + " cannot be used: address already in use"},
		{"no such port", "", []string{"view", "--port", "70000"}, exitUsage, "--port 70000"},
		{"no such folder", "", []string{"view", filepath.Join(empty, "none")}, exitUsage, "cannot be opened"},
		{"two folders", "", []string{"view", "a", "b"}, exitUsage, "one folder"},
		{"an empty folder", "", []string{"view", empty}, exitUsage, "has no recording"},
		{"a file", "", []string{"view", file}, exitUsage, "is not a folder"},
		{"a site in a full folder", "", []string{"view", "--export", filepath.Dir(file)}, exitUsage,
			"exists and is not empty"},
		{"a site where none can be made, before the page is built", empty,
			[]string{"view", "--export", filepath.Join(file, "x")}, exitUsage, "name a folder that can be created"},
		{"a site that is served", "", []string{"view", "--export", "site", "--port", "80"}, exitUsage,
			"--export does not serve"},
		{"a folder whose settings name a command", "", []string{"view", commanded}, exitUsage,
			"names the command exec:./decoy, and the viewer runs no commands"},
		{"no Go toolchain", empty, []string{"view", "--no-browser"}, exitFailed, "no go command in PATH"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.path != "" {
				t.Setenv("PATH", test.path)
			}
			r := veilpath(t, test.args...)
			if r.code != test.code || !strings.Contains(r.stderr, test.want) || strings.Count(r.stderr, "\n") != 1 ||
				r.stdout != "" {
				t.Errorf("exit %d, stdout %q, stderr %q; want exit %d and one line with %q", r.code, r.stdout, r.stderr, test.code,
					test.want)
			}
		})
	}
}

// run --view writes the flight before it calls the viewer, which here finds no Go toolchain.
func TestRunHandsItsFlightToTheViewer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out := filepath.Join(t.TempDir(), "flight")
	r := veilpath(t, "run", "--nominal", "--out", out, "--view")
	if r.code != exitFailed || !strings.Contains(r.stderr, "no go command in PATH") {
		t.Errorf("exit %d, stderr %q; want exit %d and a word on the go command", r.code, r.stderr, exitFailed)
	}
	if _, err := os.Stat(filepath.Join(out, "trajectory.parquet")); err != nil ||
		!strings.Contains(r.stdout, "recognised 101.6 km from the target") {
		t.Errorf("the flight is lost: %v, stdout %q", err, r.stdout)
	}
}
