package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
)

// Write writes a file under a temporary name. [Folder.Finish] renames it together with all others, in the order of
// writing. Writing a name again replaces the file. After an error there is no file. An error of the function is
// returned unchanged. Write may be called from several goroutines.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	if name == ManifestName || name == PlanName {
		panic("record: " + name + " is written by Finish and Plan")
	}
	p, err := f.write(name, write)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.addPending(name, p)
	return nil
}

// addPending adds a complete file to the files that Finish renames.
func (f *Folder) addPending(name string, p *pending) {
	if before := f.written[name]; before != nil {
		before.remove()
	} else {
		f.order = append(f.order, name)
	}
	f.written[name] = p
	if name != ManifestName {
		f.files[name] = p.sha256()
	}
}

// drop removes all files that are still under temporary names.
func (f *Folder) drop() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, name := range f.order {
		f.written[name].remove()
	}
	f.clearPending()
}

// Names returns the sorted names of the files that were written.
func (f *Folder) Names() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Sorted(maps.Keys(f.files))
}

// Read returns the contents of a file in Names.
func (f *Folder) Read(name string) ([]byte, error) {
	path := filepath.Join(f.path, name)
	f.mutex.Lock()
	if p := f.written[name]; p != nil {
		path = p.temporary
	}
	f.mutex.Unlock()
	file, size, err := openRegular(f.disk, path)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, cause(err))
	}
	text, err := io.ReadAll(io.NewSectionReader(file, 0, size))
	return text, errors.Join(err, file.Close())
}

// SHA256 returns the hash, in hexadecimal, of a file from Write.
func (f *Folder) SHA256(name string) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.files[name]
}

// Plan writes and syncs the plan of a study, from which it can be resumed until it has a manifest, after the journal.
// Finished files of an earlier answer stay until then.
func (f *Folder) Plan(m Manifest) error {
	if f.journal != nil {
		if err := f.journal.Sync(); err != nil {
			return err
		}
	}
	p, err := f.write(PlanName, func(w io.Writer) error { return WriteManifest(w, m) })
	if err != nil {
		return err
	}
	if err := p.rename(); err != nil {
		p.remove()
		return f.failed(PlanName, err)
	}
	return f.failed(PlanName, f.disk.SyncDir(f.path))
}

// Finish removes the old manifest and the superseded files, renames all written files, and writes the manifest
// with their hashes last. Then it removes the plan; the owner of a journal removes that. If the manifest cannot be
// written the folder stays as it was. After a later error no new file is left.
func (f *Folder) Finish(m Manifest) error {
	m.Files = f.files
	if err := f.FinishWith(ManifestName, func(w io.Writer) error { return WriteManifest(w, m) }); err != nil {
		return err
	}
	return f.remove(PlanName)
}

// FinishWith renames all written files like Finish, with another last file than the manifest.
func (f *Folder) FinishWith(name string, write func(io.Writer) error) error {
	p, err := f.write(name, write)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	f.addPending(name, p)
	f.mutex.Unlock()
	return f.publish(name)
}

// publish renames all written files, the last one after all others are synced.
func (f *Folder) publish(last string) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err := f.removeSuperseded(); err != nil {
		return err
	}
	names := slices.DeleteFunc(f.order, func(name string) bool { return name == last })
	for _, group := range [][]string{names, {last}} {
		if err := f.renameAll(group); err != nil {
			f.withdraw(append([]string{last}, names...))
			return err
		}
	}
	f.clearPending()
	return nil
}

// clearPending empties the list of files under temporary names.
func (f *Folder) clearPending() {
	clear(f.written)
	f.order = nil
}

// renameAll renames files and syncs the folder.
func (f *Folder) renameAll(names []string) error {
	for _, name := range names {
		if err := f.written[name].rename(); err != nil {
			return f.failed(name, err)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return f.failed(names[len(names)-1], f.disk.SyncDir(f.path))
}

// withdraw removes files, in this order, under their final or temporary names.
func (f *Folder) withdraw(names []string) {
	for _, name := range names {
		if p := f.written[name]; p != nil {
			p.withdraw()
			delete(f.files, name)
		}
	}
	f.clearPending()
}

// removeSuperseded renames the old manifest to a temporary name, because it does not list the new files, and then
// removes the superseded files and syncs the folder. The new files are already synced under temporary names. It
// removes the old manifests last: if the writer is killed before, they still list the files to remove.
func (f *Folder) removeSuperseded() error {
	entries, err := f.disk.ReadDir(f.path)
	if err != nil {
		return fmt.Errorf("output folder %s cannot be used: %w", f.path, cause(err))
	}
	there := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	stale := slices.DeleteFunc(slices.Clone(f.stale), func(name string) bool {
		return f.journal != nil && slices.Contains(unfinishedFiles(), name) || !there(name)
	})
	if len(stale) > 0 || there(ManifestName) {
		if err := f.disk.SyncDir(f.path); err != nil {
			return f.failed(ManifestName, err)
		}
	}
	if there(ManifestName) {
		if err := f.retire(); err != nil {
			return err
		}
	}
	for _, name := range append(stale, f.former...) {
		if err := f.remove(name); err != nil {
			return err
		}
	}
	f.stale, f.former = nil, nil
	return nil
}

// retire renames the manifest to a temporary name.
func (f *Folder) retire() error {
	p, err := f.create(ManifestName) // reserves a free temporary name
	if err != nil {
		return f.failed(ManifestName, err)
	}
	if err = p.Close(); err == nil {
		err = f.disk.Rename(p.path, p.temporary)
	}
	if err != nil {
		p.remove()
		return f.failed(ManifestName, err)
	}
	f.former = append(f.former, filepath.Base(p.temporary))
	return f.failed(ManifestName, f.disk.SyncDir(f.path))
}
