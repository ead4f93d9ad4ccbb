package screen

import (
	"slices"
	"strconv"
	"strings"

	"veilpath/adversary"
	"veilpath/cmd/veilpath-view/internal/answer"
	"veilpath/cmd/veilpath-view/internal/link"
	"veilpath/cmd/veilpath-view/internal/model"
	"veilpath/configs"
)

// scene is what a step of the story tells of: the settings, the flight, what is painted and what is compared with. The
// moment, the place, the theme and the panels are no part of it.
type scene struct {
	model.Asked
	heat     answer.Heat
	observer int             // whose belief is painted
	kept     *configs.Config // nil for none
}

// sceneOf returns the scene of a step.
func (s *Screen) sceneOf(step int) (*scene, error) {
	p, err := s.parseLink(link.Story + "=" + strconv.Itoa(step))
	if err != nil {
		return nil, err
	}
	asked, err := model.ParseFragment(s.settingsOf(p.values))
	if err != nil {
		return nil, err
	}
	c := &scene{Asked: asked, heat: answer.HeatOff, observer: answer.MostKnowing}
	if text := p.values.Get(link.Heat); text != "" {
		c.heat = answer.Heat(slices.Index(heatNames, text))
	}
	if text := p.values.Get(link.GoalObserver); text != "" {
		c.observer = slices.Index(adversary.GoalNames(), text)
	}
	c.kept, err = model.ParseKept(p.values.Get(link.Kept))
	return c, err
}

// departed says what is on show in place of what the step tells of; empty where that is on show.
func (s *Screen) departed() string {
	return s.departure.Get(s.change(), func() string { return strings.Join(s.departures(), ", ") })
}

func (s *Screen) departures() []string {
	m, c := s.Model, s.scene
	var parts []string
	add := func(differs bool, text string) {
		if differs {
			parts = append(parts, text)
		}
	}
	if differs := model.Differs(m.Config, c.Config); differs != "" {
		parts = append(parts, differs)
	}
	add(m.Config.Study.Seed != c.Config.Study.Seed, "seed "+strconv.FormatUint(m.Config.Study.Seed, 10))
	add(m.Config.Study.Noise != c.Config.Study.Noise, "noise "+m.Config.Study.Noise)
	add(m.Show != c.Show, answer.ShownNames[m.Show])
	add(m.RunNumber != c.Run, "run "+strconv.Itoa(m.RunNumber))
	add(c.heat != answer.HeatOff && s.Heat != c.heat, "map "+heatNames[s.Heat])
	add(c.heat == answer.HeatBelief && s.Observer != c.observer, "another observer's belief")
	add(c.kept != nil && (m.Pair == nil || model.Differs(m.Pair.Config, *c.kept) != ""),
		either(m.Pair == nil, "no comparison", "another comparison"))
	return parts
}
