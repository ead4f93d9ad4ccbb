package screen

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
)

// The document beside the picture can be told at every moment, before the first flight too, and has every control
// that is on offer, by which it is worked.
func TestOutline(t *testing.T) {
	m, err := model.New(configs.Default(), model.Workers{Experiment: sharedExperiment}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := New(m, &shell{}, true, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	s.Advance(ui.Input{}, 1280, 800, 1)
	if _, err := json.Marshal(s.Outline()); err != nil {
		t.Errorf("before the first flight: %v", err)
	}
	d := newDesk(t, 1280, 800)
	d.key("s", "c")
	o := d.Outline()
	if _, err := json.Marshal(o); err != nil {
		t.Error(err)
	}
	ids := []string{}
	for _, c := range o.Sliders {
		ids = append(ids, c.ID)
	}
	for _, c := range o.Choices {
		ids = append(ids, c.ID)
	}
	for _, c := range o.Buttons {
		ids = append(ids, c.ID)
	}
	for i := range d.table {
		c := &d.table[i]
		if c.id != "escape" && c.offered() != slices.Contains(ids, c.id) {
			t.Errorf("%s is on offer: %v", c.id, c.offered())
		}
	}
	if o.Story == "" || len(o.Compared.Rows) != 2 || o.Help != nil {
		t.Errorf("story %q, compared %+v, help %v", o.Story, o.Compared, o.Help)
	}
}

// The settings and the picture are saved, and what goes wrong is said.
func TestSaving(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Version = "v1"
	d.do("export.png")
	d.do("export.config")
	png := d.shell.saved["veilpath.png"]
	if len(png) < 10000 || string(png[1:4]) != "PNG" {
		t.Errorf("the picture has %d bytes", len(png))
	}
	const begins = "# Settings of veilpath's viewer v1."
	if text := string(d.shell.saved["veilpath.yaml"]); !strings.HasPrefix(text, begins) {
		t.Errorf("the settings begin %.60q", text)
	}
	d.shell.fail = errNoRoom
	if d.do("export.png"); !strings.Contains(d.Model.Message.Text, "there is no room") || !d.Model.Message.Wrong {
		t.Errorf("%q", d.Model.Message.Text)
	}
	d.shell.fail = nil
	if d.do("link"); d.shell.link != d.Link() {
		t.Errorf("%s is copied, want %s", d.shell.link, d.Link())
	}
}

// The story plays in five steps, says when something else is on show, and gives back what was on show before.
func TestStory(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("run", "7")
	before := d.state().link
	d.key("s")
	for step := 1; step <= 5; step++ {
		d.settle()
		if d.told != step || strings.Contains(d.storyText(), "{") || d.departed() || !d.Model.Clock.Playing {
			t.Errorf("step %d: %d, %q, departed %v", step, d.told, d.storyText(), d.departed())
		}
		if link := d.Link(); link != "story="+string(rune('0'+step)) {
			t.Errorf("step %d has the link %s", step, link)
		}
		if step == 3 {
			d.do("epsilon", "2")
			if !d.departed() || !strings.Contains(d.texts(), "no longer") {
				t.Error("another epsilon is not said")
			}
			d.do("story.again")
			d.settle()
		}
		d.key(ui.PageDown)
	}
	d.settle()
	if d.told != 0 || d.state().link != before {
		t.Errorf("after the story: %d, %s, want %s", d.told, d.state().link, before)
	}
}
