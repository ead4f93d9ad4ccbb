package problem

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

// Ratios are read where both of their numbers are, and their quotient is one.
func TestRatios(t *testing.T) {
	for text, want := range map[string]float64{"1/4": 0.25, "-3/2": -1.5, "7": 7, "0/5": 0, "1e2/1e1": 10} {
		if got, ok := parseRatio([]byte(text)); !ok || got != want {
			t.Errorf("%q is read as %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"a/2", "2/a", "/2", "2/", "/", "1/0", "0/0", "1/2/3", "1e308/1e-308"} {
		if got, ok := parseRatio([]byte(text)); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Quoted cells are read wherever they stand in a row, the first one included.
func TestQuotedCells(t *testing.T) {
	const head = "state,action,next,probability,reward\n"
	for _, rows := range []string{
		"\"a, b\",x,c,1,1\nc,x,\"a, b\",1,2\n", "\"a, b\",\"x\",\"c\",\"1\",\"1\"\nc,x,\"a, b\",1,2\n",
		"  \"a, b\", x,c,1,1\nc,x,\"a, b\",1,2\n",
	} {
		p, err := Read(files("p.csv", head+rows).open, "p.csv")
		if err != nil {
			t.Errorf("%q: %v", rows, err)
			continue
		}
		if p.States.Of(0) != "a, b" || p.States.Of(1) != "c" || p.States.Count() != 2 || fmt.Sprint(p.Rewards[0]) != "[1 2]" {
			t.Errorf("%q: states %s and %s, rewards %v", rows, p.States.Of(0), p.States.Of(1), p.Rewards[0])
		}
	}
}

// Blank lines and comments stand anywhere in the lists of transitions and rewards.
func TestExplicitFilesWithComments(t *testing.T) {
	m := memory{
		"m.tra":  []byte("mdp\n# two states\n\n0 0 1 1\n   \n1 0 0 1 # back\n#end\n"),
		"m.srew": []byte("# one reward\n\n0 0.25\n"),
	}
	if p := mustRead(t, m, "m.tra"); fmt.Sprint(p.Rewards[0]) != "[0.25 0]" || p.States.Count() != 2 {
		t.Errorf("rewards %v of %d states", p.Rewards[0], p.States.Count())
	}
}

// What stands between the entries of a dictionary must be a comma, and nothing but its end may end it.
func TestDictionariesOfStatesAreSeparated(t *testing.T) {
	const a, b = "\"0\": {\"0\": [[1.0, 0, 0.5, false]]}", "\"1\": {\"0\": [[1.0, 1, 0.0, false]]}"
	if p := mustRead(t, files("p.json", "{"+a+",\n"+b+"}"), "p.json"); p.States.Count() != 2 {
		t.Errorf("%d states, want 2", p.States.Count())
	}
	for _, between := range []string{" ", ";", ",,", "}", "],"} {
		if _, err := Read(files("p.json", "{"+a+between+"\n"+b+"}").open, "p.json"); err == nil ||
			!strings.HasPrefix(err.Error(), "p.json:") {
			t.Errorf("%q between two states: %v", between, err)
		}
	}
}

// Costs are told in the first state in which a problem may start, with a remark where it may start in several.
func TestCassandraStartsInTheFirstPossibleState(t *testing.T) {
	for list, want := range map[string]int{"0.1 0.2 0.7": 0, "0 0.2 0.8": 1, "0 0 1": 2, "1 0 0": 0, "0 1 0": 1, "2": 2,
		"0 0.5 0.5": 1} {
		text := "discount: 0.5\nvalues: reward\nstates: 3\nactions: 1\nstart: " + list +
			"\nT: * identity\nR: * : * : * : * 1\n"
		p := mustRead(t, files("p.mdp", text), "p.mdp")
		several := strings.Count(list, "0.") > 1
		if said := strings.Contains(strings.Join(p.Remarks, ";"), "starts"); p.Start != want || said != several {
			t.Errorf("start: %s begins in state %d, want %d; remarks %q", list, p.Start, want, p.Remarks)
		}
	}
}

// An error in Cassandra's grammar and in a DRN file names the line and what was wanted there.
func TestErrorsOfGrammarsSayWhere(t *testing.T) {
	const cassandraHead = "discount: 0.9\nstates: 2\n\n# a comment\nactions: x\n"
	const drnHead = "@type: MDP\n@nr_states\n3\n@model\nstate 0 [0]\n\taction a [1]\n\t\t0 : 1\n"
	for _, c := range []struct{ path, text, says string }{
		{"p.mdp", cassandraHead + "T: y identity\n", "p.mdp:6: action: there is no \"y\""},
		{"p.mdp", cassandraHead + "\n\nT: x\n0.5 0.5\n0.5 b\n", "p.mdp:10: "},
		{"p.mdp", cassandraHead + "T: x : 0 : 0 1\nT: x : 5 : 0 1\n", "p.mdp:7: "},
		{"p.mdp", cassandraHead + "T: x : 0 :", "p.mdp:6: "},
		{"p.drn", drnHead + "state 2 [0]\n", "p.drn:8: want state 1 of 0..2"},
		{"p.drn", drnHead + "state 1 [0\n", "p.drn:8: "},
	} {
		if _, err := Read(files(c.path, c.text).open, c.path); err == nil || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: %v, want %s", c.path, err, c.says)
		}
	}
}

// Names that Cassandra's grammar cannot hold, or that are its words, become numbers; others are kept.
func TestNamesInCassandrasGrammar(t *testing.T) {
	for _, c := range []struct {
		names []string
		kept  bool
	}{
		{[]string{"left", "right"}, true}, {[]string{"a-1", "B_2"}, true}, {[]string{"left", "2nd"}, false},
		{[]string{"a b", "c"}, false},
		{[]string{"left", "start"}, false}, {[]string{"R", "left"}, false},
	} {
		names, kept := cassandraNames(Named(c.names))
		want := c.names
		if !c.kept {
			want = []string{"0", "1"}
		}
		if kept != c.kept || names.Of(0) != want[0] || names.Of(1) != want[1] || names.Count() != 2 {
			t.Errorf("%q become %s and %s, kept %t", c.names, names.Of(0), names.Of(1), kept)
		}
	}
}

// Arrays have the header that numpy writes: a tuple of one size ends in a comma and of several does not, and the
// numbers begin at a multiple of 64 bytes.
func TestArraysHaveTheHeaderOfNumPy(t *testing.T) {
	for want, shape := range map[string][]int{"(3,)": {3}, "(3, 4)": {3, 4}, "(2, 3, 4)": {2, 3, 4}, "()": nil} {
		var out bytes.Buffer
		w := arrayWriter{archive: zip.NewWriter(&out)}
		w.add("x", "<f8", shape, binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5)))
		if err := w.archive.Close(); err != nil || w.err != nil {
			t.Fatal(err, w.err)
		}
		archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		file, err := archive.Open("x.npy")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		length := int(binary.LittleEndian.Uint16(text[8:]))
		head := string(text[10 : 10+length])
		if (10+length)%64 != 0 || !strings.HasSuffix(head, "\n") || len(text) != 10+length+8 ||
			strings.TrimRight(head, " \n") != "{'descr': '<f8', 'fortran_order': False, 'shape': "+want+", }" {
			t.Errorf("shape %v: %d bytes %q", shape, 10+length, head)
		}
	}
}
