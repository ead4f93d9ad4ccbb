package answer

import (
	"fmt"
	"slices"
	"strings"

	"veilpath/cmd/veilpath-view/internal/chart"
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

// ShownText says which of the flights that are drawn over the ensemble one is, and where it is recognised.
func (a *Answers) ShownText(f *model.Flight) string {
	name := fmt.Sprintf("Run %d, on show", a.Model.RunNumber)
	if f == &a.Model.Nominal {
		name = Capital(a.Model.DirectWay())
	}
	return name + ": " + Recognised(&f.Run, 2) + "."
}

// FlightText says which flight is on show, and where it was recognised.
func (a *Answers) FlightText() string {
	m := a.Model
	what := fmt.Sprintf("epsilon %s, run %d", chart.Number(m.Config.Privacy.Epsilon), m.RunNumber)
	switch {
	case m.ShowsBaseline():
		what = ShownNames[m.Show][len("the "):]
	case m.ChangedByHand():
		what += " changed by hand"
	}
	return what + ", " + Recognised(&m.Flight().Run, 2)
}
