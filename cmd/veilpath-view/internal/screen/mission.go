package screen

import (
	"slices"

	"veilpath/cmd/veilpath-view/internal/draw"
	"veilpath/cmd/veilpath-view/internal/model"
)

// missionList lists the missions, and the mechanisms of privacy.
func (s *Screen) missionList(l *draw.List) {
	s.list(l, "Mission and mechanism", s.missionItems(), &s.ShowMissions)
}

func (s *Screen) missionItems() []item {
	var items []item
	for _, mission := range model.Missions() {
		items = append(items, item{id: "mission." + mission.Name, text: "Mission " + mission.Name + ": " + mission.Title,
			on:     s.Model.Flies(mission),
			choose: func() { s.Model.SetMission(mission) }})
	}
	for _, m := range model.Mechanisms() {
		items = append(items, item{id: "mechanism." + m.Name, text: "Mechanism " + spoken(m.Name) + ": " + m.Meaning,
			on:     m.Name == s.Model.Config.Privacy.Mechanism,
			choose: func() { s.Model.SetMechanism(m.Name) }})
	}
	return items
}

// missionName is the mission on show, empty for one that is on no list.
func (s *Screen) missionName() string {
	all := model.Missions()
	if i := slices.IndexFunc(all, s.Model.Flies); i >= 0 {
		return all[i].Name
	}
	return ""
}
