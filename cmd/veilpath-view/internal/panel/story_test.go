package panel

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Every button of a step leads where it says, for fingers and for a mouse, and none lies over the text.
func TestStoryButtons(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	list, area := draw.NewList(atlas), draw.Rect{X: 10, Y: 10, W: 400, H: 240}
	for _, fingers := range []bool{false, true} {
		c, p := ui.NewContext(ui.NewTheme(true)), Story{Title: "A step", Text: "A text", Departed: true}
		step := func(in ui.Input) (Turn, draw.Rect) {
			list.Reset(area, 1)
			c.Begin(list, in)
			turn, text := p.Operate(c, area, fingers)
			c.End()
			return turn, text
		}
		step(ui.Input{Outside: true})
		for id, want := range map[string]Turn{"story.back": Back, "story.on": Next, "story.end": Close,
			"story.again": Again} {
			r, there := c.Regions()[id]
			at := r.Center()
			step(ui.Input{Pointer: at})
			step(ui.Input{Pointer: at, Down: true})
			turn, text := step(ui.Input{Pointer: at})
			if !there || turn != want || text.Overlaps(r) || fingers && r.H < finger {
				t.Errorf("fingers %v: %s at %v leads to %d, want %d; the text is at %v", fingers, id, r, turn, want, text)
			}
		}
	}
}
