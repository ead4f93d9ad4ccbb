package reward

import (
	"slices"
	"testing"
)

// What is read of a map is one finite number for every cell, or every action, and an error tells nothing of what stands
// in the file.
func FuzzReadMap(f *testing.F) {
	for _, text := range []string{"1,2,3\n4,5,6\n", "column,row,reward\n0,0,1\n2,1,-5e3\n",
		"column,row,action,reward\n1,1,up,2\n", "\ufeff0,0,0\n0,0,0", "column,row,reward\n0,0,\"1\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadMap(text, 3, 2, []string{"up", "down"})
		if err != nil {
			return
		}
		if len(m.Values) != 6*m.Actions || m.Actions != 1 && m.Actions != 2 ||
			slices.ContainsFunc(m.Values, func(v float64) bool { return v-v != 0 }) {
			t.Errorf("%q is read as %+v", text, m)
		}
	})
}
