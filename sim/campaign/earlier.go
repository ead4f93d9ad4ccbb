package campaign

import (
	"path"
	"path/filepath"
	"slices"

	"veilpath/sim/record"
)

// sharedNames are patterns of the files that a verb writes under names that people's own files have too.
// They are the verb's where the manifest says that it wrote to the folder.
var sharedNames = map[string][]string{
	"tune":      {ChoiceName},
	"reproduce": {"figure-*.png", "figure-*.svg"},
}

// Earlier lists the files that an earlier verb may have written to a folder: those of names that nothing else has, and
// those of other names that the manifest vouches for as the verb's. One that is to be kept is not among the latter.
func (p *Program) Earlier(folder string, own []string, keep string) ([]string, error) {
	names := slices.Clone(own)
	earlier, err := record.ReadManifest(p.Disk, folder)
	if err != nil {
		return names, nil // what others may have written is not touched without its word
	}
	entries, err := p.Disk.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, pattern := range sharedNames[earlier.Verb] {
		for _, entry := range entries {
			if shared, _ := path.Match(pattern, entry.Name()); shared &&
				!SameFile(p.Disk, filepath.Join(folder, entry.Name()), keep) {
				names = append(names, entry.Name())
			}
		}
	}
	return names, nil
}

// SameFile reports whether two paths name one file or folder that exists.
func SameFile(disk record.FileSystem, a, b string) bool {
	first, err := disk.Stat(a)
	if err != nil {
		return false
	}
	second, err := disk.Stat(b)
	return err == nil && disk.SameFile(first, second)
}
