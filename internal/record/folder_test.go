package record_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"veilpath/internal/record"
	"veilpath/internal/record/recordtest"
)

// text writes a file.
func text(contents string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, contents); return err }
}

// opened opens the folder out of a disk in memory.
func opened(t *testing.T, disk *recordtest.Disk, force bool) *record.Folder {
	t.Helper()
	folder, err := record.OpenFolder(disk, "out", "study", force)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// must fails the test for an error.
func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// names lists the folder out.
func names(disk *recordtest.Disk) []string { return slices.Sorted(maps.Keys(disk.Files("out"))) }

// A full disk gives one error, even if several writes fail, and leaves no file.
func TestFullDiskIsOneErrorOnce(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	folder.Remedy = "make room"
	disk.Before = func(o recordtest.Operation) error {
		if o.Name == "Write" {
			return syscall.ENOSPC
		}
		return nil
	}
	err := folder.Write("x.csv", func(w io.Writer) error {
		_, err := w.Write(make([]byte, 10_000))
		if err != nil {
			err = fmt.Errorf("the writer's message: %w", err)
		}
		return errors.Join(err, err)
	})
	want := "writing out/x.csv: no space left on device; make room"
	if err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %q, want %q", err, want)
	}
	must(t, folder.Close())
	if files := disk.Files("out"); files != nil {
		t.Errorf("it left %v", files)
	}
}

// An error of the function that writes is not reported as an error of the file.
func TestErrorOfTheContentsStaysAsItIs(t *testing.T) {
	folder := opened(t, &recordtest.Disk{}, false)
	folder.Remedy = "make room"
	wrong := errors.New("the part is damaged")
	if err := folder.Write("x.csv", func(io.Writer) error { return wrong }); err != wrong {
		t.Errorf("got %v", err)
	}
}

func TestErrorsOfAFolderNameAFileOnce(t *testing.T) {
	disk := &recordtest.Disk{}
	disk.Put("out/x.csv/there", "")
	folder := opened(t, disk, true)
	err := folder.FinishWith("x.csv", text("x"))
	if err == nil || strings.Count(err.Error(), "x.csv") != 1 || strings.Contains(err.Error(), "partial") {
		t.Errorf("got %v", err)
	}
}

func TestSecondWriterIsRefusedByName(t *testing.T) {
	for name, disk := range map[string]record.FileSystem{"memory": &recordtest.Disk{}, "disk": record.Disk{}} {
		path := filepath.Join(t.TempDir(), "out")
		first, err := record.OpenFolder(disk, path, "tune", false)
		must(t, err)
		for _, open := range []func() (*record.Folder, error){
			func() (*record.Folder, error) { return record.OpenFolder(disk, path, "study", false) },
			func() (*record.Folder, error) { return record.OpenFolder(disk, path, "study", true) },
			func() (*record.Folder, error) { return record.ReopenFolder(disk, path, "study") },
		} {
			_, err := open()
			if !errors.Is(err, record.ErrBusy) || !strings.Contains(err.Error(), path) ||
				!strings.Contains(err.Error(), fmt.Sprintf("veilpath tune, process %d", os.Getpid())) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		must(t, first.FinishWith("x", text("x")), first.Close())
		again, err := record.OpenFolder(disk, path, "study", true)
		must(t, err)
		must(t, again.Close())
		entries, err := disk.ReadDir(path)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: it holds %v, want x alone (%v)", name, entries, err)
		}
	}
}

// A writer that waits for the lock while another writer fills the folder gets the error that the folder is not
// empty.
func TestWriterThatComesSecondIsRefused(t *testing.T) {
	disk := &recordtest.Disk{}
	found, filled := make(chan bool), make(chan bool)
	waits := true
	disk.Before = func(o recordtest.Operation) error {
		if o.Name == "Lock" && waits { // after the first check of the folder
			waits = false
			found <- true
			<-filled
		}
		return nil
	}
	overtaken := make(chan error)
	go func() {
		_, err := record.OpenFolder(disk, "out", "study", false)
		overtaken <- err
	}()
	<-found
	first := opened(t, disk, false)
	must(t, first.FinishWith("x", text("x")), first.Close())
	filled <- true
	if err := <-overtaken; err == nil || !strings.Contains(err.Error(), "out is not empty: it holds x") {
		t.Errorf("the second writer: %v, want that the folder holds x", err)
	}
	must(t, opened(t, disk, true).Close()) // the refused writer leaves no lock
}

// A lock on a removed file does not count, because the next writer would not see it.
func TestLockOfRemovedFileDoesNotCount(t *testing.T) {
	disk := &recordtest.Disk{}
	first := opened(t, disk, false)
	must(t, first.FinishWith("x", text("x")))
	disk.Before = func(o recordtest.Operation) error {
		if o.Name == "Lock" {
			disk.Before = nil
			must(t, first.Close())
		}
		return nil
	}
	second := opened(t, disk, true)
	if _, err := record.OpenFolder(disk, "out", "study", true); !errors.Is(err, record.ErrBusy) {
		t.Errorf("a third writer was let in beside the second: %v", err)
	}
	must(t, second.Close())
}

// A lock file that cannot be read gives its error, and not ErrBusy.
func TestUnreadableLockIsNotBusy(t *testing.T) {
	disk := &recordtest.Disk{}
	looks := 0
	disk.Before = func(o recordtest.Operation) error {
		if o.Name == "Stat" && strings.HasSuffix(o.Path, "lock") {
			if looks++; looks > 9 {
				t.Fatal("it retries forever")
			}
			return syscall.EIO
		}
		return nil
	}
	if _, err := record.OpenFolder(disk, "out", "study", true); errors.Is(err, record.ErrBusy) ||
		!errors.Is(err, syscall.EIO) {
		t.Errorf("%v, want the failure to read", err)
	}
}

// Leftovers of a killed writer do not stop the next writer, who removes them.
func TestLeftoversOfKilledWriterAreRemoved(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	disk.Before = func(o recordtest.Operation) error {
		if o.Name == "Rename" || strings.HasSuffix(o.Path, ".partial") && o.Name == "Remove" {
			return recordtest.ErrStopped
		}
		return nil
	}
	if err := folder.FinishWith("x.csv", text("x")); err == nil {
		t.Fatal("it went on")
	}
	disk = disk.Killed()
	if left := names(disk); len(left) != 2 {
		t.Fatalf("the killed writer left %q, so nothing is tested", left)
	}
	folder = opened(t, disk, false)
	must(t, folder.FinishWith("x.csv", text("x")), folder.Close())
	if got := names(disk); !slices.Equal(got, []string{"x.csv"}) {
		t.Errorf("the folder holds %q", got)
	}
}

// On a system without locks, two writers do not share a temporary file.
func TestTemporaryNamesAreUnique(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	must(t, folder.FinishWith("x.csv", func(w io.Writer) error {
		must(t, folder.Write("x.csv", text("inner")))
		return text("outer")(w)
	}), folder.Close())
	if got := disk.Files("out"); got["x.csv"] != "outer" || len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestManifestListsAllFilesAndIsGoneBeforeOneChanges(t *testing.T) {
	disk := &recordtest.Disk{}
	m := record.Manifest{Program: "veilpath", Config: []byte("{}"), Complete: true}
	folder := opened(t, disk, false)
	must(t, folder.Write("a", text("1")), folder.Write("b", text("2")), folder.Finish(m), folder.Close())
	ctx := context.Background()
	got, err := record.ReadManifest(disk, "out")
	must(t, err, record.CheckFiles(ctx, disk, "out", got))
	if want := []string{"a", "b"}; !slices.Equal(slices.Sorted(maps.Keys(got.Files)), want) {
		t.Errorf("it lists %v, want %v", got.Files, want)
	}

	folder = opened(t, disk, true)
	must(t, folder.FinishWith("b", text("3")), folder.Close())
	if _, err := record.ReadManifest(disk, "out"); !errors.Is(err, record.ErrNoManifest) {
		t.Errorf("the manifest of other files is still there: %v", err)
	}
}

func TestCheckFilesNamesWhatDiffers(t *testing.T) {
	disk := &recordtest.Disk{}
	folder := opened(t, disk, false)
	m := record.Manifest{Program: "veilpath", Config: []byte("{}"), Complete: true}
	for _, name := range []string{"a", "b", "c", "d"} {
		must(t, folder.Write(name, text(name)))
	}
	must(t, folder.Finish(m), folder.Close(), disk.Remove("out/b"), disk.Remove("out/c"))
	disk.Put("out/a", "A")
	disk.Put("out/c/now", "a folder")
	m, err := record.ReadManifest(disk, "out")
	must(t, err)
	err = record.CheckFiles(context.Background(), disk, "out", m)
	var difference *record.DifferenceError
	if !errors.As(err, &difference) || !errors.Is(err, record.ErrDamaged) ||
		err.Error() != "out: its files differ from its manifest.json; changed: a, c; missing: b" {
		t.Fatalf("got %v", err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := record.CheckFiles(ctx, disk, "out", m); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

func TestParentsOfAFolderLast(t *testing.T) {
	disk := &recordtest.Disk{}
	folder, err := record.OpenFolder(disk, "a/b/c", "run", false)
	must(t, err)
	must(t, folder.FinishWith("x", text("x")))
	if got := disk.PowerFailure(-1).Files("a/b/c")["x"]; got != "x" {
		t.Errorf("after a power failure it is %q", got)
	}
}

// The error for a folder with unfinished work says how to continue it.
func TestUnfinishedWorkIsNamed(t *testing.T) {
	for _, name := range []string{record.PlanName, record.JournalName} {
		disk := &recordtest.Disk{}
		disk.Put("out/"+name, "")
		disk.Put("out/a.png", "")
		if _, err := record.OpenFolder(disk, "out", "study", false); err == nil ||
			!strings.Contains(err.Error(), "holds unfinished work; continue it with resume") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
