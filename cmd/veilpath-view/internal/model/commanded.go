package model

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"veilpath/adversary"
	"veilpath/configs"
	"veilpath/internal/external"
	"veilpath/internal/setup"
	"veilpath/sim/study"
)

// commanded is the flights of a record that commands made. The viewer runs no commands: it flies these by the answers
// that are recorded, and no others.
type commanded struct {
	config  configs.Config // of the record
	text    []byte         // of the answers
	answers *external.Answers
	builder *setup.Builder
	missed  int // flights that Missing counted when it was last said
}

// readCommanded reads recorded answers, unless they were the last to be read: what observers know of them is kept.
func (m *Model) readCommanded(config configs.Config, text []byte) (d *commanded, err error) {
	if d = m.lastRead; d == nil || !bytes.Equal(d.text, text) || !reflect.DeepEqual(d.config, config) {
		d, err = newCommanded(config, text)
		m.lastRead = d
	}
	return d, err
}

func newCommanded(config configs.Config, text []byte) (*commanded, error) {
	answers, err := external.ReadAnswers(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	return &commanded{config: config, text: text, answers: answers,
		builder: &setup.Builder{Commands: answers.Recorded()}}, nil
}

// check returns an error for settings with commands whose flights are not recorded.
func (d *commanded) check(c configs.Config) error {
	lines := c.Commands()
	if len(lines) == 0 {
		return nil
	}
	if d == nil {
		return fmt.Errorf("the settings name the command %s%s, and the viewer runs no commands", configs.CommandMark,
			lines[0])
	}
	own := d.config
	own.Privacy.Epsilon, own.Study = c.Privacy.Epsilon, c.Study
	own.Study.Seed, own.Study.Noise = d.config.Study.Seed, d.config.Study.Noise
	if !watched(c) {
		own.Adversary = c.Adversary // whoever watches, the flights are the same
	}
	own.Adversary.RadiusKm = c.Adversary.RadiusKm
	switch {
	case !reflect.DeepEqual(own, c):
		return fmt.Errorf("these flights were recorded with the command %s, which the viewer does not run: it can show "+
			"them, but not fly with other settings", lines[0])
	case c.Privacy.Epsilon != study.None() && !slices.Contains(d.answers.Epsilons, c.Privacy.Epsilon):
		return fmt.Errorf("these flights were recorded with the command %s, which the viewer does not run: it can show "+
			"them at epsilon %s only", lines[0], epsilonsText(d.answers.Epsilons))
	}
	return nil
}

// epsilonsText lists epsilons.
func epsilonsText(epsilons []float64) string {
	text := ""
	for i, e := range epsilons {
		switch {
		case i > 0 && i == len(epsilons)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprintf("%.4g", e)
	}
	return text
}

// recordedOnly returns the flights that there are alone, nil where any can be flown.
func (m *Model) recordedOnly() *commanded {
	if len(m.Config.Commands()) == 0 {
		return nil
	}
	return m.commanded
}

// Choice is an observer or a mechanism that settings can name.
type Choice struct{ Name, Title, Meaning string } // in settings; as people read it; what it does

// builtIn is a choice that people call as settings do.
func builtIn(name, meaning string) Choice { return Choice{name, name, meaning} }

// Observers returns who may watch: the built-in observers, and the command that watched the flights that were opened.
func (m *Model) Observers() []Choice {
	var all []Choice
	for _, o := range adversary.Models() {
		all = append(all, builtIn(o.Name, o.Meaning))
	}
	if d := m.commanded; d != nil && watched(d.config) {
		all = append(all, d.choice(d.config.Adversary.Observer, external.ObserverRole))
	}
	return all
}

// choice returns a command that settings name so.
func (d *commanded) choice(name string, role external.Role) Choice {
	hello := d.answers.Hello(role)
	return Choice{name, hello.Name, cmp.Or(hello.Meaning, "is a command of the user's")}
}

// titleOf returns what people call an observer or a mechanism of some settings: its name, or that of its command.
func (m *Model) titleOf(name string, role external.Role) string {
	if _, is := configs.CommandOf(name); is && m.commanded != nil {
		return m.commanded.answers.Hello(role).Name
	}
	return name
}

// ObserverTitle names who watches in the settings in force.
func (m *Model) ObserverTitle() string {
	return m.titleOf(m.Config.Adversary.Observer, external.ObserverRole)
}

// MechanismTitle names what hides the destination in the settings in force.
func (m *Model) MechanismTitle() string {
	return m.titleOf(m.Config.Privacy.Mechanism, external.MechanismRole)
}

// checkRun returns an error for a run that is not recorded, of settings with commands.
func (d *commanded) checkRun(c configs.Config, run int) error {
	if d == nil || len(c.Commands()) == 0 || d.answers.Has(run) {
		return nil
	}
	return fmt.Errorf("run %d is not recorded; the recorded runs are 0 to %d", run, d.answers.Runs-1)
}

// watched reports whether a command watches the flights of some settings.
func watched(c configs.Config) bool {
	_, is := configs.CommandOf(c.Adversary.Observer)
	return is
}

// RecordedAt lists the epsilons at which there are flights, where a command made them; empty where any can be flown.
func (m *Model) RecordedAt() string {
	if d := m.recordedOnly(); d != nil {
		return epsilonsText(d.answers.Epsilons)
	}
	return ""
}

// Unasked says why an observer of the goal does not watch the flights on show: to know the mechanism it would have to
// ask a command for more plans. It is empty for one that watches them.
func (m *Model) Unasked(observer string) string {
	g, err := adversary.FindGoalModel(observer)
	if err != nil || !g.KnowsNoise() || !m.commands() {
		return ""
	}
	return "A command planned these flights. The observer " + observer + " would have to ask it for more plans, and the " +
		"viewer runs no commands: choose another observer of the goal."
}

// surveyed returns the epsilons of the survey.
func (m *Model) surveyed() []float64 {
	if d := m.recordedOnly(); d != nil {
		return slices.Sorted(slices.Values(d.answers.Epsilons))
	}
	return surveyEpsilons
}

// sayMissing says once that flights were shown of which nothing is recorded.
func (m *Model) sayMissing() {
	d := m.recordedOnly()
	if d == nil {
		return
	}
	if n := d.answers.Missing(); n > d.missed {
		d.missed = n
		m.Say(true, "%d flights differ from those that were recorded, because this processor rounds differently; they count "+
			"as not recognised", n)
	}
}
