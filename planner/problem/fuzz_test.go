package problem

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"veilpath/planner"
)

// holds fails where what was read of a file cannot be planned, written and read again.
func holds(t *testing.T, m memory, path string) {
	p, err := Read(m.open, path, Options{})
	if err != nil {
		if strings.Contains(err.Error(), "runtime error") {
			t.Fatal(err)
		}
		return
	}
	if p.Law.States()*p.Law.Actions() > 1<<12 {
		return
	}
	for _, table := range p.Rewards {
		for _, r := range table {
			if r == 0 && math.Signbit(r) {
				t.Fatal("a reward of -0")
			}
		}
	}
	planned, err := p.Planned(0.9, -1)
	if errors.As(err, new(*planner.LargeRewardError)) {
		return
	}
	if err != nil {
		t.Fatalf("a problem that was read cannot be planned: %v", err)
	}
	if _, err := planned.Solve(1e300, 0); err != nil {
		t.Fatal(err)
	}
	if p.Members != nil {
		return
	}
	var first, second bytes.Buffer
	if _, err := Write(p, &first); err != nil {
		t.Fatal(err)
	}
	back, err := Read(memory{"q.json": first.Bytes()}.open, "q.json", Options{})
	if err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, first.Bytes())
	}
	if _, err := Write(back, &second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("written again it differs: %v\n%s\n%s", err, first.Bytes(), second.Bytes())
	}
}

// fuzz feeds the reader of an ending.
func fuzz(f *testing.F, ending string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { holds(t, memory{"p" + ending: text}, "p"+ending) })
}

func FuzzGymnasium(f *testing.F) {
	fuzz(f, ".json", frozenLake(lake4).json(), `{"0": {"0": [[0.5, 0, 1e3, false], [0.5, 1, 0, true]]}, "1": {}}`)
}

func FuzzCSV(f *testing.F) {
	fuzz(f, ".csv", head+"a,x,\"b, c\",1,2\n\"b, c\",,,,\n", "probability;reward;next;state;action\n1;2;7;7;0\n")
}

func FuzzDRN(f *testing.F) {
	fuzz(f, ".drn", "@type: MDP\n@placeholders\n$a : 1/2\n@nr_states\n2\n@model\nstate 0 [1, 2] init\n\taction go "+
		"[3]\n\t\t0 : $a\n\t\t1 : 0.5\nstate 1 \"a b\"\n\t1 : 1\n")
}

func FuzzNumPy(f *testing.F) {
	fuzz(f, ".npz", string(zipped(f, map[string][]byte{"P.npy": npy(f, "<f8", "1, 1, 1", []float64{1}),
		"R.npy": npy(f, "<f8", "1", []float64{2})})))
}

// Arrays inside a sound archive, whose checksums would stop what is changed in the archive itself.
func FuzzArrays(f *testing.F) {
	npy := func(header string, entries ...byte) []byte {
		return append([]byte("\x93NUMPY\x01\x00"+string([]byte{byte(len(header)), 0})+header), entries...)
	}
	f.Add(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 1, 1), }\n", 1, 1),
		npy("{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2), }\n", 1, 0, 2, 0))
	f.Add(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 1, 1), }\n", 0x3f, 0x80, 0, 0),
		npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", 0, 0, 0, 0, 0, 0, 0xf0, 0x3f))
	f.Fuzz(func(t *testing.T, p, r []byte) {
		holds(t, memory{"p.npz": zipped(t, map[string][]byte{"P.npy": p, "R.npy": r})}, "p.npz")
	})
}

func FuzzTeam(f *testing.F) {
	f.Add([]byte("discount: 0.9\nagents:\n  - problem: a.csv\n    count: 2\nrewards: r.csv\n"),
		[]byte("agent,state,action,reward\n0,0,0,1\n1,0,0,2\n"))
	f.Add([]byte("discount: 0.9\nagents:\n  - problem: b.csv\n    start: end\n  - problem: a.csv\nrewards: r.csv\n"),
		[]byte("agent,state,action,reward\n0,on|0,x,1\n0,end|0,x,0\n1,on|0,0,2\n1,end|0,0,2\n"))
	f.Fuzz(func(t *testing.T, text, rewards []byte) {
		holds(t, memory{"t.yaml": text, "r.csv": rewards, "a.csv": []byte(head + "0,0,0,1,2\n"),
			"b.csv": []byte(head + "on,x,end,1,2\nend,,,,\n")}, "t.yaml")
	})
}
