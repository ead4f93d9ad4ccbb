package answer

import (
	"slices"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/configs"
	"veilpath/sim/study"
)

// Answers says in numbers and sentences what is on show: it is the model with what is looked at of it.
type Answers struct {
	Model    *model.Model
	Standard configs.Config // preset paper, which double clicks go back to

	Heat     Heat
	Observer int     // whose belief is painted, by place among the observers of the goal
	DemandKm float64 // that flights are to be hidden until on average; 0 for none asked

	Compact bool // the views are stacked in a narrow window
	Touch   bool // as a rule a finger is the pointer

	recorded     Cached[uint64, Recorded]
	reasons      Cached[[2]uint64, Reasons]
	lost, gaveUp Cached[uint64, study.Curve]
	farthest     Cached[uint64, float64]
	mission      Cached[uint64, string]
	compared     Cached[[2]uint64, model.Difference]
	differs      Cached[uint64, [2]string]
}

// New returns the answers for a model.
func New(m *model.Model) *Answers {
	return &Answers{Model: m, Standard: configs.Default(), Heat: HeatOff, Observer: MostKnowing}
}

// Heat is what is painted on the map.
type Heat int

// What can be painted.
const (
	HeatNoise Heat = iota
	HeatOff
	HeatBelief
)

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

// HeatShown is what is painted: baselines have no noise, and neither have flights of mechanisms that make none.
func (a *Answers) HeatShown() Heat {
	if a.Heat == HeatNoise && (a.Model.ShowsBaseline() || a.Model.Flight().Rewards == nil) {
		return HeatOff
	}
	return a.Heat
}

// MostKnowing is the place of the observer of the goal who knows everything but the goal.
var MostKnowing = slices.IndexFunc(adversary.GoalModels(), func(m adversary.GoalModel) bool { return m.Private })

// ChooseHeat paints the map, with the flight that it is of.
func (a *Answers) ChooseHeat(h Heat) {
	a.Heat = h
	if a.Model.ShowsBaseline() && h == HeatNoise {
		a.Model.SetShown(model.ShowPrivate)
	}
}
