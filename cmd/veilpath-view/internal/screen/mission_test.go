package screen

import (
	"slices"
	"strings"
	"testing"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/panel"
	"veilpath/cmd/veilpath-view/internal/ui"
	"veilpath/configs"
	"veilpath/planner/deception"
)

// The list has every mechanism that settings can name, and says of each way that gives no guarantee that it gives none.
func TestAllMechanismsAreListed(t *testing.T) {
	d := newDesk(t, 1280, 800)
	for _, f := range configs.Schema() {
		if f.Key != "privacy.mechanism" {
			continue
		}
		for _, name := range f.Choices() {
			at := slices.IndexFunc(d.missionItems(), func(it panel.Item) bool { return it.ID == "mechanism."+name })
			if at < 0 {
				t.Errorf("the list has no %s", name)
				continue
			}
			_, way := deception.Find(name)
			if text := d.missionItems()[at].Text; strings.HasSuffix(text, deception.NoGuarantee) != way {
				t.Errorf("%s is listed as %q", name, text)
			}
		}
	}
}

// Another mission, and another mechanism, is chosen from a list, compared with what was kept, told by a link, and
// undone.
func TestMissionsAndMechanisms(t *testing.T) {
	d := newDesk(t, 1280, 800)
	settle := func() {
		d.Model.Work()
		d.step(ui.Input{Outside: true})
		d.step(ui.Input{Outside: true})
	}
	names := []string{}
	for _, m := range model.Missions() {
		names = append(names, m.Name)
	}
	if !slices.Equal(names, []string{"paper", "passage", "three-goals"}) {
		t.Fatalf("the missions are %v", names)
	}
	d.do("compare")
	settle()
	if !slices.Contains(d.legend(), "kept flight") {
		t.Error("the legend does not tell the kept flight")
	}
	choices := []string{"mission.passage"}
	for _, m := range model.Mechanisms() {
		choices = append(choices, "mechanism."+m.Name)
	}
	slices.Reverse(choices[1:]) // another than the one in force first
	for _, choice := range append(choices, "mission.three-goals") {
		before := d.Link()
		d.do("mission")
		d.step(ui.Input{Outside: true})
		if _, seen := d.UI.Regions()[choice]; seen {
			d.clickOn(choice)
		} else {
			d.do(choice) // farther down the list
			d.palette.Open = false
		}
		settle()
		if choice == "mechanism.transitions" { // which hides nothing where moves are certain
			if text := d.Model.Message.Text; !strings.Contains(text, "planner.slip") || d.Link() != before {
				t.Errorf("%s says %q and leads to %s", choice, text, d.Link())
			}
			d.Model.Message = model.Message{}
			continue
		}
		if d.Model.Message.Wrong || d.palette.Open {
			t.Fatalf("%s: %q", choice, d.Model.Message.Text)
		}
		on := slices.IndexFunc(d.missionItems(), func(it panel.Item) bool { return it.ID == choice })
		if !d.missionItems()[on].On || model.Differs(d.Model.Pair.Config, d.Model.Config) == "" {
			t.Errorf("%s is not flown beside what was kept", choice)
		}
		if kept := d.KeptText(); choice == "mission.passage" && kept != "kept: mission paper" {
			t.Errorf("kept is %q", kept)
		}
		link := d.Link()
		d.press(ui.Undo)
		settle()
		if now := d.Link(); now != before {
			t.Errorf("%s undone leads to %s, was %s", choice, now, before)
		}
		d.Follow(link)
		settle()
		if now := d.Link(); now != link {
			t.Errorf("%s by its link leads to %s, want %s", choice, now, link)
		}
	}
	if d.MissionName() != "three-goals" {
		t.Errorf("flown is %q", d.MissionName())
	}
}
