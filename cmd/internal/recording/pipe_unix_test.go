//go:build unix

package recording

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe with the name of a manifest is skipped without waiting.
func TestPipesAreSkipped(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, ManifestName), 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan int, 1)
	go func() {
		Read(os.DirFS(folder), ".")
		done <- len(List(os.DirFS(folder)))
	}()
	select {
	case n := <-done:
		if n != 0 {
			t.Errorf("the list has %d entries, want none", n)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a pipe is waited for")
	}
}
