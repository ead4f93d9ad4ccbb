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
func build(t *testing.T, folder, pkg string, flags ...string) string {
	t.Helper()
	program := filepath.Join(folder, filepath.Base(pkg))
	args := append(append([]string{"build"}, flags...), "-o", program, pkg)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return program
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
