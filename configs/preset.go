package configs

import (
	"embed"
	"fmt"
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

// presets and presetNames panic only if the program was built without its files.
var presets = sync.OnceValue(func() (all []Preset) {
	for _, name := range presetNames() {
		text, err := presetFiles.ReadFile(name + ".yaml")
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		all = append(all, Preset{Name: name, Title: strings.TrimLeft(title, "# "), YAML: string(text)})
	}
	return all
})

func presetNames() (names []string) {
	files, err := presetFiles.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".yaml"))
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
var defaultValues = sync.OnceValue(func() []entry {
	found, _ := readPreset(DefaultPreset) // defaultLayer lacks what is not read
	return found
})

// defaultLayer returns the checked values of the default preset.
var defaultLayer = sync.OnceValue(func() layer {
	made, problems := layer{}.with(defaultValues(), nil)
	if len(problems) > 0 || len(made.values) < len(schema) {
		panic("configs: the embedded default is wrong: " + fmt.Sprint(joinErrors(problems)))
	}
	return made
})
