package screen

import (
	"slices"
	"strconv"

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

// departed reports whether something else is on show than what the step tells of.
func (s *Screen) departed() bool { return s.departure.Get(s.change(), s.departs) }

func (s *Screen) departs() bool {
	m, c := s.Model, s.scene
	return model.Differs(m.Config, c.Config) != "" || m.Config.Study.Seed != c.Config.Study.Seed ||
		m.Config.Study.Noise != c.Config.Study.Noise || m.Show != c.Show || m.RunNumber != c.Run ||
		c.heat != answer.HeatOff && s.Heat != c.heat || c.heat == answer.HeatBelief && s.Observer != c.observer ||
		c.kept != nil && (m.Pair == nil || model.Differs(m.Pair.Config, *c.kept) != "")
}
