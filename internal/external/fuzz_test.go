package external

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// FuzzAnswer reads any line: what is accepted has one form, and its numbers come back from what they are written as.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{`{"policy":[0,1]}`, `{"rewards":[[1,null],[3e-7,4]]}`, `{"goal":[1,2]}`,
		`{"stochastic":[[0.5,0.5]]}`, `{"points":[[1,2,3]]}`, `{"posterior":[[1]]}`, `{"error":"no"}`, `{"path":[3]}`,
		`{"rewards":[[1],[2,3]]}`, `{"rewards":[]}`, `[`, ``} {
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
			for _, read := range []table{a.Rewards, a.Stochastic, a.Points, a.Posterior} {
				if len(read) == 0 || len(read[0]) == 0 {
					continue
				}
				columns := len(read[0])
				values, err := read.flat("table", len(read), columns)
				if err != nil {
					continue // rows of different lengths
				}
				text, err := json.Marshal(matrix{values, columns})
				var back table
				if err == nil {
					err = json.Unmarshal(text, &back)
				}
				if err != nil || !slices.EqualFunc(read, back, slices.Equal) {
					t.Fatalf("%q becomes %q: %v", line, text, err)
				}
			}
		}
	})
}
