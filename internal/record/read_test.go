package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// mostMemory bounds the memory for reading a small file, whatever sizes the file claims.
const mostMemory = 64 << 20

// within fails the test when a function allocates more than mostMemory, or takes more than 10 s.
func within(t *testing.T, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > mostMemory || time.Since(start) > 10*time.Second {
		t.Errorf("it took %d MB and %v", taken>>20, time.Since(start))
	}
}

// sparse creates a long sparse file with given first bytes.
func sparse(t *testing.T, path string, beginning []byte, length int64) {
	t.Helper()
	if err := os.WriteFile(path, beginning, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, length); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
}

func TestLongFilesAreRefusedWithLittleMemory(t *testing.T) {
	for name, length := range map[string]int64{ManifestName: 10 << 30, WorkName: 256 << 20} {
		folder := t.TempDir()
		if err := os.Mkdir(filepath.Join(folder, PiecesName), 0o777); err != nil {
			t.Fatal(err)
		}
		sparse(t, filepath.Join(folder, name), []byte("{"), length)
		within(t, func() {
			if _, err := ReadManifest(folder); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// Reading a long file with any contents ends when the context ends.
func TestReadingEndsWithItsContext(t *testing.T) {
	folder := t.TempDir()
	sparse(t, filepath.Join(folder, RunsName), nil, 100<<30)
	m := Manifest{Files: map[string]string{RunsName: hex.EncodeToString(make([]byte, sha256.Size))}}
	for name, read := range map[string]func(context.Context) error{
		"runs": func(ctx context.Context) error {
			_, err := OpenVerified(ctx, folder, RunsName, m)
			return err
		},
		"check": func(ctx context.Context) error { return CheckFiles(ctx, folder, m) },
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		start := time.Now()
		if err := read(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
			t.Errorf("%s: %v after %v", name, err, time.Since(start))
		}
		cancel()
	}
}

// A pipe or a device is refused without waiting for it.
func TestIrregularFilesAreRefused(t *testing.T) {
	folder := t.TempDir()
	if err := os.Symlink("/dev/zero", filepath.Join(folder, ManifestName)); err != nil {
		t.Skip(err)
	}
	if _, err := ReadManifest(folder); !errors.Is(err, ErrIrregular) ||
		!strings.Contains(err.Error(), ManifestName) {
		t.Errorf("got %v", err)
	}
}
