package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/golden"
)

// The pictures that the tests of the window keep of all panels.
const panelsPath = "../view/testdata/panels"

// pageMayDiffer is the share of a page's pixels that may be other than the window's: another rasteriser draws them.
const pageMayDiffer = 0.002

// TestPanels goes through all panels of the page by fingers, by mouse and by keys alone. Every one looks as in the
// window.
func TestPanels(t *testing.T) {
	need(t, "node", "chromium")
	link, err := os.ReadFile(filepath.Join(panelsPath, "link.txt"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	program := build(t, folder, "veilpath/cmd/veilpath")
	text, err := exec.Command("node", "panels.cjs", serve(t, program, ""), string(link), folder).CombinedOutput()
	t.Logf("%s", text)
	if err != nil {
		t.Fatalf("the browser: %v", err)
	}
	shots, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(panelsPath, "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	if len(shots) != len(kept)+2 {
		t.Errorf("%d pictures are kept, the page gave %d, two of them again", len(kept), len(shots))
	}
	for _, shot := range shots {
		got, err := golden.Read(shot)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.Replace(filepath.Base(shot), "-back", "", 1)
		if err := golden.Compare(filepath.Join(panelsPath, name), golden.Halved(got), pageMayDiffer); err != nil {
			t.Errorf("%s: %v", filepath.Base(shot), err)
		}
	}
}
