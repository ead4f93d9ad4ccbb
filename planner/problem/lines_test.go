package problem

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	pages "github.com/parquet-go/parquet-go/format"

	"veilpath/planner/columnar"
)

// Files of many blocks are read line by line, wherever blocks end, and errors name the line.
func TestManyBlocks(t *testing.T) {
	const states = 150_000
	var tra, trew bytes.Buffer
	fmt.Fprintf(&tra, "%d %d %d\r\n", states, states, states)
	for s := range states {
		end := "\n"
		if s%3 == 0 {
			end = "\r\n"
		}
		fmt.Fprintf(&tra, "%d 0 %d 1%s", s, (s*7+3)%states, end)
		fmt.Fprintf(&trew, "%d 0 %d %d/4%s", s, (s*7+3)%states, s%11, end)
	}
	if tra.Len() < 2*longestLine || trew.Len() < 2*longestLine {
		t.Fatal("too short for two blocks")
	}
	whole := tra.String()
	read := func(tra string) (*Problem, error) {
		return Read(func(path string) (io.ReadCloser, error) {
			switch path {
			case "m.tra":
				return io.NopCloser(iotest.HalfReader(strings.NewReader(tra))), nil
			case "m.trew":
				return io.NopCloser(bytes.NewReader(trew.Bytes())), nil
			}
			return nil, fs.ErrNotExist
		}, "m.tra")
	}
	p, err := read(whole)
	if err != nil {
		t.Fatal(err)
	}
	for s := range states {
		outcomes := p.Law.AppendOutcomes(nil, s, 0)
		if len(outcomes) != 1 || outcomes[0].State != (s*7+3)%states || p.Rewards[0][s] != float64(s%11)/4 {
			t.Fatalf("state %d: %v, reward %v", s, outcomes, p.Rewards[0][s])
		}
	}
	for line, wrong := range map[int]string{2: "0 0 3 2x", 100_002: "100000 0 -1 1", states + 1: "149999 0 150000 1"} {
		lines := strings.SplitAfter(whole, "\n")
		lines[line-1] = wrong + "\n"
		if _, err := read(strings.Join(lines, "")); err == nil ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("m.tra:%d: ", line)) {
			t.Errorf("line %d is wrong: %v", line, err)
		}
	}
	if _, err := read(strings.Repeat("9", 3*longestLine)); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("an endless line: %v", err)
	}
}

// A file that is too large is refused by its size, without reading it, and one without a size before it fills the
// memory.
func TestFilesThatAreTooLargeAreNotRead(t *testing.T) {
	sparse := filepath.Join(t.TempDir(), "sparse.npz")
	if err := os.WriteFile(sparse, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 10<<30); err != nil {
		t.Fatal(err)
	}
	read := 0
	for path, want := range map[string]string{sparse: "more than 1024 MiB; write such a large problem as",
		"/dev/zero.npz": "not a regular file"} {
		open := func(string) (io.ReadCloser, error) {
			if path == sparse {
				return os.Open(path)
			}
			return io.NopCloser(zeros{&read}), nil
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(open, path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", path, err)
		}
		if taken := (after.TotalAlloc - before.TotalAlloc) >> 20; taken > 300 || path == sparse && taken > 1 {
			t.Errorf("%s: it took %d MiB", path, taken)
		}
	}
	if read > largestStream+1 {
		t.Errorf("%d bytes were read of what has no end", read)
	}
}

// zeros are zeros without end, and how many were read.
type zeros struct{ read *int }

func (z zeros) Read(to []byte) (int, error) {
	clear(to)
	*z.read += len(to)
	return len(to), nil
}

// Rows of a joint table of rewards are bounded, in quotes too.
func TestLongRowsOfJointRewardsAreRefused(t *testing.T) {
	var out bytes.Buffer
	out.WriteString("agent,state,action,reward\n0,\"")
	files := map[string][]byte{
		"team.yaml": []byte("discount: 0.9\nagents:\n  - problem: a.csv\nrewards: r.csv\n"),
		"a.csv":     []byte("state,action,next,probability,reward\n0,0,0,1,0\n"),
	}
	read := 0
	open := func(path string) (io.ReadCloser, error) {
		if filepath.Base(path) == "r.csv" {
			return io.NopCloser(io.MultiReader(&out, zeros{&read})), nil
		}
		return io.NopCloser(bytes.NewReader(files[filepath.Base(path)])), nil
	}
	if _, err := Read(open, "team.yaml"); err == nil ||
		!strings.Contains(err.Error(), "r.csv: a row of more than 1048576 bytes") {
		t.Errorf("a row without end: %v", err)
	}
	if read > 2<<20 {
		t.Errorf("%d bytes were read of a row", read)
	}
}

// A Parquet table that is larger than it looks is refused by name before the library reads it.
func TestParquetIsCheckedBeforeItIsRead(t *testing.T) {
	var out bytes.Buffer
	w := parquet.NewGenericWriter[namedRow](&out)
	w.Write([]namedRow{{State: "a"}})
	w.Close()
	text := out.Bytes()
	footer := len(text) - 8 - int(binary.LittleEndian.Uint32(text[len(text)-8:]))
	var m pages.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), text[footer:len(text)-8], &m); err != nil {
		t.Fatal(err)
	}
	m.RowGroups[0].Columns[0].MetaData.NumValues = 1 << 40
	claim, err := thrift.Marshal(new(thrift.CompactProtocol), &m)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text[:footer:footer], claim...)
	text = append(binary.LittleEndian.AppendUint32(text, uint32(len(claim))), "PAR1"...)
	open := func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	if _, err := Read(open, "p.parquet"); !errors.Is(err, columnar.ErrTable) ||
		!strings.Contains(err.Error(), "p.parquet: the number of its values") {
		t.Errorf("%v", err)
	}
}

// The error in the file of a team takes one line, without the names of Go's types.
func TestFaultsOfTeamsTakeOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"agents:\n- a.json\n- b.json\n":          "line 2: unexpected str `a.json`; line 3",
		"discount: abc\nagents:\n- problem: a\n": "line 1: unexpected str `abc`; want",
		"agents:\n- problem: a\n  foo: 1\n":      "line 3: field foo not found; want",
	} {
		open := func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
		_, err := Read(open, "t.yaml")
		if err == nil || !strings.Contains(err.Error(), "t.yaml: "+want) || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
