package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// need skips the test unless it was requested, and fails it when a tool is missing then.
func need(t *testing.T, tools ...string) {
	t.Helper()
	if os.Getenv("VIEWER_END_TO_END") == "" {
		t.Skipf("skipped: drives the built program with %v; set VIEWER_END_TO_END=1, or run .ci/viewer, which installs them",
			tools)
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%s is missing; .ci/viewer installs it", tool)
		}
	}
}

// build builds a command of the module and returns its path.
func build(t *testing.T, folder, pkg string) string {
	t.Helper()
	return built(t, exec.Command("go", "build", "-o", filepath.Join(folder, filepath.Base(pkg)), pkg))
}

// buildWindow builds the viewer in a window, which needs a C compiler, and returns its path.
func buildWindow(t *testing.T, folder string) string {
	t.Helper()
	cmd := exec.Command("go", "build", "-tags", "viewer", "-o", filepath.Join(folder, "veilpath-view"),
		"veilpath/cmd/veilpath-view")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
	return built(t, cmd)
}

// built runs a build and returns the path of its output, the argument before the last.
func built(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return cmd.Args[len(cmd.Args)-2]
}

// keep copies a screenshot to where VIEWER_SCREENSHOTS says, if it does.
func keep(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("VIEWER_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	return filepath.Join(folder, name)
}
