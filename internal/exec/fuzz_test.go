package exec

import (
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
		a, err := parse(line, 1, append([]string{points, posterior}, forms...))
		if err != nil {
			return
		}
		var read table
		if a.decode(&read) != nil || len(read) == 0 || len(read[0]) == 0 {
			return
		}
		columns := len(read[0])
		values, err := a.numbers(len(read), columns)
		if err != nil {
			return // rows of different lengths
		}
		text, err := json.Marshal(newTable(values, columns))
		if err != nil {
			t.Fatal(err)
		}
		back, err := answer{a.field, text}.numbers(len(read), columns)
		if err != nil || !slices.Equal(back, values) {
			t.Fatalf("%q becomes %q: %v", line, text, err)
		}
	})
}
