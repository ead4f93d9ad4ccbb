//go:build viewer && !js

package view

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"veilpath/cmd/veilpath-view/internal/golden"
	"veilpath/cmd/veilpath-view/internal/screen"
)

// panelsPath has the golden pictures of all panels, at half the size, and the link that leads to what they show. The
// tests of the page compare its pictures with the same ones.
const panelsPath = goldenPath + "/panels"

// Every panel is what it was, on phones, laptops and large screens, dark and light.
func TestPanels(t *testing.T) {
	link, err := os.ReadFile(filepath.Join(panelsPath, "link.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := scene(t, true, 40)
	s.Follow(string(link))
	finish(s)
	for _, size := range [][2]int{{360, 740}, {1280, 800}, {2560, 1440}} {
		for _, theme := range []string{"dark", "light"} {
			s.SetDark(theme == "dark")
			name := fmt.Sprintf("%dx%d-%s", size[0], size[1], theme)
			panels := []string{""}
			if size[0] < 1000 {
				panels = screen.TabIDs()
			}
			for tab, panel := range panels {
				s.Tab = screen.Tab(tab)
				if panel != "" {
					panel = "-" + panel
				}
				compare(t, filepath.Join(panelsPath, name+panel+".png"), golden.Halved(render(t, s, size[0], size[1], 1)))
			}
		}
	}
}
