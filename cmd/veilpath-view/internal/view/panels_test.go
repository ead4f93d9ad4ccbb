//go:build viewer && !js

package view

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"veilpath/cmd/veilpath-view/internal/golden"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
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
				panels = []string{"settings", "key", "guess", "flights", "map", "why"}
			}
			for tab, panel := range panels {
				s.Tab = layout.Tab(tab)
				if panel != "" {
					panel = "-" + panel
				}
				compare(t, filepath.Join(panelsPath, name+panel+".png"), golden.Halved(render(t, s, size[0], size[1], 1)))
			}
		}
	}
}

// sizesPath has the golden pictures of what the viewer shows at first, at half the size, or a quarter of the largest.
const sizesPath = goldenPath + "/sizes"

// What is on show at first is what it was in windows from a small phone's to a large screen's, dark and light.
func TestSizes(t *testing.T) {
	s := scene(t, true, 40)
	for _, size := range [][2]int{{320, 568}, {360, 740}, {768, 1024}, {1280, 800}, {1920, 1200}, {2560, 1440},
		{3840, 2160}} {
		s.Follow("privacy.epsilon=0.4&run=3&study.runs=40&t=60")
		finish(s)
		s.Advance(ui.Input{Outside: true}, float64(size[0]), float64(size[1]), 1)
		for _, theme := range []string{"dark", "light"} {
			s.SetDark(theme == "dark")
			got := golden.Halved(render(t, s, size[0], size[1], 1))
			if size[0] > 3000 {
				got = golden.Halved(got)
			}
			compare(t, filepath.Join(sizesPath, fmt.Sprintf("%dx%d-%s.png", size[0], size[1], theme)), got)
		}
	}
}
