package layout

import (
	"reflect"
	"testing"
	"veilpath/cmd/veilpath-view/internal/draw"
)

// Nothing that is laid out covers anything else, and nothing leaves the window.
func TestLayoutHasNoOverlaps(t *testing.T) {
	for _, size := range [][2]float64{{1024, 640}, {1280, 800}, {1680, 1000}, {1920, 1080}, {1920, 1200}, {2560, 1440},
		{3200, 1800}, {3840, 2160}, {1100, 2000}, {3000, 700}} {
		l := New(size[0], size[1], Shape{Belief: true})
		parts := map[string]draw.Rect{}
		v := reflect.ValueOf(l)
		names := []string{"Bar", "Headline", "Map", "Transport", "Altitude", "Acceleration", "Off", "Scrub", "Controls",
			"Error", "Distribution"}
		if size[0] >= LargeWidth && size[1] >= LargeHeight {
			names = append(names, "Along", "Belief")
		}
		for _, name := range names {
			if size[1] <= 700 && name == "Error" {
				continue // there is no room for all panels at once
			}
			parts[name] = v.FieldByName(name).Interface().(draw.Rect)
		}
		for a, r := range parts {
			if r.W < 100 || r.H < 18 {
				t.Errorf("%v: %s is only %.0f x %.0f", size, a, r.W, r.H)
			}
			if r.X < 0 || r.Y < 0 || r.Right() > size[0] || r.Bottom() > size[1] {
				t.Errorf("%v: %s leaves the window: %v", size, a, r)
			}
			for b, q := range parts {
				if a < b && r.Overlaps(q) {
					t.Errorf("%v: %s %v and %s %v overlap", size, a, r, b, q)
				}
			}
		}
	}
}

// A tablet shows the settings beside the open panel, a phone one panel at a time.
func TestTabletsShowTwoPanels(t *testing.T) {
	for _, tab := range []Tab{TabSettings, TabFlights, TabWhy, TabMap} {
		l := New(768, 1024, Shape{Tab: tab})
		if l.Controls.Empty() || l.Pane.Empty() || l.Controls.Overlaps(l.Pane) {
			t.Errorf("tab %d: settings %v beside %v", tab, l.Controls, l.Pane)
		}
		if l := New(360, 740, Shape{Tab: tab}); l.Controls.Empty() == (tab == TabSettings) {
			t.Errorf("a phone, tab %d: settings %v", tab, l.Controls)
		}
	}
}
