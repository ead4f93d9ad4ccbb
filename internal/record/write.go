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

// Write makes a file of that name from what the function writes, which takes the name with all others, in the order
// of the writing, see [Folder.Finish]; one written before under the name is dropped. When it fails, nothing is there.
// An error of the function that is not of the file comes back as it is. Files that are intact in a folder that is
// mended are left alone. Several may be written at the same time.
func (f *Folder) Write(name string, write func(io.Writer) error) error {
	if name == ManifestName || name == PlanName {
		panic("record: " + name + " is written by Finish and Plan")
	}
	f.mutex.Lock()
	_, intact := f.files[name]
	f.mutex.Unlock()
	if intact && f.mended != nil {
		return nil
	}
	p, err := f.write(name, write)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.keep(name, p)
	return nil
}

// keep has a file that is whole wait for its name.
func (f *Folder) keep(name string, p *pending) {
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

// drop removes all files that wait for their names.
func (f *Folder) drop() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, name := range f.order {
		f.written[name].remove()
	}
	f.forget()
}

// Names returns the names of the files that were written, or are intact in a folder that is mended, in their order.
func (f *Folder) Names() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return slices.Sorted(maps.Keys(f.files))
}

// Read returns what one of Names holds.
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

// SHA256 returns the hash, in hexadecimal, of a file that Write made.
func (f *Folder) SHA256(name string) string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.files[name]
}

// Plan writes what is to be flown into the folder, for a study to be resumed from until it has a manifest of its
// own. When it returns the plan lasts, and what is finished in the folder stays until then, see [Folder.Need].
func (f *Folder) Plan(m Manifest) error {
	f.Need(PlanName)
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

// Finish gives all files that were written their names, and writes the manifest, which vouches for them and is the
// last one. Before that it removes the manifest that is there and what is superseded. A file that cannot be written
// is an error that leaves all of that as it was; where the error comes later, no new file is left.
func (f *Folder) Finish(m Manifest) error {
	if err := f.finish(m); err != nil {
		return err
	}
	f.Need(PlanName)
	for _, name := range f.needed {
		if name == JournalName || name == PiecesName { // which are open
			continue
		}
		if err := f.remove(name); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) finish(m Manifest) error {
	if f.mended != nil {
		m = *f.mended
		if maps.Equal(m.Files, f.files) {
			return f.Publish()
		}
	}
	m.Files = f.files
	return f.Vouch(ManifestName, func(w io.Writer) error { return WriteManifest(w, m) })
}

// Vouch is Finish with another last file, which vouches for all that were written.
func (f *Folder) Vouch(name string, write func(io.Writer) error) error {
	p, err := f.write(name, write)
	if err != nil {
		return err
	}
	f.mutex.Lock()
	f.keep(name, p)
	f.mutex.Unlock()
	return f.publish(name)
}

// Publish gives all files that were written their names, and nothing vouches for them yet.
func (f *Folder) Publish() error { return f.publish("") }

// publish gives all files that were written their names, the last one after all others last.
func (f *Folder) publish(last string) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.mended == nil {
		if err := f.makeWay(); err != nil {
			return err
		}
	}
	names := slices.DeleteFunc(f.order, func(name string) bool { return name == last })
	for i, group := range [][]string{names, {last}} {
		if i == 1 && last == "" {
			break
		}
		if err := f.name(group); err != nil {
			f.withdraw(append([]string{last}, names...))
			return err
		}
	}
	f.forget()
	return nil
}

// forget has no file wait for its name any more.
func (f *Folder) forget() {
	clear(f.written)
	f.order = nil
}

// name gives files their names, and makes that last.
func (f *Folder) name(names []string) error {
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

// withdraw removes files that may not last, under whichever name they are, in that order.
func (f *Folder) withdraw(names []string) {
	for _, name := range names {
		if p := f.written[name]; p != nil {
			p.withdraw()
			delete(f.files, name)
		}
	}
	f.forget()
}

// makeWay takes its name from the manifest, which does not vouch for the files to be named, and then removes what they
// supersede, for good before any of them is there. The new files last by then, under their temporary names. Last go the
// manifests of what was superseded, so that a writer that is killed meanwhile leaves what tells the files' names.
func (f *Folder) makeWay() error {
	entries, err := f.disk.ReadDir(f.path)
	if err != nil {
		return fmt.Errorf("output folder %s cannot be used: %w", f.path, cause(err))
	}
	there := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	stale := slices.DeleteFunc(slices.Clone(f.stale), func(name string) bool {
		return slices.Contains(f.needed, name) || !there(name)
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

// retire gives the manifest a temporary name.
func (f *Folder) retire() error {
	p, err := f.create(ManifestName) // for a name that is free
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

// Mend takes a folder with a manifest as it is except for some files that differ from it: Write makes only those
// and files that the manifest does not list, and Finish the manifest only where that changed.
func (f *Folder) Mend(m Manifest, differing []string) {
	f.mended = &m
	for name, sum := range m.Files {
		if !slices.Contains(differing, name) {
			f.files[name] = sum
		}
	}
}
