package external

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"
)

// FuzzAnswer reads any line: what is accepted has one form, of numbers that encoding/json reads too.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{"policy":[0,1]}`, `{"rewards":[[1,null],[3e-7,4]]}`, `{"rewards":"AAAAAAAA8D8="}`,
		`{"goal":[1,2]}`, `{"stochastic":[[0.5,0.5]]}`, `{"points":[[1,2,3]]}`, `{"posterior":[[1]]}`, `{"error":"no"}`,
		`{"path":[3]}`, `{"rewards":[[1],[2,3]]}`, `{"rewards":[]}`, `[`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, role := range []Role{MechanismRole, ObserverRole} {
			if _, err := parseHello(line, role); err == nil && !bytes.Contains(line, []byte("protocol")) {
				t.Errorf("a hello without protocol: %q", line)
			}
			a, err := parseAnswer(line, role, 1)
			if err != nil {
				continue
			}
			tables := []*numbers{a.Rewards, a.Stochastic, a.Points, a.Posterior}
			for _, n := range tables {
				if n == nil || n.columns == 0 {
					continue
				}
				text := appendNumbers(nil, n.values, n.columns, false)
				var rows [][]*float64
				if err := json.Unmarshal(text, &rows); err != nil || len(rows)*n.columns != len(n.values) {
					t.Fatalf("%q becomes %q: %v", line, text, err)
				}
				for i, x := range n.values {
					got := rows[i/n.columns][i%n.columns]
					if got == nil != math.IsInf(x, -1) || got != nil && *got != x {
						t.Fatalf("number %d of %q is %v", i, line, x)
					}
				}
			}
		}
	})
}
