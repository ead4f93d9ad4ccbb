package e2e

import (
	"flag"
	"os/exec"
	"strconv"
	"testing"
)

var (
	walkSteps = flag.Int("walk", 100, "how much is done at random in the page")
	longestMs = flag.Int("longest", 3000, "the most ms that anything may take the page's thread")
)

// TestResponsive chooses every observer, drags epsilon under it, leaves a preparation, and does at random what can be
// done: nothing takes the page's thread for long. The log has the times.
func TestResponsive(t *testing.T) {
	need(t, "node", "chromium")
	program := build(t, t.TempDir(), "veilpath/cmd/veilpath")
	cmd := exec.Command("node", "responsive.cjs", serve(t, program, ""), strconv.Itoa(*walkSteps), "7",
		strconv.Itoa(*longestMs))
	text, err := cmd.CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
}
