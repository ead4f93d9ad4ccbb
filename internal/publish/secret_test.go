package publish

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"veilpath/planner/privacy"
)

// folders makes directories, files, symbolic links and hard links below a temporary directory: a name that ends in "/"
// is a directory, and "a -> b" and "a = b" are links to b.
func folders(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range names {
		var err error
		if link, target, ok := strings.Cut(name, " -> "); ok {
			err = os.Symlink(at(target), at(link))
		} else if link, target, ok := strings.Cut(name, " = "); ok {
			err = os.Link(at(target), at(link))
		} else if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(at(name), 0o700)
		} else {
			err = os.WriteFile(at(name), nil, 0o600)
		}
		if err != nil {
			t.Skip(err) // a system without such links
		}
	}
	return dir
}

// A folder may not hold a secret file, in a folder of its own or under another name, nor a place for one.
func TestCheckOutside(t *testing.T) {
	dir := folders(t, "secret/inner/", "other/", "alias/", "hard/deep/", "soft/", "secret/inner/file", "out -> secret",
		"alias/file -> secret/inner/file", "hard/deep/name = secret/inner/file", "soft/folder -> secret/inner",
		"link -> secret/inner/file", "dangling -> secret/inner/none")
	for _, c := range []struct {
		file, out string
		refused   bool
	}{
		{"secret/inner/file", "secret/inner", true}, {"secret/inner/file", "secret", true}, {"secret/inner/file", ".", true},
		{"secret/inner/file", "out", true}, {"secret/inner/file", "alias", true}, {"secret/inner/file", "hard", true},
		{"secret/inner/file", "soft", true}, {"link", "secret", true}, {"out/inner/file", "secret", true},
		{"secret/inner/new", "secret", true}, {"out/inner/new", "secret/inner", true}, {"dangling", "other", true},
		{"secret/inner/file", "other", false}, {"secret/inner/new", "other", false}, {"link", "other", false},
		{"secret/inner/file", "none", false}, {"none/new", "other", false},
	} {
		err := CheckOutside(filepath.Join(dir, c.file), filepath.Join(dir, c.out))
		if (err != nil) != c.refused {
			t.Errorf("%s and the folder %s: %v", c.file, c.out, err)
		}
	}
}

// A ledger is the file that its name leads to. Spenders who name it by a link and by its path share one budget, also at
// the same time. A file with two hard links and a link to nothing are no ledgers.
func TestLinkedLedgerIsSpentOnce(t *testing.T) {
	dir := folders(t, "books/", "link -> books/ledger")
	open := func(name string) (*Account, error) {
		return OpenAccount(filepath.Join(dir, name), "veilpath test", "t",
			Terms{Epsilon: 2, Delta: 1e-6, First: privacy.Guarantee{Adjacency: 1}}, rand.Reader)
	}
	if _, err := open("link"); err == nil || !strings.Contains(err.Error(), "link to a file that does not exist") {
		t.Errorf("a link to nothing: %v", err)
	}
	all, err := privacy.MuLeft(2, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	quarter := Entry{Epsilon: 9, Delta: 1e-7, Mu: 0.499 * all, Calibration: "analytic"} // squares of mu add up
	var spenders sync.WaitGroup
	spent := make(chan error, 200)
	for i := range 8 {
		spenders.Go(func() {
			for {
				a, err := open([]string{"books/ledger", "link"}[i%2])
				if err == nil {
					err = a.spend(quarter)
					a.Close()
				}
				switch {
				case err == nil:
					spent <- nil
				case errors.Is(err, ErrOverspent):
					return
				case !errors.Is(err, ErrBusy) && !strings.Contains(err.Error(), "does not exist"):
					t.Error(err)
					return
				}
			}
		})
	}
	spenders.Wait()
	a, err := open("link")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if len(spent) != 4 || len(a.Releases) != 4 {
		t.Errorf("%d quarters of the budget, of which %d are counted, fit into it", len(spent), len(a.Releases))
	}
	if err := os.Link(filepath.Join(dir, "books/ledger"), filepath.Join(dir, "hard")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"books/ledger", "hard"} {
		if _, err := open(name); err == nil || !strings.Contains(err.Error(), "has 2 hard links") {
			t.Errorf("%s with a second name: %v", name, err)
		}
	}
}
