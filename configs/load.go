package configs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// Request lists the sources of settings. The zero value is preset paper.
type Request struct {
	Config string // preset, or path of a file; empty for preset paper

	// ReadFile reads the file and the files that settings name. Of a file longer than LargestFile it needs to
	// return only one byte more. It may be nil if there are only presets.
	ReadFile func(path string) ([]byte, error)

	Environ   []string   // os.Environ(); every VEILPATH_* variable in it must name a key
	Sets      []string   // the "key=value" of every --set
	Overrides []Override // flags that stand for a key
}

// Override is the value of a flag that stands for a key.
type Override struct {
	Key   string
	Flag  string // without dashes, such as "epsilons"
	Value any    // number or list, or text as in --set
}

// Loaded is a checked Config with the origin of every value.
type Loaded struct {
	Config
	Name     string   // the preset or path that was requested
	Warnings []string // one line each: allowed, but probably not intended

	layers   []layer // weakest first
	readFile func(path string) ([]byte, error)
}

// Setting is a key with its effective value.
type Setting struct {
	Field
	Value  string // as YAML
	Origin string
	value  any // for JSON: a number, a text, or a list of them
}

// MarshalJSON writes key, value, unit and origin.
func (s Setting) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Key    string `json:"key"`
		Value  any    `json:"value"`
		Unit   string `json:"unit,omitempty"`
		Origin string `json:"origin"`
	}{s.Key, s.value, s.Unit, s.Origin})
}

// Load layers and checks settings. The error joins one *[Error] per fault, weakest layer first.
func Load(r Request) (*Loaded, error) {
	layers, problems := r.layers()
	if len(problems) > 0 {
		return nil, joinErrors(problems)
	}
	return newLoaded(r.name(), layers, r.ReadFile)
}

// With returns the settings with additional flags, as if they were among the overrides of the request. It does
// not read the sources again. A key that a flag already sets is an error.
func (l *Loaded) With(overrides ...Override) (*Loaded, error) {
	found, _ := readFlags(nil, overrides)
	last := len(l.layers) - 1
	top, problems := l.layers[last].with(found, fileReader(l.readFile).from(""))
	if len(problems) > 0 {
		return nil, joinErrors(problems)
	}
	return newLoaded(l.Name, append(slices.Clone(l.layers[:last]), top), l.readFile)
}

// newLoaded merges layers and checks the combination of their values.
func newLoaded(name string, layers []layer, readFile func(string) ([]byte, error)) (*Loaded, error) {
	config, err := merge(layers)
	if err != nil {
		return nil, err
	}
	found := append(config.fitRewards(), config.boundVaried()...)
	if len(found) == 0 {
		found = config.conflicts()
	}
	if len(found) > 0 {
		return nil, joinErrors(locate(config, layers, found))
	}
	loaded := &Loaded{Config: config, Name: name, layers: layers, readFile: readFile}
	for _, warning := range locate(config, layers, config.warnings()) {
		loaded.Warnings = append(loaded.Warnings, warning.Error())
	}
	return loaded, nil
}

// Default returns preset paper.
func Default() Config {
	loaded, err := Load(Request{})
	if err != nil {
		panic("configs: the embedded default is wrong: " + err.Error())
	}
	return loaded.Config
}

// Origin returns the source of a key's value: "flag --set", "flag --epsilons", "environment
// VEILPATH_SIM_STEP_S", "my.yaml:12" or "preset paper". It is empty for an unknown key.
func (l *Loaded) Origin(key string) string {
	for _, layer := range slices.Backward(l.layers) {
		if origin := layer.origins[key]; origin != "" {
			return origin
		}
	}
	return ""
}

// IsSet reports whether the user set a key, by flag, variable or file; presets do not count.
func (l *Loaded) IsSet(key string) bool {
	origin := l.Origin(key)
	name, marked := strings.CutPrefix(origin, presetMark)
	return origin != "" && !(marked && isPreset(name))
}

// Settings returns all keys in the order of the schema, with value and origin.
func (l *Loaded) Settings() []Setting {
	var settings []Setting
	values := l.values()
	for _, f := range Schema() {
		value := values[f.Key]
		settings = append(settings, Setting{Field: f, Value: valueText(value), Origin: l.Origin(f.Key), value: value})
	}
	return settings
}

// Commented returns the YAML of [Config.YAML] with each key's meaning, unit, range and origin as comments: of
// all groups, or of the given ones.
func (l *Loaded) Commented(groups ...string) []byte {
	fields := Schema()
	if len(groups) > 0 {
		fields = slices.DeleteFunc(fields, func(f Field) bool { return !slices.Contains(groups, f.Group()) })
	}
	return render(l.Texts(), fields, l.Origin)
}

// Groups returns the names of the groups of keys.
func Groups() []string { return slices.Clone(groups) }

func (r Request) name() string { return cmp.Or(r.Config, DefaultPreset) }

// layers reads and checks the four layers, weakest first: the default preset, the named preset or file, the
// environment, the flags.
func (r Request) layers() ([]layer, []*Error) {
	layers := []layer{defaultLayer()}
	var problems []*Error
	add := func(folder string, found []entry, wrong []*Error) {
		checked, more := layer{}.with(found, fileReader(r.ReadFile).from(folder))
		layers = append(layers, checked)
		problems = slices.Concat(problems, wrong, more)
	}
	found, wrong := r.readNamed()
	add(filepath.Dir(r.name()), found, wrong)
	found, wrong = readEnvironment(r.Environ)
	add("", found, wrong)
	found, wrong = readFlags(r.Sets, r.Overrides)
	add("", found, wrong)
	return layers, problems
}

// readNamed reads the requested preset or file, unless it is the default preset.
func (r Request) readNamed() ([]entry, []*Error) {
	name := r.name()
	switch {
	case name == DefaultPreset:
		return nil, nil
	case isPreset(name):
		return readPreset(name)
	}
	wrong := (&Error{Key: "config", option: true, Value: shortenedPath(name)}).because("neither a preset nor a file",
		strings.Join(presetNames(), ", ")+", the path of a YAML file, or a folder of results",
		Suggest(NearestOf(name, presetNames()), "use one of these"))
	if strings.ContainsAny(name, `./\`) {
		wrong.Fix = "check the path"
	}
	if r.ReadFile == nil {
		return nil, []*Error{wrong}
	}
	text, err := r.ReadFile(name)
	var refusal interface {
		error
		Text(write func(name string) string) string
	}
	if err != nil {
		switch {
		case errors.As(err, &refusal): // it names the remedy itself
			wrong.Problem, wrong.Allowed, wrong.Fix, wrong.cause = "", "", "", err
		case !errors.Is(err, fs.ErrNotExist):
			wrong.Problem, wrong.Fix, wrong.cause = "not readable, "+reason(err), "name a file that can be read", err
		}
		return nil, []*Error{wrong}
	}
	return readYAML(text, func(line int) string { return fmt.Sprintf("%s:%d", name, line) })
}

// reason returns why a file cannot be read, without its name.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		err = pathError.Err
	}
	return err.Error()
}

// readers has the mechanisms that read a setting, for settings that the others ignore. Names are those of
// privacy.mechanism and of the flag mechanism of verbs with a problem. Commands may read every setting.
var readers = []struct{ key, mechanisms string }{
	{"privacy.delta", "reward input output output-l1 transitions policy parameter"},
	{"privacy.adjacency", "reward input output output-l1 laplace laplace-output bounded bounded-output"},
	{"privacy.calibration", "reward input output output-l1 parameter"},
	{"privacy.reward_range", "bounded bounded-output"},
	{"privacy.row_adjacency", "transitions policy"},
	{"privacy.row_uniform", "transitions policy"},
	{"deception.temperature", "soft misinformation"},
	{"deception.observer_temperature", "exaggeration ambiguity"},
	{"deception.detour", "exaggeration ambiguity misinformation"},
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
