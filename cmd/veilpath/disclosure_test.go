package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/publish"
	"veilpath/internal/record"
)

// secretTable is a file of rewards, every cell of which that is private holds a text of its own.
type secretTable struct {
	rows    [][]string
	names   int // columns that hold names
	secrets []string
	random  *rand.Rand
}

// number is a secret reward, written in one of the ways in which people write numbers.
func (s *secretTable) number() string {
	digits := fmt.Sprintf("%d.%06d", 10000+s.random.IntN(90000), 100000+s.random.IntN(900000))
	s.secrets = append(s.secrets, digits)
	return digits
}

// word is a secret that is no number.
func (s *secretTable) word() string {
	word := fmt.Sprintf("SECRET%dx", s.random.Uint64())
	s.secrets = append(s.secrets, word)
	return word
}

// newSecretTable makes a table of a random layout and spoils one in two in a random way.
func newSecretTable(random *rand.Rand) *secretTable {
	s := &secretTable{random: random}
	states, actions := 1+random.IntN(4), 1+random.IntN(3)
	layout := random.IntN(3)
	s.names = []int{2, 1, 0}[layout]
	switch layout {
	case 0:
		s.rows = append(s.rows, []string{"state", "action", "reward"})
	case 1:
		s.rows = append(s.rows, append([]string{"State"}, strings.Split("go,stay,turn", ",")[:actions]...))
	}
	for state := range states {
		row := []string{fmt.Sprintf("place %c", 'a'+state)}
		for action := range actions {
			if layout == 0 {
				s.rows = append(s.rows, []string{row[0], "move " + string(rune('a'+action)), s.number()})
			}
			row = append(row, s.number())
		}
		switch layout {
		case 1:
			s.rows = append(s.rows, row)
		case 2:
			s.rows = append(s.rows, row[1:])
		}
	}
	if random.IntN(2) == 0 {
		s.spoil()
	}
	return s
}

// spoil damages a cell, a row or the table.
func (s *secretTable) spoil() {
	row := s.random.IntN(len(s.rows))
	cells := s.rows[row]
	column := s.random.IntN(len(cells))
	if row > 0 { // names are not private
		column = max(column, s.names)
	}
	number := s.number()
	switch s.random.IntN(12) {
	case 0:
		cells[column] = s.word()
	case 1:
		cells[column] = "$" + number
	case 2:
		cells[column] = `"` + number[:2] + "," + number[2:] + `"`
		s.secrets = append(s.secrets, number[2:])
	case 3:
		cells[column] = "\u2212" + number
	case 4:
		cells[column] = number + "e300"
	case 5:
		cells[column] = number + "e999"
	case 6:
		cells[column] = `"` + number
	case 7:
		s.rows[row] = append(cells, number)
	case 8: // a column that nobody knows
		s.rows[0] = append(s.rows[0], s.word())
		for i := range s.rows[1:] {
			s.rows[1+i] = append(s.rows[1+i], s.number())
		}
	case 9: // a first row that looks like a header
		first := []string{}
		for range cells {
			first = append(first, s.word())
		}
		s.rows = append([][]string{first}, s.rows...)
	case 10:
		s.rows = append(s.rows, append([]string{}, cells...))
		s.rows[len(s.rows)-1][len(cells)-1] = number
	case 11:
		cells[column] = number + " km"
	}
}

func (s *secretTable) write(t *testing.T, path string) {
	t.Helper()
	separator, end := []string{",", ";", ", "}[s.random.IntN(3)], []string{"\n", "\r\n"}[s.random.IntN(2)]
	text := []string{"", "\ufeff"}[s.random.IntN(2)]
	for _, row := range s.rows {
		text += strings.Join(row, separator) + end
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Whatever the table, whether it is released or refused, nothing private of it is printed or in a file.
func TestPrivatizeDisclosesNothing(t *testing.T) {
	t.Parallel()
	const tables = 150
	released, refused := 0, 0
	for seed := range uint64(tables) {
		s := newSecretTable(rand.New(rand.NewPCG(seed, 9)))
		path, out := filepath.Join(t.TempDir(), "rewards.csv"), filepath.Join(t.TempDir(), "out")
		s.write(t, path)
		args := append([]string{"privatize", path, "--out", out, "--format", []string{"table", "csv", "json"}[seed%3]},
			promise...)
		if s.random.IntN(4) == 0 {
			args = append(args, "--header")
		}
		got := veilpath(t, args...)
		told := []string{got.stdout, got.stderr}
		switch got.code {
		case exitDone:
			released++
		case exitUsage:
			refused++
			if _, err := os.Stat(out); err == nil {
				t.Errorf("seed %d: a refused release left a folder", seed)
			}
		default:
			t.Errorf("seed %d: exit code %d", seed, got.code)
		}
		filepath.WalkDir(out, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				text, _ := os.ReadFile(path)
				told = append(told, entry.Name(), string(text))
			}
			return nil
		})
		for _, secret := range s.secrets {
			for _, text := range told {
				if strings.Contains(text, secret) {
					t.Errorf("seed %d: %q tells %q; the table is %q", seed, text, secret, s.rows)
				}
			}
		}
	}
	if released < tables/4 || refused < tables/4 {
		t.Errorf("%d released and %d refused; the tables are too much alike", released, refused)
	}
}

// brokenDisk fails at one operation, or from it on.
type brokenDisk struct {
	record.FileSystem
	operations, failing int
	forGood             bool
}

var errBroken = errors.New("the disk is broken")

func (d *brokenDisk) fails() error {
	d.operations++
	if d.operations == d.failing || d.forGood && d.operations > d.failing {
		return errBroken
	}
	return nil
}

func (d *brokenDisk) OpenFile(name string, flag int, mode fs.FileMode) (record.File, error) {
	if err := d.fails(); err != nil {
		return nil, err
	}
	file, err := d.FileSystem.OpenFile(name, flag, mode)
	return &brokenFile{file, d}, err
}

func (d *brokenDisk) Rename(from, to string) error {
	if err := d.fails(); err != nil {
		return err
	}
	return d.FileSystem.Rename(from, to)
}

func (d *brokenDisk) Remove(name string) error {
	if err := d.fails(); err != nil {
		return err
	}
	return d.FileSystem.Remove(name)
}

func (d *brokenDisk) SyncDir(name string) error {
	if err := d.fails(); err != nil {
		return err
	}
	return d.FileSystem.SyncDir(name)
}

type brokenFile struct {
	record.File
	disk *brokenDisk
}

func (f *brokenFile) Write(b []byte) (int, error) {
	if err := f.disk.fails(); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f *brokenFile) Sync() error {
	if err := f.disk.fails(); err != nil {
		return err
	}
	return f.File.Sync()
}

// Wherever the disk fails, over an earlier release or not, a promise that is left stands beside the release
// that it is about.
func TestPrivatizeLeavesNoPromiseWithoutItsRelease(t *testing.T) {
	t.Parallel()
	path := fileWith(t, "1,2\n3,4\n")
	for _, forGood := range []bool{false, true} {
		for _, again := range []bool{false, true} {
			for failing := 1; ; failing++ {
				out := filepath.Join(t.TempDir(), "out")
				if again {
					if got := privatized(t, path, out); got.code != exitDone {
						t.Fatal(got.stderr)
					}
				}
				var stdout, stderr strings.Builder
				disk := &brokenDisk{FileSystem: record.Disk{}, failing: failing, forGood: forGood}
				a := &app{stdout: &stdout, stderr: &stderr, disk: disk}
				code := a.run(context.Background(), append([]string{"privatize", path, "--force", "--out", out}, promise...))
				if disk.operations < failing {
					if code != exitDone || failing < 10 {
						t.Errorf("exit code %d after %d operations without a failure", code, disk.operations)
					}
					break
				}
				if !keepsPromise(t, out) {
					t.Errorf("failure at %d, for good %v, again %v: a promise without its release; %s", failing, forGood, again,
						stderr.String())
				}
				if code == exitDone && !fileExists(filepath.Join(out, publish.GuaranteeName)) {
					t.Errorf("failure at %d, for good %v, again %v: done without a promise", failing, forGood, again)
				}
			}
		}
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// keepsPromise reports whether a folder has no promise or one about its release.
func keepsPromise(t *testing.T, folder string) bool {
	t.Helper()
	promise, err := os.ReadFile(filepath.Join(folder, publish.GuaranteeName))
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	file, err := os.ReadFile(filepath.Join(folder, publish.ReleaseName))
	return err == nil && strings.Contains(string(promise), hashOf(file))
}

func hashOf(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
