package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/golden"
)

// The golden pictures of what the window shows at first.
const sizesPath = "../view/testdata/sizes"

// TestDesktopSizes sizes the window from a phone's to a large screen's and back, in the dark theme and the light one.
// At every size it looks as the golden pictures do, and at the end as at the beginning.
func TestDesktopSizes(t *testing.T) {
	need(t, "Xvfb", "xdotool", "import")
	folder := t.TempDir()
	viewer := buildWindow(t, folder)
	config := filepath.Join(folder, "settings.yaml")
	if err := os.WriteFile(config, []byte("privacy: {epsilon: 0.4}\nstudy: {runs: 40}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sizes := [][2]int{{360, 740}, {1280, 800}, {2560, 1440}}
	d := &desktop{t: t, display: display(t, 2600, 1500), folder: folder}
	d.start(viewer, sizes[0][0], sizes[0][1], config)
	d.try("xdotool", "mousemove", "2590", "1490") // beside the window
	d.title("epsilon 0.4, run 0")
	d.key("space") // it plays by itself
	for range 3 {
		d.key("bracketright")
	}
	d.title("run 3,")
	d.find("moment of the flight 60")
	time.Sleep(5 * time.Second) // a message fades
	for i, theme := range []string{"dark", "light"} {
		for j := range sizes {
			size := sizes[[2]int{j, len(sizes) - 1 - j}[i]]
			d.try("xdotool", "windowsize", d.window, strconv.Itoa(size[0]), strconv.Itoa(size[1]), "windowmove", d.window, "0",
				"0")
			d.shows(filepath.Join(sizesPath, fmt.Sprintf("%dx%d-%s.png", size[0], size[1], theme)))
		}
		d.find("theme")
	}
	d.shows(filepath.Join(sizesPath, "360x740-dark.png"))
}

// shows waits until the window looks as a golden picture does, which is half as large.
func (d *desktop) shows(name string) {
	d.t.Helper()
	var err error
	for range 20 {
		if err = golden.Compare(name, golden.Halved(d.picture("")), golden.MayDiffer); err == nil {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	d.t.Errorf("%v", err)
}
