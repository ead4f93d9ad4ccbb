package answer

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/model"
)

// Capital begins with a capital letter.
func Capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// MissionName is the mission on show, empty for one that is on no list.
func (a *Answers) MissionName() string {
	return a.mission.Get(a.Model.Version, func() string {
		all := model.Missions()
		if i := slices.IndexFunc(all, a.Model.Flies); i >= 0 {
			return all[i].Name
		}
		return ""
	})
}

// FlightText says which flight is on show, and where it was recognised.
func (a *Answers) FlightText() string {
	m := a.Model
	what := fmt.Sprintf("epsilon %s, run %d", Number(m.Config.Privacy.Epsilon), m.RunNumber)
	switch {
	case m.ShowsBaseline():
		what = ShownNames[m.Show][len("the "):]
	}
	return what + ", " + Recognised(&m.Flight().Run, 2)
}

// Spoken is an observer's name as people read it.
func Spoken(observer string) string { return strings.ReplaceAll(observer, "_", " ") }
