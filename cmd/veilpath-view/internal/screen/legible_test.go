package screen

import (
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// What a document lays over the picture is the headline, why, the story and messages as they are on screen, whole, once
// and in place; nothing lies over the palette.
func TestTextsCanBeSelected(t *testing.T) {
	for _, size := range [][2]float64{{360, 740}, {1280, 800}, {2560, 1440}} {
		d := newDesk(t, size[0], size[1])
		d.Tab = layout.TabWhy
		d.Model.Say(true, "This cannot be opened.")
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
		said := func() string {
			var lines []string
			for _, line := range d.Outline().Texts {
				lines = append(lines, line.Text)
				if line.X < 0 || line.Y < 0 || line.X+line.W > size[0] || line.Y+line.H > size[1] || line.W <= 0 || line.H <= 0 {
					t.Errorf("%v: %+v is not on screen", size, line)
				}
			}
			return strings.Join(lines, " ")
		}
		answer := either(d.Layout.Compact, d.ShortAnswer(), d.Question()+" "+d.Answer())
		for _, want := range []string{answer, d.Why().Sentence, "This cannot be opened."} {
			if text := said(); strings.Count(text, want) != 1 {
				t.Errorf("%v: %q has %q %d times", size, text, want, strings.Count(text, want))
			}
		}
		d.palette.Begin("")
		d.step(ui.Input{Outside: true})
		if text := said(); text != "" {
			t.Errorf("%v: over the palette lies %q", size, text)
		}
		d.press(ui.Escape)
		if err := d.Tell(1); err != nil {
			t.Fatal(err)
		}
		d.step(ui.Input{Outside: true})
		if text := said(); !strings.Contains(text, d.storyText()) {
			t.Errorf("%v: %q does not tell the step %q", size, text, d.storyText())
		}
	}
}
