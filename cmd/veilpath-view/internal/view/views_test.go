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

// viewsPath has the golden pictures of what takes the place of panels or covers them, at a quarter of the size.
const viewsPath = goldenPath + "/views"

// A step of the story, the list of what can be saved, settings that are compared and a wall
// that was drawn are what they were, on phones, laptops and large screens, dark and light.
func TestViews(t *testing.T) {
	link, err := os.ReadFile(filepath.Join(panelsPath, "link.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s := scene(t, true, 40)
	for _, view := range []struct {
		name, more string
		prepare    func()
	}{
		{"story", "", func() {
			if err := s.Tell(3); err != nil {
				t.Fatal(err)
			}
			s.Model.SetRuns(40)
			s.Model.Clock.Seek(60)
		}},
		{"export", "", func() { operate(t, s, "export") }},
		{"compare", "&kept=privacy.epsilon%3D4", func() {}},
		{"wall", "", func() {
			visits := s.Model.Private.Visits
			s.Model.KeepOut(map[int]bool{visits[2].Commanded: true, visits[3].Commanded: true}, true)
		}},
	} {
		s.Follow(string(link) + view.more)
		if m := s.Model.Message; m.Wrong {
			t.Fatalf("%s: %s", view.name, m.Text)
		}
		view.prepare()
		finish(s)
		s.Model.Message.Text = ""
		for _, size := range [][2]int{{360, 740}, {1280, 800}, {2560, 1440}} {
			for _, theme := range []string{"dark", "light"} {
				s.SetDark(theme == "dark")
				if view.name == "story" {
					s.Tab = layout.TabStory
				}
				s.Advance(ui.Input{Outside: true}, float64(size[0]), float64(size[1]), 1) // the first of a size fits the map
				got := golden.Halved(golden.Halved(render(t, s, size[0], size[1], 1)))
				compare(t, filepath.Join(viewsPath, fmt.Sprintf("%s-%dx%d-%s.png", view.name, size[0], size[1], theme)), got)
			}
		}
		if view.name == "export" {
			operate(t, s, "export")
		}
		if err := s.Tell(0); err != nil {
			t.Fatal(err)
		}
	}
}
