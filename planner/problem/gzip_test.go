package problem

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// compressed returns what gzip makes of blocks of a text, repeated.
func compressed(tb testing.TB, block string, times int) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range times {
		if _, err := io.WriteString(w, block); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Every format of text is read compressed, and with a byte order mark, as it is read plain; files beside it may be
// compressed or not.
func TestTextIsReadCompressed(t *testing.T) {
	team := memory{"a.csv": []byte("state,action,next,probability,reward\n0,0,1,1,2\n1,0,0,1,1\n"),
		"team.yaml": []byte("discount: 0.9\nagents:\n  - problem: a.csv\n    count: 2\n")}
	single := random(rand.New(rand.NewPCG(5, 0)), 20, 3, true)
	for _, f := range formats() {
		ending := f.endings[0]
		p := single
		if ending == ".yaml" {
			p = mustRead(t, team, "team.yaml")
		}
		plain := memory{}
		if _, err := Write(p, plain.create, "p"+ending); err != nil {
			t.Fatal(err)
		}
		want := mustSolve(t, mustRead(t, plain, "p"+ending), 0.9)
		zipped, mixed := memory{}, memory{}
		for name, text := range plain {
			zipped[name+".gz"] = compressed(t, string(text), 1)
			mixed[name] = text
		}
		delete(mixed, "p"+ending)
		mixed["p"+ending+".gz"] = zipped["p"+ending+".gz"]
		for what, m := range map[string]memory{"all compressed": zipped, "it alone": mixed} {
			got, err := Read(Unzipped(m.open), "p"+ending+".gz")
			if f.packed {
				if err == nil || !strings.Contains(err.Error(), "is already compressed") {
					t.Errorf("%s: error %v", ending, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", ending, what, err)
				continue
			}
			same(t, ending+", "+what, want, mustSolve(t, got, 0.9))
		}
		if f.packed || ending == ".yaml" { // which package yaml reads
			continue
		}
		for name, text := range plain {
			plain[name] = append([]byte(byteOrderMark), text...)
		}
		same(t, ending+" with a byte order mark", want, mustSolve(t, mustRead(t, plain, "p"+ending), 0.9))
	}
}

// What is no file of gzip, or is cut short or changed, is refused by name, and so is writing one.
func TestBadGzipIsRefused(t *testing.T) {
	whole := compressed(t, "state,action,next,probability,reward\n0,0,0,1,2\n", 1)
	changed := bytes.Clone(whole)
	changed[len(changed)-6] ^= 1 // its checksum
	for name, text := range map[string][]byte{"cut off": whole[:len(whole)-9], "changed": changed} {
		if _, err := Read(Unzipped(memory{"p.csv.gz": text}.open), "p.csv.gz"); err == nil ||
			!strings.Contains(err.Error(), "p.csv.gz is cut off or damaged") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for says, text := range map[string][]byte{
		"p.csv.gz: not compressed by gzip": []byte("state,action,next,probability,reward\n0,0,0,1,2\n"),
	} {
		if _, err := Read(Unzipped(memory{"p.csv.gz": text}.open), "p.csv.gz"); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	if _, err := Read(Unzipped(memory{}.open), "p.csv.gz"); err == nil || !strings.Contains(err.Error(), "p.csv.gz") {
		t.Errorf("no such file: %v", err)
	}
	if _, err := Write(random(rand.New(rand.NewPCG(1, 0)), 3, 2, true), memory{}.create, "p.csv.gz"); err == nil ||
		!strings.Contains(err.Error(), "written uncompressed; name p.csv") {
		t.Errorf("written: %v", err)
	}
}

// A small file that decompresses to much is refused at the bound for what it decompresses to, in bounded memory.
func TestDecompressionBombsAreRefused(t *testing.T) {
	const blocks = 80 // MiB
	for name, c := range map[string]struct {
		block string
		says  string
	}{
		"p.yaml.gz": {strings.Repeat("#  \n", 1<<18), "p.yaml: more than 64 MiB"},
		"p.tra.gz":  {strings.Repeat("0", 1<<20), "p.tra:1: a line of more than 1048576 bytes"},
		"p.csv.gz":  {strings.Repeat("a", 1<<20), "p.csv:1: a line of more than 1048576 bytes"},
	} {
		bomb := compressed(t, c.block, blocks)
		if len(bomb) > 8<<20 {
			t.Fatalf("%s: %d bytes are no bomb", name, len(bomb))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(Unzipped(memory{name: bomb}.open), name)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 6*largestStream { // a buffer that doubles up to it
			t.Errorf("%s: %d MiB were allocated", name, took>>20)
		}
	}
	text, err := openText(Unzipped(memory{"p.tra.gz": compressed(t, strings.Repeat("# \n", 1<<18), 20)}.open), "p.tra.gz")
	if err != nil {
		t.Fatal(err)
	}
	text.left = 1 << 20 // in place of some GiB
	if err := text.each(func([]byte) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "more than 8 GiB") {
		t.Errorf("lines without end: error %v", err)
	}
}
