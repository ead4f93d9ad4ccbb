package recordtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrStopped is the error of all operations after StopAt has stopped the process.
var ErrStopped = errors.New("the process was stopped")

// errGone wraps ErrStopped for the operations after the last one.
var errGone = fmt.Errorf("before: %w", ErrStopped)

// StopAt makes operation n, counted from 1, and all later ones fail with ErrStopped, as if the process were killed
// in operation n. It returns a function that reports whether that happened.
func (d *Disk) StopAt(n int) (stopped func() bool) {
	count := d.count()
	d.Before = func(Operation) error {
		switch i := count(); {
		case i == n:
			return ErrStopped
		case i > n:
			return errGone
		}
		return nil
	}
	return func() bool { return count() > n }
}

// FailAt makes operation n, counted from 1, fail with an error. It returns a function that reports whether that
// happened.
func (d *Disk) FailAt(n int, err error) (failed func() bool) {
	count := d.count()
	d.Before = func(Operation) error {
		if count() == n {
			return err
		}
		return nil
	}
	return func() bool { return count() > n }
}

// Watch calls a function at every moment at which the process may stop: before every operation, and when half of
// the bytes of a Write or WriteAt are written.
func (d *Disk) Watch(visit func(Operation)) {
	d.Before = func(o Operation) error { visit(o); return nil }
	d.halfway = visit
}

// count returns a counter that starts at 1.
func (d *Disk) count() func() int {
	n := 0
	return func() int {
		d.mutex.Lock()
		defer d.mutex.Unlock()
		n++
		return n
	}
}

// Killed returns the disk after all processes are killed: files stay, locks do not.
func (d *Disk) Killed() *Disk {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return &Disk{root: *d.base().copied(func(n *node) (*contents, map[string]*node) { return n.data, n.entries })}
}

// Shared returns a copy of the disk as another process sees it, with the locks that are held.
func (d *Disk) Shared() *Disk {
	shared := d.Killed()
	d.mutex.Lock()
	defer d.mutex.Unlock()
	shared.root.hold(d.base())
	return shared
}

// hold locks the files of a copy that are locked in the original.
func (n *node) hold(original *node) {
	n.holder = original.holder
	for name, below := range n.entries {
		if of, ok := original.entries[name]; ok {
			below.hold(of)
		}
	}
}

// Sum returns a hash of all names and contents.
func (d *Disk) Sum() [sha256.Size]byte {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.base().sum()
}

func (n *node) sum() [sha256.Size]byte {
	if n.entries == nil {
		return n.data.sum()
	}
	var list []byte
	for _, name := range slices.Sorted(maps.Keys(n.entries)) {
		below := n.entries[name]
		sum := below.sum()
		list = append(fmt.Appendf(list, "%q %t ", name, below.entries != nil), sum[:]...)
	}
	return sha256.Sum256(list)
}

// Unsynced returns the number of unsynced changes, each of which may survive a power failure alone: the contents
// of a file, the same with appended bytes zero, or a name in a directory. A renamed file keeps its old or its new
// name.
func (d *Disk) Unsynced() int {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return len(d.base().unsynced(nil, map[*node]bool{}))
}

// PowerFailure returns the disk after a power failure. All unsynced changes are lost except the one with the
// number survivor, from 0 and below Unsynced; -1 means none.
func (d *Disk) PowerFailure(survivor int) *Disk {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	var kept change
	if survivor >= 0 {
		kept = d.base().unsynced(nil, map[*node]bool{})[survivor]
	}
	return &Disk{root: *d.base().copied(func(n *node) (*contents, map[string]*node) {
		data, entries := n.lasting, n.synced
		if n == kept.node && n.entries == nil {
			data = n.data
			if kept.zeros {
				data = newContents(append(slices.Clone(n.lasting.bytes),
					make([]byte, max(0, len(n.data.bytes)-len(n.lasting.bytes)))...))
			}
		} else if n == kept.node {
			entries = maps.Clone(entries)
			delete(entries, kept.name)
			delete(entries, kept.from)
			if now, ok := n.entries[kept.name]; ok {
				entries[kept.name] = now
			}
		}
		return data, entries
	})}
}

// change is an unsynced change.
type change struct {
	node  *node
	name  string // in a directory
	from  string // earlier name of the file in the directory, empty for none
	zeros bool   // of a file: only its length survives
}

// unsynced appends the changes of a node and of all nodes below it, in a fixed order. A file without a name has
// none.
func (n *node) unsynced(to []change, seen map[*node]bool) []change {
	if seen[n] {
		return to
	}
	seen[n] = true
	if n.entries == nil {
		if n.data != n.lasting && string(n.data.bytes) != string(n.lasting.bytes) {
			to = append(to, change{node: n}, change{node: n, zeros: true})
		}
		return to
	}
	names := map[string]bool{}
	for name := range n.entries {
		names[name] = true
	}
	for name := range n.synced {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		now, was := n.entries[name], n.synced[name]
		if now != was && (now != nil || !n.renamed(name)) {
			to = append(to, change{node: n, name: name, from: n.from(now)})
		}
		for _, below := range []*node{now, was} {
			if below != nil {
				to = below.unsynced(to, seen)
			}
		}
	}
	return to
}

// renamed reports whether the file that lost this name in a directory has another name there.
func (n *node) renamed(name string) bool {
	for _, now := range n.entries {
		if now == n.synced[name] {
			return true
		}
	}
	return false
}

// from returns the name that a file has lost in a directory, empty for none.
func (n *node) from(file *node) string {
	for name, was := range n.synced {
		if was == file && n.entries[name] != file {
			return name
		}
	}
	return ""
}

// copied returns a copy of a node and of all nodes below it, with the contents and entries that a function
// returns. All of it is synced.
func (n *node) copied(as func(*node) (*contents, map[string]*node)) *node {
	data, entries := as(n)
	if n.entries == nil {
		return &node{data: data, lasting: data}
	}
	c := newDirectory()
	for name, below := range entries {
		c.entries[name] = below.copied(as)
	}
	c.synced = maps.Clone(c.entries)
	return c
}
