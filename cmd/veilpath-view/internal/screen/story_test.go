package screen

import (
	"strconv"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/layout"
	"veilpath/cmd/veilpath-view/internal/ui"
)

// Every step of the built-in story is shown by its buttons, with the numbers on screen in its text.
func TestStoryIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if n := len(d.Story.Steps); n < 6 {
		t.Fatalf("the story has %d steps", n)
	}
	d.do("story.on")
	texts := map[string]bool{}
	for i := range d.Story.Steps {
		if d.told != i+1 {
			t.Fatalf("step %d is told, want %d: %s", d.told, i+1, d.Model.Message.Text)
		}
		d.Model.SetRuns(40)
		for range 8 {
			d.Model.Work()
			d.step(ui.Input{Outside: true})
		}
		text := d.storyText()
		if strings.ContainsAny(text, "{}–…") || texts[text] {
			t.Errorf("step %d reads %q", i+1, text)
		}
		texts[text] = true
		if link := d.Link(); !strings.Contains(link, "story="+strconv.Itoa(i+1)) {
			t.Errorf("the link of step %d is %s", i+1, link)
		}
		if i == 2 { // back and on again by keys
			if d.press(ui.PageUp); d.told != i {
				t.Errorf("a step back from %d is %d", i+1, d.told)
			}
			d.press(ui.PageDown)
		}
		d.clickOn("story.on")
		d.step(ui.Input{Outside: true})
	}
	if d.told != 0 || d.Tab == layout.TabStory {
		t.Errorf("after the last step, step %d is told in panel %d", d.told, d.Tab)
	}
}

// The text of a step stays while what it tells of does. In place of it stands what is on show instead, with a button
// that shows the step again.
func TestStepTellsOfWhatIsOnShow(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.do("story.on")
	d.do("story.on")
	d.do("story.on")
	d.Model.Work()
	d.step(ui.Input{Outside: true})
	text := d.storyText()
	if !strings.HasPrefix(text, "A smaller ε is more noise. At ε 0.2 ") {
		t.Errorf("the step reads %q", text)
	}
	stays := func(what string) {
		t.Helper()
		d.step(ui.Input{Outside: true})
		if _, again := d.UI.Regions()["story.again"]; again || d.departed() ||
			!strings.HasPrefix(d.Outline().Story, "Step 3 of 7, Privacy costs: A smaller") {
			t.Errorf("%s departs from the step: %s", what, d.Outline().Story)
		}
	}
	d.Model.Clock.Seek(20)
	stays("the moment")
	d.press("t", "f", "z", "i", "a")
	stays("the theme and the place")
	d.do("compare")
	stays("a comparison with itself")
	d.Model.SetRuns(30)
	stays("fewer flights")
	for what, do := range map[string]func(){
		"epsilon":           func() { d.press(ui.ArrowUp) },
		"run":               func() { d.Model.Select(5) },
		"the direct flight": func() { d.do("direct") },
		"radius":            func() { d.Model.SetRadius(2) },
		"observer":          func() { d.Model.SetObserver("heading") },
		"seed":              func() { d.do("sample") },
		"mission":           func() { d.do("mission.passage") },
		"map":               func() { d.do("map", "off") },
	} {
		do()
		d.step(ui.Input{Outside: true})
		if now := d.Outline().Story; !d.departed() || strings.Contains(now, "A smaller") {
			t.Errorf("%s: told is %q", what, now)
		}
		d.clickOn("story.again")
		d.step(ui.Input{Outside: true})
		if d.told != 3 || d.departed() || d.Model.Config.Privacy.Epsilon != 0.2 {
			t.Errorf("%s: again step %d is told, departed: %v", what, d.told, d.departed())
		}
	}
}

// Undo and redo bring back the step that was told.
func TestUndoBringsBackTheStep(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, step := range []struct {
		key  ui.Key
		told int
	}{{"s", 1}, {"", 2}, {ui.ArrowUp, 2}, {ui.Undo, 2}, {ui.Undo, 1}, {ui.Undo, 0}, {ui.Redo, 1},
		{ui.Redo, 2}} {
		if step.key == "" {
			d.do("story.on")
		}
		if d.press(step.key); d.told != step.told {
			t.Errorf("after %s step %d is told, want %d", step.key, d.told, step.told)
		}
	}
	if d.departed() {
		t.Error("done again, the step is departed from")
	}
}

// A link to a step shows what the step does, and its own settings instead of the step's.
func TestLinkToAStep(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Follow("story=4")
	if c := d.Model.Config; d.told != 4 || c.Privacy.Epsilon != 0.4 || d.Model.RunNumber != 3 ||
		d.Heat != answer.HeatOff ||
		d.Model.Clock.TimeS != 95 || d.departed() {
		t.Errorf("step %d at epsilon %v, run %d, map %v, %v s: %v", d.told, c.Privacy.Epsilon, d.Model.RunNumber, d.Heat,
			d.Model.Clock.TimeS, d.departed())
	}
	d.Follow("story=4&run=5")
	if d.Model.RunNumber != 5 || d.Model.Config.Privacy.Epsilon != 0.4 || !d.departed() {
		t.Errorf("run %d at epsilon %v: departed: %v", d.Model.RunNumber, d.Model.Config.Privacy.Epsilon, d.departed())
	}
	// What is as usual where the step has it otherwise is in the link.
	d.Model.Select(0)
	d.Model.SetEpsilon(1)
	d.step(ui.Input{Outside: true})
	link := d.Link()
	other := newDesk(t, 1280, 800)
	other.Follow(link)
	other.step(ui.Input{Outside: true})
	if m := other.Model; m.Config.Privacy.Epsilon != 1 || m.RunNumber != 0 || other.Link() != link {
		t.Errorf("%s shows run %d at epsilon %v: %s", link, m.RunNumber, m.Config.Privacy.Epsilon, other.Link())
	}
}

// On a phone the story keeps its place while other panels are open, and a button and the menu lead back to it.
func TestStoryKeepsItsPlaceOnPhones(t *testing.T) {
	for _, size := range phones {
		d := newDesk(t, size[0], size[1])
		d.Touch = true
		d.step(ui.Input{Outside: true})
		if _, there := d.UI.Regions()["tab.story"]; there {
			t.Errorf("%v: a story that is not told has a panel", size)
		}
		d.Follow("story=4")
		d.step(ui.Input{Outside: true})
		if text := d.storyText(); !strings.Contains(text, "are recognised") && !strings.Contains(text, "humps") ||
			d.Layout.Story.Empty() {
			t.Errorf("%v: in %v it reads %q", size, d.Layout.Story, text)
		}
		for name, back := range map[string]func(){
			"its button": func() { d.tap("tab.story") },
			"its verb":   func() { d.tap("story") },
		} {
			d.tap("tab.flights")
			d.step(ui.Input{Outside: true})
			widgets := map[string]draw.Rect{}
			for i, id := range layout.TabIDs {
				r := d.widget("tab." + id)
				widgets[id] = r
				if text := d.UI.List.Width(d.Theme().Body, tabNames[i]); size[0] >= 360 && text > r.W-4 {
					t.Errorf("%v: %s takes %v points of %v", size, tabNames[i], text, r.W)
				}
				if r.W < layout.TouchTarget || r.H < layout.TouchTarget {
					t.Errorf("%v: %s is %v, too small for a finger", size, id, r)
				}
			}
			apart(t, size, widgets, draw.Rect{W: size[0], H: size[1]})
			back()
			d.step(ui.Input{Outside: true})
			if d.told != 4 || d.Layout.Story.Empty() {
				t.Errorf("%v: %s leads to step %d in %v", size, name, d.told, d.Layout.Story)
			}
		}
		d.Model.SetEpsilon(3)
		d.step(ui.Input{Outside: true})
		if r := d.widget("story.again"); r.W < layout.TouchTarget || r.H < layout.TouchTarget ||
			r.Overlaps(d.widget("story.on")) {
			t.Errorf("%v: what shows the step again is %v", size, r)
		}
		if d.tap("story.again"); d.Model.Config.Privacy.Epsilon != 0.4 {
			t.Errorf("%v: again at epsilon %v", size, d.Model.Config.Privacy.Epsilon)
		}
		d.tap("story.end")
		d.step(ui.Input{Outside: true})
		if d.told != 0 || d.Tab == layout.TabStory {
			t.Errorf("%v: closed, step %d is told in panel %d", size, d.told, d.Tab)
		}
	}
}

// Closing the story brings back what was on show before it.
func TestStoryGivesBack(t *testing.T) {
	d := newDesk(t, 1280, 800)
	d.Folded = layout.UsuallyFolded
	d.Model.SetEpsilon(2)
	d.Model.Select(5)
	d.Model.Clock.Seek(12)
	d.do("zoom-in")
	d.step(ui.Input{Outside: true})
	place := d.plan.Map.Camera
	d.do("story")
	for range len(d.Story.Steps) - 1 {
		d.do("story.on")
	}
	d.press(ui.Escape)
	d.step(ui.Input{Outside: true})
	if c := d.Model.Config; d.told != 0 || c.Privacy.Epsilon != 2 || d.Model.RunNumber != 5 || !d.plan.ShowFan ||
		d.Model.Clock.TimeS != 12 || d.plan.Map.Camera != place {
		t.Errorf("closed at step %d: epsilon %v, run %d, fan %v, at %v s, map %+v", d.told, c.Privacy.Epsilon,
			d.Model.RunNumber, d.plan.ShowFan, d.Model.Clock.TimeS, d.plan.Map.Camera)
	}
}
