package screen

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"veilpath/cmd/veilpath-view/internal/ui"
)

// Every step of the built-in story is shown by its buttons, with the numbers on screen in its text.
func TestStoryIsTold(t *testing.T) {
	d := newDesk(t, 1280, 800)
	if n := len(d.Story.Steps); n < 6 {
		t.Fatalf("the story has %d steps", n)
	}
	d.press("j")
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
		d.clickOn("story.on")
		d.step(ui.Input{Outside: true})
	}
	if d.told != 0 || d.Tab == TabStory {
		t.Errorf("after the last step, step %d is told in panel %d", d.told, d.Tab)
	}
}

// The text of no step is cut off at the smallest windows.
func TestStoryFits(t *testing.T) {
	for _, size := range [][2]float64{{1024, 640}, {360, 740}} {
		d := newDesk(t, size[0], size[1])
		for i, step := range d.Story.Steps {
			if err := d.Tell(i + 1); err != nil {
				t.Fatal(err)
			}
			d.Model.SetRuns(40)
			d.Model.Work()
			d.step(ui.Input{Outside: true})
			d.step(ui.Input{Outside: true})
			room := d.storyArea().Inset(pad)
			if d.layout.Compact {
				room.H -= touchTarget
			} else {
				room.W -= storyButtons
			}
			if lines := d.UI.List.Wrap(d.theme().Body, d.storyText(), room.W-8); 22+17*float64(len(lines)) > room.H+4 {
				t.Errorf("%v: step %d, %s, has %d lines in %v points", size, i+1, step.Title, len(lines), room.H)
			}
		}
	}
}

// Others can write stories: what is wrong with one is said, and nothing is lost by it.
func TestStoriesOfOthers(t *testing.T) {
	d := newDesk(t, 1280, 800)
	built := d.Story.Title
	for text, want := range map[string]string{
		`{"title": "x", "steps": []}`: "0 steps",
		`{"title": "x", "steps": [{"title": "a", "text": "{nothing}", "show": ""}]}`:     "{nothing}",
		`{"title": "x", "steps": [{"title": "a", "text": "a", "show": "map=treasure"}]}`: "step 1",
		`{"steps": [{"titel": "a"}]}`: "titel",
	} {
		d.Open("dropped", fstest.MapFS{"mine.json": {Data: []byte(text)}})
		if !d.Model.Message.Wrong || !strings.Contains(d.Model.Message.Text, want) || d.Story.Title != built {
			t.Errorf("%s: the message is %q and the story %q", text, d.Model.Message.Text, d.Story.Title)
		}
	}
	d.Open("dropped", fstest.MapFS{"mine.json": {Data: []byte(`{"title": "Mine", "steps": [{"title": "One", "text": "At {mean} km", "show": "privacy.epsilon=2"}]}`)}})
	if d.Story.Title != "Mine" || d.told != 1 || d.Model.Config.Privacy.Epsilon != 2 {
		t.Errorf("story %q, step %d, epsilon %v: %s", d.Story.Title, d.told, d.Model.Config.Privacy.Epsilon, d.Model.Message.Text)
	}
}

// Whatever a story's file holds, it is refused on one line or comes back from what it is written as.
func FuzzStory(f *testing.F) {
	for _, text := range []string{`{"title": "A", "steps": [{"title": "B", "text": "{mean} km", "show": "privacy.epsilon=0.4&run=3&t=60"}]}`, `{"steps": []}`,
		`{"steps": [{"show": "%zz"}]}`, `{"steps": [{"show": "tab=story&select=1,2"}]}`, `{} {}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		story, err := parseStory(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("not one line: %q", err)
			}
			return
		}
		written, err := json.Marshal(story)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := parseStory(written); err != nil || !reflect.DeepEqual(again, story) {
			t.Fatalf("%s comes back as %v, %v", written, again, err)
		}
	})
}
