package screen

import (
	"slices"
	"testing"

	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/cmd/veilpath-view/internal/ui"
)

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
	if !slices.ContainsFunc(d.legendEntries(), func(e legendEntry) bool { return e.text == "kept flight" }) {
		t.Error("the legend does not tell the kept flight")
	}
	for _, choice := range []string{"mission.passage", "mechanism." + model.Mechanisms()[1].Name,
		"mechanism." + model.Mechanisms()[0].Name, "mission.three-goals"} {
		before := d.Link()
		d.do("mission")
		d.step(ui.Input{Outside: true})
		d.clickOn(choice)
		settle()
		if d.Model.Message.Wrong || d.palette.open {
			t.Fatalf("%s: %q", choice, d.Model.Message.Text)
		}
		on := slices.IndexFunc(d.missionItems(), func(it item) bool { return it.id == choice })
		if !d.missionItems()[on].on || model.Differs(d.Model.Pair.Config, d.Model.Config) == "" {
			t.Errorf("%s is not flown beside what was kept", choice)
		}
		if kept := d.keptText(); choice == "mission.passage" && kept != "kept: mission paper" {
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
	if d.missionName() != "three-goals" {
		t.Errorf("flown is %q", d.missionName())
	}
}
