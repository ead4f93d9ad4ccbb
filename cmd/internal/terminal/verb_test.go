package terminal

import (
	"testing"
	"testing/fstest"
)

func TestVerbReadsItsHelp(t *testing.T) {
	texts := fstest.MapFS{"fly.txt": {Data: []byte("fly [DIR]\nFly once\n\nfly flies.\n\nIt lands.\n\nExamples:\n  " +
		"fly\n  fly out\n")}, "land.txt": {Data: []byte("land\nLand\n\nland lands.\n")}}
	got := Verb(texts, "fly")
	if got.Use != "fly [DIR]" || got.Short != "Fly once" || got.Long != "fly flies.\n\nIt lands." ||
		got.Example != "  fly\n  fly out" {
		t.Errorf("%q, %q, %q, %q", got.Use, got.Short, got.Long, got.Example)
	}
	for _, name := range []string{"land", "stay"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: there is no help on it, or no example in it", name)
				}
			}()
			Verb(texts, name)
		}()
	}
}
