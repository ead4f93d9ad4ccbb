package configs

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// DefaultPreset is the preset that every other one, every file and every flag is layered on.
const DefaultPreset = "paper"

//go:embed *.yaml
var presetFiles embed.FS

// Preset is an embedded file of settings.
type Preset struct {
	Name  string `json:"name"`
	Title string `json:"title"` // its first line of comment
	YAML  string `json:"-"`     // as written, with all comments
}

// Presets returns the embedded presets in the order of their names.
func Presets() []Preset { return slices.Clone(presets()) }

var presets = sync.OnceValue(func() []Preset {
	entries, err := presetFiles.ReadDir(".")
	if err != nil {
		panic("configs: the embedded presets cannot be listed: " + err.Error())
	}
	var all []Preset
	for _, entry := range entries {
		name := strings.TrimSuffix(entry.Name(), ".yaml")
		text := string(mustPreset(name))
		title, _, _ := strings.Cut(text, "\n")
		all = append(all, Preset{Name: name, Title: strings.TrimLeft(title, "# "), YAML: text})
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

// defaultValues is what the preset below everything else says, read once.
var defaultValues = sync.OnceValue(func() []entry {
	return mustBeRight(readYAML(mustPreset(DefaultPreset), presetOrigin(DefaultPreset)))
})

// defaultLayer is the checked values of the preset below everything else.
var defaultLayer = sync.OnceValue(func() layer { return mustBeRight(newLayer(defaultValues())) })

// mustBeRight returns what is made of the embedded default.
func mustBeRight[T any](made T, problems []*Error) T {
	if len(problems) > 0 {
		panic("configs: the embedded default is wrong: " + joined(problems).Error())
	}
	return made
}

func isPreset(name string) bool { return slices.Contains(presetNames(), name) }

// mustPreset returns the text of an embedded preset.
func mustPreset(name string) []byte {
	text, err := presetFiles.ReadFile(name + ".yaml")
	if err != nil {
		panic("configs: no embedded preset: " + err.Error())
	}
	return text
}
