package panel

import (
	"testing"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// A step has its buttons, for fingers and for a mouse, and none lies over the text.
func TestStoryButtons(t *testing.T) {
	atlas, err := draw.NewAtlas()
	if err != nil {
		t.Fatal(err)
	}
	area := draw.Rect{X: 10, Y: 10, W: 400, H: 240}
	for _, fingers := range []bool{false, true} {
		c, p := ui.NewContext(ui.NewTheme(true)), Story{Title: "A step", Text: "A text", Departed: true}
		list := draw.NewList(atlas)
		list.Reset(area, 1)
		c.Begin(list, ui.Input{Outside: true})
		places := map[string]draw.Rect{}
		text := p.Frame(c, area, fingers, func(id string, r draw.Rect, _ string) { places[id] = r })
		for _, id := range []string{"story.back", "story.on", "story.end", "story.again"} {
			r, there := places[id]
			if !there || r.Empty() || r.Within(area) != r || text.Overlaps(r) || fingers && r.H < layout.TouchTarget {
				t.Errorf("fingers %v: %s is at %v; the text is at %v", fingers, id, r, text)
			}
		}
	}
}
