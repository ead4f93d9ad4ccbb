package model

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
)

// Open shows a recorded run, study or tune, the first of the files, or takes over the one YAML configuration that they
// hold. The error says what is wrong and leaves everything as it was.
func (m *Model) Open(name string, files fs.FS) error {
	if entries := recording.List(files); len(entries) > 0 {
		at := entries[0].Path
		texts, err := recording.Read(files, at)
		if err != nil {
			return err
		}
		if at != "." {
			name = path.Base(at)
		}
		return m.OpenRecord(name, path.Join(at, recording.ManifestName), texts)
	}
	var found []string
	for _, pattern := range []string{"*.y*ml", "*/*.y*ml"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			panic("model: a pattern of files: " + err.Error())
		}
		found = append(found, names...)
	}
	if len(found) != 1 {
		return fmt.Errorf("%s holds no recording and %d YAML configurations; open a folder that veilpath run, study or tune "+
			"wrote, or one configuration", name, len(found))
	}
	text, err := recording.ReadFile(files, found[0])
	if err != nil {
		return fmt.Errorf("%s: %w", found[0], err)
	}
	return m.OpenConfig(found[0], text)
}

// OpenConfig takes over a YAML configuration.
func (m *Model) OpenConfig(name string, text []byte) error {
	config, err := loadText(name, text)
	if err != nil {
		return err
	}
	if err := m.apply(config); err != nil {
		return err
	}
	m.Record = nil
	m.Say(false, "settings of %s", name)
	return nil
}

// loadText reads settings from YAML, or from JSON, which is YAML too.
func loadText(name string, text []byte) (configs.Config, error) {
	loaded, err := configs.Load(configs.Request{Config: "./" + name,
		ReadFile: func(string) ([]byte, error) { return text, nil }})
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return configs.Config{}, errors.New(strings.TrimPrefix(first, "./"))
	}
	return loaded.Config, nil
}
