package model

import (
	"reflect"
	"slices"
	"sync"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/planner"
	"veilpath/planner/deception"
	"veilpath/planner/privacy"
)

// Mission is a preset whose flights are of a mission of their own.
type Mission struct {
	Name, Title string

	config configs.Config
	texts  map[string]string // of its config
}

// Missions returns the missions among the presets, that of the default first.
func Missions() []Mission { return append([]Mission{defaultMission()}, otherMissions()...) }

// The other presets are loaded when they are asked for: what is shown first needs the default alone.
var (
	defaultMission = sync.OnceValue(func() Mission {
		all := configs.Presets()
		return missionOf(all[slices.IndexFunc(all, func(p configs.Preset) bool { return p.Name == configs.DefaultPreset })])
	})
	otherMissions = sync.OnceValue(func() (others []Mission) {
		for _, p := range configs.Presets() {
			own := missionOf(p)
			if own.config.Problem == configs.Waypoints && !own.flownBy(configs.Default()) {
				others = append(others, own)
			}
		}
		return others
	})
)

// missionOf returns the mission of a preset.
func missionOf(p configs.Preset) Mission {
	loaded, err := configs.Load(configs.Request{Config: p.Name})
	if err != nil {
		panic("model: an embedded preset does not load: " + err.Error())
	}
	return Mission{p.Name, p.Title, loaded.Config, loaded.Config.Texts()}
}

// flownBy reports whether the flights of some settings are of the mission.
func (n *Mission) flownBy(c configs.Config) bool { return reflect.DeepEqual(n.of(c), c) }

// of returns settings with the mission in place of theirs.
func (n *Mission) of(c configs.Config) configs.Config {
	c.Vehicle, c.TargetKm, c.Guidance, c.Planner, c.Sim = n.config.Vehicle, n.config.TargetKm, n.config.Guidance,
		n.config.Planner, n.config.Sim
	c.Privacy.HandoverKm, c.Vary = n.config.Privacy.HandoverKm, n.config.Vary
	c.Adversary.Candidates, c.Adversary.Prior = n.config.Adversary.Candidates, n.config.Adversary.Prior
	return c
}

// MissionName is the mission on show, empty for one that is on no list.
func (m *Model) MissionName() string {
	if own := defaultMission(); own.flownBy(m.Config) {
		return own.Name
	}
	for _, own := range otherMissions() {
		if own.flownBy(m.Config) {
			return own.Name
		}
	}
	return ""
}

// SetMission flies another mission under the same privacy and observer.
func (m *Model) SetMission(mission Mission) {
	m.change(func(c *configs.Config) { *c = mission.of(*c) })
}

// Mechanisms returns what may hide the destination: noise on the reward, the others with a guarantee, and the ways
// without one, which say so.
func Mechanisms() []Choice {
	all := []Choice{{configs.OnReward,
		"adds Gaussian noise to every entry of the reward: (epsilon, delta) for one entry"}}
	for _, f := range planner.FlightMechanisms() {
		promise := planner.PromiseOf(f)
		all = append(all, Choice{f.Name(), f.Meaning() + ": " + promise.Guarantee + " for " + promise.Protects})
	}
	for _, g := range privacy.GoalMechanisms() {
		all = append(all, Choice{g.Name(), g.Meaning()})
	}
	for _, w := range deception.Ways() {
		all = append(all, Choice{w.Name, w.Meaning + "; " + deception.NoGuarantee})
	}
	return all
}

// SetMechanism chooses what hides the destination: the name of one of Mechanisms.
func (m *Model) SetMechanism(name string) {
	m.change(func(c *configs.Config) { c.Privacy.Mechanism = name })
}

// Choice is an observer or a mechanism that settings can name.
type Choice struct{ Name, Meaning string }

// Observers returns who may watch.
func Observers() []Choice {
	var all []Choice
	for _, o := range adversary.Models() {
		all = append(all, Choice{o.Name, o.Meaning})
	}
	return all
}
