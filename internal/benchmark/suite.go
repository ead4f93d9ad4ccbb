package benchmark

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"veilpath/configs"
)

// Suite is what a benchmark measures: every mission with every way at every strength.
type Suite struct {
	Name      string    `yaml:"name"`
	Flights   int       `yaml:"flights"`   // of a row, at least 4
	Policies  int       `yaml:"policies"`  // private policies of every goal that observers know, at least 1
	Training  int       `yaml:"training"`  // flights that the observer learned learns from, at least 10
	Seed      uint64    `yaml:"seed"`      // of all noise
	RadiusKm  float64   `yaml:"radius_km"` // within which a goal counts as recognised, km, at least 0
	Observers []string  `yaml:"observers"` // of the goal
	Missions  []Mission `yaml:"missions"`
	Ways      []Way     `yaml:"ways"`
}

// Mission is settings under a name.
type Mission struct {
	Name   string            `yaml:"name"`
	Config string            `yaml:"config"` // a preset or file; empty for the default preset
	Set    map[string]string `yaml:"set"`    // settings over it, by key
}

// Way is a way to hide the plan, at several strengths.
type Way struct {
	Name      string            `yaml:"name"`
	Set       map[string]string `yaml:"set"`       // settings that choose it, by key
	Parameter string            `yaml:"parameter"` // key of the setting that is its strength
	Values    []string          `yaml:"values"`    // of the parameter
	Only      []string          `yaml:"only"`      // names of the missions that it is for; empty for all
}

// Case is a mission with a way at one strength.
type Case struct {
	Mission Mission
	Way     Way
	Value   string // of the way's parameter
}

// mostCases bounds a suite.
const mostCases = 10_000

// ReadSuite reads a suite in YAML and checks it. Errors name the field and what it must be.
func ReadSuite(text []byte) (*Suite, error) {
	s := &Suite{Policies: 60, Training: 500, Flights: 200, Seed: 1, RadiusKm: 25}
	if err := decode(text, s); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Suite) check() error {
	switch {
	case s.Flights < 4:
		return fmt.Errorf("flights is %d; want at least 4, two to choose the strongest observer and two to measure it",
			s.Flights)
	case s.Policies < 1:
		return fmt.Errorf("policies is %d; want at least 1", s.Policies)
	case s.Training < 10:
		return fmt.Errorf("training is %d; want at least 10", s.Training)
	case !(s.RadiusKm >= 0):
		return fmt.Errorf("radius_km is %g; want 0 or more", s.RadiusKm)
	case len(s.Observers) == 0:
		return errors.New("observers: want the name of one observer of the goal at least")
	case s.commandBeforeLast():
		return errors.New("observers: a command, exec:COMMAND, must be the last of them, since it extends to the end of " +
			"the list in the command of a row")
	case len(s.Missions) == 0 || len(s.Ways) == 0:
		return fmt.Errorf("%d missions and %d ways; want at least one of each", len(s.Missions), len(s.Ways))
	}
	names := map[string]bool{}
	for _, m := range s.Missions {
		if m.Name == "" || names[m.Name] {
			return fmt.Errorf("missions: %q; want a name of its own for each", m.Name)
		}
		names[m.Name] = true
	}
	missions := maps.Clone(names)
	clear(names)
	cases := 0
	for _, w := range s.Ways {
		unknown := slices.IndexFunc(w.Only, func(name string) bool { return !missions[name] })
		switch {
		case unknown >= 0:
			return fmt.Errorf("ways: %s is only for %q, and no mission has that name", w.Name, w.Only[unknown])
		case w.Name == "" || names[w.Name]:
			return fmt.Errorf("ways: %q; want a name of its own for each", w.Name)
		case w.Parameter == "" && len(w.Values) > 0:
			return fmt.Errorf("ways: %s has values and no parameter; name the setting that they are of", w.Name)
		case w.Parameter != "" && len(w.Values) == 0:
			return fmt.Errorf("ways: %s has the parameter %s and no values; list some", w.Name, w.Parameter)
		}
		if err := w.check(); err != nil {
			return err
		}
		names[w.Name] = true
		cases += len(s.Missions) * max(1, len(w.Values))
	}
	if cases > mostCases {
		return fmt.Errorf("%d rows, more than %d; leave missions, ways or values out", cases, mostCases)
	}
	return nil
}

// check refuses settings that are those of a mission, and a value that is listed twice.
func (w *Way) check() error {
	keys := slices.Sorted(maps.Keys(w.Set))
	if w.Parameter != "" {
		keys = append(keys, w.Parameter)
	}
	for _, key := range keys {
		if !ofWay(key) {
			return fmt.Errorf("ways: %s sets %s, which belongs to missions; a way sets privacy, deception and exec", w.Name, key)
		}
	}
	for i, v := range w.Values {
		if slices.ContainsFunc(w.Values[:i], func(other string) bool { return sameValue(v, other) }) {
			return fmt.Errorf("ways: %s lists %s twice; leave one out", w.Name, v)
		}
	}
	return nil
}

// sameValue reports whether two values are the same text or number.
func sameValue(one, other string) bool {
	x, err := strconv.ParseFloat(one, 64)
	y, err2 := strconv.ParseFloat(other, 64)
	return one == other || err == nil && err2 == nil && x == y
}

// ofWay reports whether a key is one that ways to hide set.
func ofWay(key string) bool {
	group, _, _ := strings.Cut(key, ".")
	return slices.Contains([]string{"privacy", "deception", "exec"}, group)
}

// commandBeforeLast reports whether an observer other than the last is a command.
func (s *Suite) commandBeforeLast() bool {
	return slices.ContainsFunc(s.Observers[:len(s.Observers)-1], func(name string) bool {
		_, is := configs.CommandOf(name)
		return is
	})
}

// Cases returns all cases, mission by mission.
func (s *Suite) Cases() (all []Case) {
	for _, m := range s.Missions {
		for _, w := range s.Ways {
			if len(w.Only) > 0 && !slices.Contains(w.Only, m.Name) {
				continue
			}
			if len(w.Values) == 0 {
				all = append(all, Case{Mission: m, Way: w})
			}
			for _, v := range w.Values {
				all = append(all, Case{Mission: m, Way: w, Value: v})
			}
		}
	}
	return all
}

// Settings returns the settings of a case over those of its mission's config, each written key=value.
func (c *Case) Settings() (sets []string) {
	values := maps.Clone(c.Mission.Set)
	if values == nil {
		values = map[string]string{}
	}
	maps.Copy(values, c.Way.Set)
	if c.Way.Parameter != "" {
		values[c.Way.Parameter] = c.Value
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		sets = append(sets, key+"="+values[key])
	}
	return sets
}

// Title names a case in errors.
func (c *Case) Title() string {
	return strings.TrimSpace("mission " + c.Mission.Name + ", way " + c.Way.Name + " " + c.Value)
}

// Load loads the settings of a row with its seed. Workers are the goroutines, 0 for one per core.
func (r Request) Load(workers int) (*configs.Loaded, error) {
	loaded, err := configs.Load(configs.Request{Config: r.Config, Sets: r.Set})
	if err != nil {
		return nil, err
	}
	loaded.Study.Seed, loaded.Study.Workers = r.Seed, workers
	return loaded, nil
}
