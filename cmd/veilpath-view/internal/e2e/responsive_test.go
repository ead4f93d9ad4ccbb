package e2e

import (
	"flag"
	"os/exec"
	"strconv"
	"testing"
)

var walkSteps = flag.Int("walk", 300, "how much is done at random in the page")

// TestResponsive chooses every observer, drags epsilon under it, leaves a preparation, and does at random what can be
// done: nothing takes the page's thread for half a second.
func TestResponsive(t *testing.T) {
	need(t, "node", "chromium")
	program := build(t, t.TempDir(), "veilpath/cmd/veilpath")
	cmd := exec.Command("node", "responsive.cjs", serve(t, program, ""), strconv.Itoa(*walkSteps), "7")
	text, err := cmd.CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
}
