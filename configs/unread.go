package configs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// readers has the mechanisms that read a setting, for settings that the others ignore. Names are those of
// privacy.mechanism and of the flag mechanism of verbs with a problem. Commands may read every setting.
var readers = []struct{ key, mechanisms string }{
	{"privacy.delta", "reward input output output-l1 transitions policy parameter"},
	{"privacy.adjacency", "reward input output output-l1 laplace laplace-output bounded bounded-output"},
	{"privacy.calibration", "reward input output output-l1 parameter"},
	{"privacy.reward_range", "bounded bounded-output"},
	{"privacy.row_adjacency", "transitions policy"},
	{"privacy.row_uniform", "transitions policy"},
	{"deception.temperature", "soft"},
	{"deception.observer_temperature", "exaggeration ambiguity"},
	{"deception.detour", "exaggeration ambiguity"},
}

// Unread returns a warning for every setting that the user made and none of the mechanisms reads. Defaults that a file
// repeats, as that of "veilpath config show" does, are left out.
func (l *Loaded) Unread(mechanisms ...string) (warnings []string) {
	if slices.ContainsFunc(mechanisms, func(name string) bool { return strings.HasPrefix(name, CommandMark) }) {
		return nil
	}
	values, defaults := l.values(), Default().values()
	for _, r := range readers {
		if !strings.HasPrefix(l.Origin(r.key), "flag ") && reflect.DeepEqual(values[r.key], defaults[r.key]) {
			continue
		}
		known := strings.Fields(r.mechanisms)
		reads := func(name string) bool { return slices.Contains(known, name) }
		if l.IsSet(r.key) && !slices.ContainsFunc(mechanisms, reads) {
			warnings = append(warnings, fmt.Sprintf("%s (%s) has no effect with mechanism %s; leave it out", r.key,
				l.Origin(r.key), strings.Join(mechanisms, ",")))
		}
	}
	return warnings
}
