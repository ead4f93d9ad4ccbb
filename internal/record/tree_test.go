package record_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"syscall"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

var site = map[string][]byte{"index.html": []byte("page"), "empty": nil, "data/one/summary.csv": []byte("1"),
	"data/two/summary.csv": []byte("2")}

// checkTree reports whether the whole site exists, and fails the test if only a part exists.
func checkTree(t *testing.T, when string, disk *recordtest.Disk) (whole bool) {
	t.Helper()
	top := disk.Files("a/site")
	if len(top) == 0 {
		return false
	}
	for folder, want := range map[string]map[string]string{"a/site": {"index.html": "page", "empty": ""},
		"a/site/data/one": {"summary.csv": "1"}, "a/site/data/two": {"summary.csv": "2"}} {
		if got := disk.Files(folder); !maps.Equal(got, want) {
			t.Errorf("%s: %s holds %q, want %q", when, folder, got, want)
		}
	}
	return true
}

// If writing stops at any operation, with or without a power failure, the directory is complete or missing. After
// WriteTree returns, it survives a power failure.
func TestTreesAreWholeOrMissing(t *testing.T) {
	for _, found := range []string{"", "an empty directory"} {
		for n := 1; ; n++ {
			disk := new(recordtest.Disk)
			if found != "" {
				if err := errors.Join(disk.Mkdir("a", 0o777), disk.Mkdir("a/site", 0o777), disk.SyncDir("a"),
					disk.SyncDir(".")); err != nil {
					t.Fatal(err)
				}
			}
			stopped := disk.StopAt(n)
			err := record.WriteTree(disk, "a/site", site)
			if !stopped() {
				if err != nil || !checkTree(t, "written", disk.PowerFailure(-1)) {
					t.Errorf("%s: it does not survive: %v", found, err)
				}
				break
			}
			for i := -1; i < disk.Unsynced(); i++ {
				checkTree(t, fmt.Sprintf("%s: stopped at operation %d, change %d survives a power failure", found, n, i),
					disk.PowerFailure(i))
			}
			checkTree(t, fmt.Sprintf("%s: stopped at operation %d", found, n), disk.Killed())
		}
	}
}

// A failed WriteTree leaves no file, and keeps an existing directory.
func TestTreesThatFailLeaveNothing(t *testing.T) {
	for n := 1; ; n++ {
		disk := new(recordtest.Disk)
		failed := disk.FailAt(n, syscall.EIO)
		err := record.WriteTree(disk, "a/site", site)
		if !failed() {
			break
		}
		entries, _ := disk.ReadDir("a")
		if err == nil || len(entries) > 1 || len(entries) == 1 && entries[0].Name() != "site" {
			t.Errorf("operation %d failed: %v; a holds %v", n, err, entries)
		}
	}
	disk := new(recordtest.Disk)
	disk.Put("a/site/mine", "x")
	if err := record.WriteTree(disk, "a/site", site); !errors.Is(err, fs.ErrExist) || disk.Files("a/site")["mine"] != "x" {
		t.Errorf("a directory that is not empty: %v", err)
	}
}
