package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fillUp makes a file of the folder be on a full disk.
func fillUp(t *testing.T, folder, name string) {
	t.Helper()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	if err := os.Symlink("/dev/full", filepath.Join(folder, name+partial)); err != nil {
		t.Fatal(err)
	}
}

// A full disk is one error, however often the writer ran into it, and leaves nothing.
func TestFullDiskIsOneErrorOnce(t *testing.T) {
	folder := newFolder(t)
	folder.Remedy = "make room"
	fillUp(t, folder.path, "x.csv")
	err := folder.Write("x.csv", func(w io.Writer) error {
		_, err := w.Write(make([]byte, 10_000))
		if err != nil {
			err = fmt.Errorf("the writer's own words: %w", err)
		}
		return errors.Join(err, err)
	})
	want := "writing " + filepath.Join(folder.path, "x.csv") + ": no space left on device; make room"
	if err == nil || err.Error() != want || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %q, want %q", err, want)
	}
	if entries, _ := os.ReadDir(folder.path); len(entries) > 0 {
		t.Errorf("it left %v", entries)
	}
}

// What goes wrong with the contents is not blamed on the file they were to go to.
func TestErrorOfTheContentsStaysAsItIs(t *testing.T) {
	folder := newFolder(t)
	folder.Remedy = "make room"
	wrong := errors.New("the part is damaged")
	if err := folder.Write("x.csv", func(io.Writer) error { return wrong }); err != wrong {
		t.Errorf("got %v", err)
	}
}

func TestErrorsOfAFolderNameAFileOnce(t *testing.T) {
	folder := newFolder(t)
	if err := os.Mkdir(filepath.Join(folder.path, "x.csv"), 0o777); err != nil {
		t.Fatal(err)
	}
	err := folder.Write("x.csv", func(w io.Writer) error { _, err := w.Write([]byte("x")); return err })
	if err == nil || strings.Count(err.Error(), "x.csv") != 1 || strings.Contains(err.Error(), partial) {
		t.Errorf("got %v", err)
	}
}
