package answer

import (
	"fmt"
	"reflect"
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

// OtherSettings are the settings of privacy and of the observer that are not the usual ones, in words, apart from those
// that are always named: epsilon, delta, the radius, the mechanism, the observer and what belongs to a mission; empty
// where all are usual.
func (a *Answers) OtherSettings() string {
	return a.others.Get(a.Model.Version, func() string {
		own, usual := a.Model.Config, a.Standard
		privacy, adversary := own.Privacy, usual.Adversary
		privacy.Adjacency, privacy.Calibration = usual.Privacy.Adjacency, usual.Privacy.Calibration
		privacy.RewardRange, privacy.RowAdjacency, privacy.RowUniform = usual.Privacy.RewardRange,
			usual.Privacy.RowAdjacency, usual.Privacy.RowUniform
		adversary.RadiusKm, adversary.Observer = own.Adversary.RadiusKm, own.Adversary.Observer
		adversary.Candidates, adversary.Prior = own.Adversary.Candidates, own.Adversary.Prior
		usual = own
		usual.Privacy, usual.Adversary = privacy, adversary
		if reflect.DeepEqual(own, usual) { // as a rule, which takes no time while epsilon is dragged
			return ""
		}
		return model.Differs(own, usual)
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
	what := fmt.Sprintf("epsilon %s, run %d", Number(m.Config.Privacy.Epsilon), m.RunNumber)
	switch {
	case m.ShowsBaseline():
		what = ShownNames[m.Show][len("the "):]
	}
	return what + ", " + Recognised(&m.Flight().Run, 2)
}

// Spoken is an observer's name as people read it.
func Spoken(observer string) string { return strings.ReplaceAll(observer, "_", " ") }
