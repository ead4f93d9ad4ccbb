package problem

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// bigGrid writes a walk on a square of cells into PRISM's files: four actions that go as meant with 0.8 and to
// either side with 0.1, and a reward for each.
func bigGrid(b *testing.B, side int) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "grid.tra")
	for ending, reward := range map[string]bool{".tra": false, ".trew": true} {
		file, err := os.Create(withEnding(path, ".tra", ending))
		if err != nil {
			b.Fatal(err)
		}
		w := bufio.NewWriterSize(file, 1<<20)
		states := side * side
		w.WriteString(strconv.Itoa(states) + " " + strconv.Itoa(4*states) + " " + strconv.Itoa(12*states) + "\n")
		for s := range states {
			x, y := s%side, s/side
			next := [4]int{min(x+1, side-1) + y*side, x + min(y+1, side-1)*side, max(x-1, 0) + y*side, x + max(y-1, 0)*side}
			for a := range 4 {
				for k, p := range []string{"0.8", "0.1", "0.1"} {
					if reward {
						p = "0." + strconv.Itoa((s*7919+a*104729)%9973)
					}
					w.WriteString(strconv.Itoa(s) + " " + strconv.Itoa(a) + " " + strconv.Itoa(next[(a+[]int{0, 1, 3}[k])%4]) + " " +
						p + "\n")
				}
			}
		}
		if err := w.Flush(); err != nil {
			b.Fatal(err)
		}
		if err := file.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// BenchmarkMillionStates reads 10^6 states x 4 actions, from the formats for so many, and solves them to a
// certified 1e-6 at a discount of 0.95.
func BenchmarkMillionStates(b *testing.B) {
	path := bigGrid(b, 1000)
	open := func(path string) (io.ReadCloser, error) { return os.Open(path) }
	read := func(b *testing.B, path string) {
		for b.Loop() {
			if _, err := Read(open, path); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("read", func(b *testing.B) { read(b, path) })
	p, err := Read(open, path)
	if err != nil {
		b.Fatal(err)
	}
	planned, err := p.Planned(0.95, -1)
	if err != nil {
		b.Fatal(err)
	}
	create := func(path string, write func(io.Writer) error) error {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		return errors.Join(write(file), file.Close())
	}
	for _, ending := range []string{".csv", ".parquet", ".drn", ".json"} {
		b.Run("read"+ending, func(b *testing.B) {
			copied := withEnding(path, ".tra", ending)
			if _, err := os.Stat(copied); err != nil {
				if _, err := Write(p, create, copied); err != nil {
					b.Fatal(err)
				}
			}
			runtime.GC()
			read(b, copied)
		})
	}
	runtime.GC()
	b.Run("solve", func(b *testing.B) {
		for b.Loop() {
			if _, err := planned.Solve(1e-6, 1e-6); err != nil {
				b.Fatal(err)
			}
		}
	})
}
