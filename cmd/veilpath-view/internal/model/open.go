package model

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"veilpath/cmd/internal/recording"
	"veilpath/configs"
)

// Open shows a recorded run, study or tune, the one nearest to the root of the files, or takes over the one
// YAML configuration that they hold. The error says what is wrong and leaves everything as it was.
func (m *Model) Open(name string, files fs.FS) error {
	if entries := recording.List(files); len(entries) > 0 {
		return m.openNearest(name, files, entries)
	}
	at, err := onlyFile(files)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text, err := recording.ReadFile(files, at)
	if err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	if path.Ext(at) == ".json" {
		return m.OpenRecord(name, at, recording.Files{Manifest: text})
	}
	return m.OpenConfig(at, text)
}

// openNearest opens the entry nearest to the root, of those that can be shown, and says what it passed over.
func (m *Model) openNearest(name string, files fs.FS, entries []recording.Entry) error {
	depth := func(e recording.Entry) int { return len(strings.Split(path.Join(e.Path, recording.ManifestName), "/")) }
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b recording.Entry) int {
		if (a.Problem == "") != (b.Problem == "") {
			return len(a.Problem) - len(b.Problem)
		}
		return depth(a) - depth(b)
	})
	var first error
	for _, e := range entries {
		err := m.openEntry(name, files, e)
		if err == nil {
			if first != nil {
				m.Say(true, "%v; shown is %s", first, m.Record.Name)
			}
			return nil
		}
		if errors.As(err, new(*unprepared)) {
			return err
		}
		if first == nil {
			first = err
			if e.Path != "." {
				first = fmt.Errorf("%s: %w", e.Path, err)
			}
		}
	}
	return first
}

// openEntry opens a recording of a folder of that name.
func (m *Model) openEntry(name string, files fs.FS, e recording.Entry) error {
	read := recording.Read
	if alone(files) {
		read = recording.ReadAlone
	}
	texts, err := read(files, e.Path)
	if err != nil {
		return err
	}
	if e.Path != "." {
		name = path.Base(e.Path)
	}
	return m.OpenRecord(name, path.Join(e.Path, recording.ManifestName), texts)
}

// alone reports whether there is one file and nothing beside it: a manifest that was picked on its own.
func alone(files fs.FS) bool {
	entries, err := fs.ReadDir(files, ".")
	return err == nil && len(entries) == 1 && !entries[0].IsDir()
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

// onlyFile returns the one configuration among files that hold no recording, or the one JSON file there is.
func onlyFile(files fs.FS) (string, error) {
	var configurations, others []string
	seen := 0
	err := fs.WalkDir(files, ".", func(p string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > mostEntries {
			return fs.SkipAll
		}
		switch extension := path.Ext(p); {
		case d.IsDir() && p != "." && recording.Hidden(d.Name()):
			return fs.SkipDir
		case d.IsDir():
		case extension == ".yaml" || extension == ".yml" || extension == ".json":
			configurations = append(configurations, p)
		default:
			others = append(others, p)
		}
		return nil
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("cannot be read: %w", err)
	case len(configurations) == 1:
		return configurations[0], nil
	case len(configurations) > 1:
		return "", fmt.Errorf("holds %d configurations; open one of them: %s", len(configurations),
			strings.Join(configurations[:2], ", "))
	case len(others) > 0:
		return "", fmt.Errorf("holds %s but no %s; open the folder that veilpath run, study or tune wrote, its %[2]s, or a "+
			"YAML configuration",
			path.Base(others[0]), recording.ManifestName)
	}
	return "", errors.New("holds no files; open the folder that veilpath run, study or tune wrote")
}

// mostEntries bounds how many files of a folder without a recording are looked at.
const mostEntries = 2000

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
