package configs

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// DefaultPreset is the preset below every other preset, file and flag.
const DefaultPreset = "paper"

//go:embed *.yaml
var presetFiles embed.FS

// Preset is an embedded file of settings.
type Preset struct {
	Name  string `json:"name"`
	Title string `json:"title"` // its first comment line
	YAML  string `json:"-"`     // as written, with all comments
}

// Presets returns the embedded presets in the order of their names.
func Presets() []Preset { return slices.Clone(presets()) }

var presets = sync.OnceValue(func() (all []Preset) {
	entries, err := presetFiles.ReadDir(".")
	for _, entry := range entries {
		var text []byte
		if text, err = presetFiles.ReadFile(entry.Name()); err != nil {
			break
		}
		title, _, _ := strings.Cut(string(text), "\n")
		all = append(all, Preset{Name: strings.TrimSuffix(entry.Name(), ".yaml"), Title: strings.TrimLeft(title, "# "),
			YAML: string(text)})
	}
	if err != nil {
		panic("configs: the embedded presets cannot be read: " + err.Error())
	}
	return all
})

func presetNames() []string {
	var names []string
	for _, p := range presets() {
		names = append(names, p.Name)
	}
	return names
}

func isPreset(name string) bool { return slices.Contains(presetNames(), name) }

// readPreset lists the values of an embedded preset.
func readPreset(name string) ([]entry, []*Error) {
	i := slices.Index(presetNames(), name)
	return readYAML([]byte(presets()[i].YAML), func(int) string { return presetMark + name })
}

// presetMark begins the origin of a preset's values.
const presetMark = "preset "

// defaultValues returns the values of the default preset, read once.
var defaultValues = sync.OnceValue(func() []entry { return must(readPreset(DefaultPreset)) })

// defaultLayer returns the checked values of the default preset.
var defaultLayer = sync.OnceValue(func() layer { return must(layer{}.with(defaultValues(), nil)) })

// must returns a result of the embedded default, which has no faults.
func must[T any](made T, problems []*Error) T {
	if len(problems) > 0 {
		panic("configs: the embedded default is wrong: " + joinErrors(problems).Error())
	}
	return made
}
