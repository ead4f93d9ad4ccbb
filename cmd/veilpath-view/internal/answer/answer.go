// Package answer is what the viewer says, in numbers and sentences.
package answer

import (
	"math"
	"slices"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/sim/study"
)

// Answers says in numbers and sentences what is on show: it is the model with what is looked at of it.
type Answers struct {
	Model *model.Model

	Heat     Heat
	Observer int     // whose belief is painted, by place among the observers of the goal
	DemandKm float64 // that flights are to be hidden until on average; 0 for none asked

	recorded     Cached[uint64, []model.Recorded]
	events       Cached[uint64, []model.Event]
	mean         Cached[meanOf, study.Curve]
	lost, gaveUp Cached[uint64, study.Curve]
	farthest     Cached[uint64, float64]
	mission      Cached[uint64, string]
	compared     Cached[[2]uint64, model.Difference]
}

// New returns the answers for a model.
func New(m *model.Model) *Answers { return &Answers{Model: m, Heat: HeatOff, Observer: MostKnowing} }

// Cached is a value that is computed once for every change of what it depends on.
type Cached[K comparable, V any] struct {
	key   K
	value V
	known bool
}

// Get returns the value for a key.
func (c *Cached[K, V]) Get(key K, compute func() V) V {
	if !c.known || c.key != key {
		c.key, c.value, c.known = key, compute(), true
	}
	return c.value
}

func either[T any](b bool, yes, no T) T {
	if b {
		return yes
	}
	return no
}

// Heat is what is painted on the map.
type Heat int

// What can be painted.
const (
	HeatNoise Heat = iota
	HeatOff
	HeatBelief
)

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

// RecordedAlong is what is recorded along epsilon of the settings in force.
func (a *Answers) RecordedAlong() []model.Recorded {
	return a.recorded.Get(a.Model.Version, a.Model.RecordedAlong)
}

// FarthestKm returns the farthest distance at which a flight is recognised, and no less than one kilometre.
func (a *Answers) FarthestKm() float64 {
	return a.farthest.Get(a.Model.Ensemble.Version, func() float64 {
		km := 1.0
		for _, m := range a.Model.Ensemble.Members {
			if m != nil {
				km = math.Max(km, m.Run.DetectionKm)
			}
		}
		return km
	})
}

// MissionName is the mission on show, empty for one that is on no list.
func (a *Answers) MissionName() string {
	return a.mission.Get(a.Model.Version, a.Model.MissionName)
}

// Capital begins with a capital letter.
func Capital(words string) string { return strings.ToUpper(words[:1]) + words[1:] }

// Spoken is an observer's name as people read it.
func Spoken(observer string) string { return strings.ReplaceAll(observer, "_", " ") }
