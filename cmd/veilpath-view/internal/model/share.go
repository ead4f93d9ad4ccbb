package model

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
	"veilpath/sim/study"
)

// ExportYAML returns the settings on screen as a configuration: veilpath run and veilpath study with it give what is
// shown. Its head says so, and names the version of the program.
func (m *Model) ExportYAML(name, version string) []byte {
	c := m.Exported()
	var head strings.Builder
	fmt.Fprintf(&head, "# Settings of veilpath's viewer%s.\n#\n", strings.TrimRight(" "+version, " "))
	fmt.Fprintf(&head, "#   veilpath run --config %s %s   the flight on show\n", name, m.RunFlags())
	fmt.Fprintf(&head, "#   veilpath study --config %s   the ensemble\n\n", name)
	return append([]byte(head.String()), c.YAML()...)
}

// RunFlags are the flags with which veilpath run flies the flight on show.
func (m *Model) RunFlags() string {
	run := "--run " + strconv.Itoa(m.RunNumber)
	return [...]string{ShowPrivate: run, ShowPlanned: "--epsilon none " + run, ShowDirect: "--nominal"}[m.Show]
}

// Exported is the settings with the ensemble on show as their study.
func (m *Model) Exported() configs.Config {
	c := m.Config
	c.Study.Runs = m.Runs()
	c.Study.Epsilons, c.Study.Axis = []float64{c.Privacy.Epsilon}, configs.Axis{}
	return c
}

// shownKeys are what links call the flights on show, by Shown; nothing for the private one.
var shownKeys = [...]string{ShowPlanned: "planned", ShowDirect: "direct"}

// Fragment returns the mission, the settings that differ from its own, the run and the time, as the fragment of a link:
// key=value pairs of the schema, readable as they are.
func (m *Model) Fragment() string {
	c := m.Config
	c.Study.Runs = m.Runs()
	values := differing(c)
	if key := shownKeys[m.Show]; key != "" {
		values.Set(key, "true")
	}
	if m.RunNumber != 0 {
		values.Set("run", strconv.Itoa(m.RunNumber))
	}
	if m.Clock.TimeS > 0 {
		values.Set("t", strconv.FormatFloat(math.Round(m.Clock.TimeS*1000)/1000, 'f', -1, 64))
	}
	return values.Encode()
}

// missionKey is what links call the mission from whose settings theirs differ; the default's has no key.
const missionKey = "mission"

// differing returns settings as what differs from those of a mission: of the one that leaves least to be said.
func differing(c configs.Config) url.Values {
	own := c.Texts()
	from := func(mission Mission) url.Values {
		values := url.Values{}
		for key, value := range own {
			// no flight on show depends on the range, and epsilons without one unset it
			if value != mission.texts[key] && key != "study.axis" {
				values.Set(key, value)
			}
		}
		return values
	}
	least := from(defaultMission())
	if len(least) == 0 {
		return least
	}
	for _, mission := range otherMissions() {
		values := from(mission)
		if values.Set(missionKey, mission.Name); len(values) < len(least) {
			least = values
		}
	}
	return least
}

// KeptFragment returns the settings that are compared with as Fragment returns those in force; empty for none.
func (m *Model) KeptFragment() string {
	if m.Pair == nil {
		return ""
	}
	values := differing(m.Pair.Config)
	if len(values) == 0 { // an empty fragment would be no comparison
		const one = "privacy.epsilon"
		values.Set(one, defaultMission().texts[one])
	}
	return values.Encode()
}

// ParseKept returns the settings of a fragment to compare with, checked; nil for no fragment.
func ParseKept(fragment string) (*configs.Config, error) {
	if fragment == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(fragment)
	if err != nil {
		return nil, fmt.Errorf("the settings to compare with are damaged: %w", err)
	}
	c, err := settingsOf(values)
	if err != nil {
		return nil, fmt.Errorf("the settings to compare with do not work: %w", err)
	}
	return &c, nil
}

// settingsOf returns the settings of a link. The error is in words of a page, which has no flags.
func settingsOf(values url.Values) (configs.Config, error) {
	request, known := configs.Request{Config: values.Get(missionKey)}, defaultMission().texts
	values.Del(missionKey)
	own := func(n Mission) bool { return n.Name == request.Config }
	if request.Config != "" && !slices.ContainsFunc(Missions(), own) {
		return configs.Config{}, fmt.Errorf("links of this version have no mission %q", request.Config)
	}
	var unknown []string
	for key, value := range values {
		if _, ok := known[key]; !ok {
			unknown = append(unknown, strconv.Quote(key))
		}
		request.Sets = append(request.Sets, key+"="+value[0])
	}
	if slices.Sort(unknown); unknown != nil {
		return configs.Config{}, fmt.Errorf("links of this version have no key %s", strings.Join(unknown, " or "))
	}
	loaded, err := configs.Load(request)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		words := strings.NewReplacer("flag --set", "link", "--set", "link", " or "+configs.CommandMark+"COMMAND", "")
		return configs.Config{}, errors.New(words.Replace(first))
	}
	return loaded.Config, nil
}

// Asked is what a link's fragment asks for.
type Asked struct {
	Config configs.Config
	Run    int
	Show   Shown
	TimeS  float64
}

// leastLinked and mostLinked bound the epsilon of a link: beyond them nothing differs.
const leastLinked, mostLinked = 1e-3, 1e3

// ParseFragment reads a link's fragment.
func ParseFragment(fragment string) (Asked, error) {
	values, err := url.ParseQuery(strings.TrimPrefix(fragment, "#"))
	if err != nil {
		return Asked{}, fmt.Errorf("the link is damaged: %w", err)
	}
	var a Asked
	for shown, key := range shownKeys {
		switch text := values.Get(key); text {
		case "true":
			a.Show = Shown(shown)
		case "", "false":
		default:
			return Asked{}, fmt.Errorf("the link asks for %s %q; want true", key, text)
		}
		values.Del(key)
	}
	if text := values.Get("run"); text != "" {
		if a.Run, err = strconv.Atoi(text); err != nil || a.Run < 0 {
			return Asked{}, fmt.Errorf("the link asks for run %q; runs are whole numbers from 0", text)
		}
	}
	if text := values.Get("t"); text != "" {
		if a.TimeS, err = strconv.ParseFloat(text, 64); err != nil || math.IsNaN(a.TimeS) {
			return Asked{}, fmt.Errorf("the link asks for the time %q s, which is no number", text)
		}
	}
	values.Del("run")
	values.Del("t")
	c, err := settingsOf(values)
	if err != nil {
		return Asked{}, fmt.Errorf("the link does not work: %w", err)
	}
	if e := c.Privacy.Epsilon; e != study.None() && (e < leastLinked || e > mostLinked) {
		return Asked{}, fmt.Errorf("the link asks for epsilon %v; want %v to %v", e, leastLinked, mostLinked)
	}
	none := false
	if a.Config, none = withNoise(c); none {
		a.Show = ShowPlanned
	}
	return a, nil
}

// OpenFragment takes over the settings of a link's fragment. An error leaves everything as it was.
func (m *Model) OpenFragment(fragment string) error {
	asked, err := ParseFragment(fragment)
	if err != nil {
		return err
	}
	experiment, err := m.experimentOf(asked.Config)
	if err != nil {
		return err
	}
	before, shown := m.RunNumber, m.Show
	m.RunNumber, m.Show = asked.Run, asked.Show
	if err := m.applyTo(experiment, asked.Config); err != nil {
		m.RunNumber, m.Show = before, shown
		return err
	}
	m.Clock.Seek(asked.TimeS)
	return nil
}
