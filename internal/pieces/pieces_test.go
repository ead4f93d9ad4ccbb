package pieces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"veilpath/internal/record"
)

// value is a piece of the tests' work.
type value struct {
	Numbers []float64
	Key     string
}

const most = 40 // pieces of the work

func manifest(seed uint64) record.Manifest {
	return record.Manifest{Program: "veilpath", Version: "1", Verb: "test", Seed: seed, Config: json.RawMessage("{}")}
}

// do does the work in a folder and writes the answer.
func do(path string, pause time.Duration, parts ...string) (result Result, err error) {
	f, err := Open(path)
	if err != nil {
		return result, err
	}
	defer f.Close()
	if m, err := record.ReadManifest(path); err == nil && m.Complete {
		return result, f.Tidy()
	}
	work, err := f.Begin(manifest(7), parts...)
	if err != nil {
		return result, err
	}
	defer work.End()
	err = f.Write("answer.csv", func(w io.Writer) error {
		for i := range most {
			v, err := Do(context.Background(), work, strconv.Itoa(i), value{}, func(context.Context, value) (value, error) {
				time.Sleep(pause)
				v := value{Key: strconv.Itoa(i)}
				for k := range 1000 {
					v.Numbers = append(v.Numbers, math.Sin(float64(i*k)))
				}
				return v, nil
			})
			if err != nil {
				return err
			}
			for _, x := range v.Numbers {
				fmt.Fprintln(w, v.Key, x)
			}
		}
		return nil
	})
	if err == nil {
		m := manifest(7)
		m.Complete = true
		err = f.Finish(m)
	}
	return work.Result(), err
}

// TestMain is a process that does the work, if the environment says so.
func TestMain(m *testing.M) {
	if path := os.Getenv("PIECES_HELPER"); path != "" {
		if _, err := do(path, 3*time.Millisecond); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func helper(path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PIECES_HELPER="+path)
	return cmd
}

// answer returns the answer in a folder, which must have nothing else but the manifest.
func answer(t *testing.T, path string) string {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) != 2 {
		t.Errorf("%v in %s (%v), want the answer and the manifest", entries, path, err)
	}
	b, err := os.ReadFile(filepath.Join(path, "answer.csv"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// undisturbed returns the answer of work that nothing disturbs.
func undisturbed(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a")
	if _, err := do(path, 0); err != nil {
		t.Fatal(err)
	}
	return answer(t, path)
}

// begun returns a folder with all pieces and no answer.
func begun(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a")
	if err := os.MkdirAll(filepath.Join(path, "answer.csv"), 0o777); err != nil { // so that Finish fails
		t.Fatal(err)
	}
	if _, err := do(path, 0); !errors.Is(err, syscall.EISDIR) {
		t.Fatalf("a folder in the way: %v", err)
	}
	if err := os.Remove(filepath.Join(path, "answer.csv")); err != nil {
		t.Fatal(err)
	}
	return path
}

// Work that is killed many times at any instant ends with the answer of work that never was.
func TestKilled(t *testing.T) {
	want, kills := undisturbed(t), 0
	for kills < 40 {
		path := filepath.Join(t.TempDir(), "a")
		for try := 0; ; try++ {
			cmd := helper(path)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Duration(5+7*try%60+10*try)*time.Millisecond, func() { cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			if kills++; try > 100 {
				t.Fatal("it does not get on")
			}
		}
		if got := answer(t, path); got != want {
			t.Error("killed work has another answer")
		}
	}
}

// Processes that do the same work in one folder at the same time all succeed, with the same answer.
func TestTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var working sync.WaitGroup
	for range 4 {
		working.Go(func() {
			if out, err := helper(path).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	working.Wait()
	if answer(t, path) != undisturbed(t) {
		t.Error("another answer")
	}
}

// Damaged pieces, and whole ones under another name, are computed again.
func TestDamaged(t *testing.T) {
	path := begun(t)
	file := func(key string) string { return filepath.Join(path, dir, key+ending) }
	for key, spoil := range map[string]func(b []byte) []byte{
		"3":  func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"4":  func(b []byte) []byte { return b[:len(b)/2] },
		"5":  func([]byte) []byte { return nil },
		"39": func(b []byte) []byte { return append(b, 0) },
		"6":  func([]byte) []byte { b, _ := os.ReadFile(file("7")); return b },
	} {
		b, err := os.ReadFile(file(key))
		if err == nil {
			err = os.WriteFile(file(key), spoil(b), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if r, err := do(path, 0); err != nil || r != (Result{Found: most - 5, Kept: most, Damaged: 5}) {
		t.Errorf("%+v, %v; want %d found and 5 damaged", r, err, most-5)
	}
	if answer(t, path) != undisturbed(t) {
		t.Error("another answer")
	}
}

// Pieces of the folders of parts serve the same work, and other work is refused.
func TestParts(t *testing.T) {
	part, whole := begun(t), filepath.Join(t.TempDir(), "b")
	if r, err := do(whole, 0, part); err != nil || r.Found != most || answer(t, whole) != undisturbed(t) {
		t.Errorf("%d of %d pieces were found, %v", r.Found, most, err)
	}
	for seed, want := range map[uint64]bool{7: true, 8: false} {
		var f *Folder
		work, err := f.Begin(manifest(seed), part)
		if err != nil {
			t.Fatal(err)
		}
		defer work.End()
		if found, err := work.get("11", func([]byte) error { return nil }); found != want || (err == nil) != want {
			t.Errorf("seed %d: found %t, %v", seed, found, err)
		}
	}
}

// A link in the place of a file is replaced, and one in the place of the pieces refused; neither is followed.
func TestLinks(t *testing.T) {
	victim := t.TempDir()
	file := filepath.Join(victim, "precious")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir + "/3" + ending, "answer.csv", record.WorkName} {
		path := begun(t)
		os.Remove(filepath.Join(path, name))
		if err := os.Symlink(file, filepath.Join(path, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := do(path, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		answer(t, path)
	}
	path := t.TempDir()
	if err := os.Symlink(victim, filepath.Join(path, dir)); err != nil {
		t.Fatal(err)
	}
	if _, err := do(path, 0); err == nil {
		t.Error("a link to another folder is no error")
	}
	entries, _ := os.ReadDir(victim)
	if b, err := os.ReadFile(file); string(b) != "x" || err != nil || len(entries) != 1 {
		t.Errorf("%q, %v, %v: a link was followed", b, err, entries)
	}
}

// A full disk is an error that keeps what is done. The test needs the right to mount.
func TestFull(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("none", small, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("mounting: ", err)
	}
	defer syscall.Unmount(small, 0)
	blocker := filepath.Join(small, "blocker")
	if err := os.WriteFile(blocker, make([]byte, 500<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(small, "a")
	if _, err := do(path, 0); !errors.Is(err, syscall.ENOSPC) || strings.Count(err.Error(), "no space left") != 1 {
		t.Fatalf("%v, want a full disk once", err)
	}
	os.Remove(blocker)
	if err := syscall.Mount("none", small, "tmpfs", syscall.MS_REMOUNT, "size=4m"); err != nil {
		t.Skip("mounting: ", err)
	}
	if r, err := do(path, 0); err != nil || r.Found == 0 || answer(t, path) != undisturbed(t) {
		t.Fatalf("%+v, %v", r, err)
	}
}

// Gob drops the sign of a zero field, so that a computed value must come back like a kept one.
func TestRoundTrip(t *testing.T) {
	type zero struct{ X float64 }
	f, err := Open(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	work, err := f.Begin(manifest(7))
	if err != nil {
		t.Fatal(err)
	}
	var signs [2]bool
	for i := range signs {
		v, err := Do(t.Context(), work, "0", zero{}, func(context.Context, zero) (zero, error) {
			return zero{math.Copysign(0, -1)}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		signs[i] = math.Signbit(v.X)
	}
	if signs[0] != signs[1] {
		t.Errorf("computed and kept differ: %v", signs)
	}
}

// A folder that is in use is refused without force, and with it, a new answer replaces the files of the earlier one
// when it is complete, whatever a process left that was killed while it gave files their names.
func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write := func(names ...string) {
		t.Helper()
		f, err := Create(path, true)
		if err == nil {
			err = f.Supersede("")
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for _, name := range names {
			if err := f.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, name); return err }); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range f.stale {
			if _, err := os.Stat(filepath.Join(path, name)); err != nil {
				t.Errorf("%s is gone before the new answer is complete", name)
			}
		}
		m := manifest(7)
		m.Complete = true
		if err := f.Finish(m); err != nil {
			t.Fatal(err)
		}
	}
	names := func() (all []string) {
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return all
	}
	write("one", "both")
	if err := os.WriteFile(filepath.Join(path, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, false); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a folder in use: %v", err)
	}
	if write("two", "both"); strings.Join(names(), " ") != "both manifest.json mine two" {
		t.Errorf("%q is left", names())
	}
	if err := os.Mkdir(filepath.Join(path, dir), 0o777); err != nil { // as of a process killed amid its renaming
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(path, record.ManifestName), filepath.Join(path, formerOne)); err != nil {
		t.Fatal(err)
	}
	if write("three"); strings.Join(names(), " ") != "manifest.json mine three" {
		t.Errorf("%q is left", names())
	}
	unfinished := begun(t)
	if _, err := Create(unfinished, false); err == nil || !strings.Contains(err.Error(), "unfinished work") {
		t.Errorf("a folder with unfinished work: %v", err)
	}
}
