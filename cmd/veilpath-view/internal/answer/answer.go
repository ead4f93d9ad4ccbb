package answer

import (
	"slices"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/configs"
)

// Answers says in numbers and sentences what is on show: it is the model with what is looked at of it.
type Answers struct {
	Model    *model.Model
	Standard configs.Config // preset paper, which double clicks go back to

	Heat     Heat
	Observer int      // whose belief is painted, by place among the observers of the goal
	Also     []string // observers of where flights end whose guesses are drawn beside those of the one in force
	DemandKm float64  // that flights are to be hidden until on average; 0 for none asked

	Compact bool // there is little room
	Touch   bool // as a rule a finger is the pointer

	Published *model.Published // means of the paper

	recorded      Cached[uint64, Recorded]
	reasons       Cached[[2]uint64, Reasons]
	epsilonBreaks Cached[[2]uint64, []float64]
	farthest      Cached[uint64, float64]
	crossed       Cached[uint64, string]
	mission       Cached[uint64, string]
	watchers      Cached[uint64, map[string]*model.Watcher]
	compared      Cached[[2]uint64, model.Difference]
	differs       Cached[uint64, [2]string]
	others        Cached[uint64, string]
}

// New returns the answers for a model.
func New(m *model.Model) (*Answers, error) {
	published, err := model.NewPublished()
	return &Answers{Model: m, Standard: configs.Default(), Heat: HeatOff, Observer: MostKnowing, Published: published}, err
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

// FarthestKm is what charts of the detection distance reach to at least, km.
const FarthestKm = 20

// MostKnowing is the place of the observer of the goal who knows everything but the goal.
var MostKnowing = slices.IndexFunc(adversary.GoalModels(), func(m adversary.GoalModel) bool { return m.Private })

// ChooseHeat paints the map, with the flight that it is of.
func (a *Answers) ChooseHeat(h Heat) {
	a.Heat = h
	if a.Model.ShowsBaseline() && h == HeatNoise {
		a.Model.SetShown(model.ShowPrivate)
	}
}
