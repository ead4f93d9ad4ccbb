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
