package problem

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
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
	const table = head + "0,0,1,1,2\n1,0,0,1,1\n"
	for path, text := range map[string]string{
		"p.csv":  table,
		"p.json": `{"0": {"0": [[1, 1, 2, false]]}, "1": {"0": [[1, 0, 1, false]]}}`,
		"p.drn":  drnOf(2, 2, "r", "state 0 [2]\n\taction a [0]\n\t\t1 : 1\nstate 1 [1]\n\taction a [0]\n\t\t0 : 1\n"),
		"p.yaml": "agents:\n  - problem: a.csv\n",
	} {
		zipped := compressed(t, text, 1)
		for what, m := range map[string]memory{
			"compressed": {path + ".gz": zipped, "a.csv.gz": compressed(t, table, 1)},
			"it alone":   {path + ".gz": zipped, "a.csv": []byte(table)},
			"of two members": {path + ".gz": append(compressed(t, text[:9], 1), compressed(t, text[9:], 1)...),
				"a.csv": []byte(table)},
			"marked": {path + ".gz": compressed(t, "\ufeff"+text, 1), "a.csv": []byte("\ufeff" + table)},
		} {
			p, err := Read(Unzipped(m.open), path+".gz", Options{})
			if err != nil || p.Rewards[0][0] != 2 || p.Rewards[0][1] != 1 {
				t.Errorf("%s, %s: %v", path, what, err)
			}
		}
	}
}

// A file that is not compressed, is cut short or changed, or is an archive, is refused by name.
func TestBadGzipIsRefused(t *testing.T) {
	whole := compressed(t, head+"0,0,0,1,2\n", 1)
	changed := bytes.Clone(whole)
	changed[len(changed)-6] ^= 1 // its checksum
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	w.WriteHeader(&tar.Header{Name: "p.csv", Size: int64(len(head))})
	io.WriteString(w, head)
	w.Close()
	for _, c := range []struct {
		text []byte
		says string
	}{
		{whole[:len(whole)-9], "p.csv.gz is cut off or damaged"},
		{changed, "p.csv.gz is cut off or damaged"},
		{[]byte(head + "0,0,0,1,2\n"), "p.csv.gz: not compressed by gzip"},
		{compressed(t, archive.String(), 1), "p.csv.gz: an archive of tar; unpack it with tar -xzf p.csv.gz and name"},
	} {
		if _, err := Read(Unzipped(memory{"p.csv.gz": c.text}.open), "p.csv.gz", Options{}); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %q", err, c.says)
		}
	}
	if _, err := Read(Unzipped(memory{}.open), "p.csv.gz", Options{}); err == nil ||
		!strings.Contains(err.Error(), "p.csv") {
		t.Errorf("no such file: %v", err)
	}
}

// A small file that decompresses to much is refused in bounded memory.
func TestDecompressionBombsAreRefused(t *testing.T) {
	row := strings.Repeat("0,0,0,1e-8,0\n", 1<<16)
	for path, c := range map[string]struct {
		block string
		says  string
	}{
		"p.yaml.gz": {strings.Repeat("#  \n", 1<<18), "p.yaml.gz decompresses to more than 50 times its size"},
		"p.json.gz": {strings.Repeat(" ", 1<<20), "p.json.gz decompresses to more than 50 times its size"},
		"p.csv.gz":  {strings.Repeat("a", 1<<20), "p.csv:1: a line of more than 1048576 bytes"},
		"q.csv.gz":  {row, "q.csv.gz decompresses to more than 50 times its size"},
	} {
		bomb := compressed(t, c.block, 80)
		if path == "q.csv.gz" {
			bomb = append(compressed(t, head, 1), bomb...)
		}
		if len(bomb) > 1<<20 {
			t.Fatalf("%s: %d bytes are no bomb", path, len(bomb))
		}
		taken := allocated(func() {
			if _, err := Read(Unzipped(memory{path: bomb}.open), path, Options{}); err == nil ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: error %v, want %q", path, err, c.says)
			}
		})
		if taken > 384 {
			t.Errorf("%s: %d MiB were allocated", path, taken)
		}
	}
}
