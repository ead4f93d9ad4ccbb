package reward

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const long = `agent,state,action,reward
x,home,stay,5
x,home,go,-1
y,home,stay,4
x,away,stay,-1
x,away,go,-2
y,away,stay,0.5
`

func TestReadBothLayouts(t *testing.T) {
	for _, test := range []struct {
		name, text string
		values     [][]float64
		actions    []int
		states     []string
	}{
		{"long", long, [][]float64{{5, -1, -1, -2}, {4, 0.5}}, []int{2, 1}, []string{"home", "away"}},
		{"bare numbers", "1,2,3\n4, 5,6e0\n", [][]float64{{1, 2, 3, 4, 5, 6}}, []int{3}, []string{"0", "1"}},
		{"header", "left,right\n1,2\n", [][]float64{{1, 2}}, []int{2}, []string{"0"}},
		{"named states", "state,left\nhome,1\naway,2\n", [][]float64{{1, 2}}, []int{1}, []string{"home", "away"}},
	} {
		table, err := Read(strings.NewReader(test.text))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.values, table.Values) + cmp.Diff(test.actions, table.Actions()) + cmp.Diff(test.states, table.States); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Values are written to where they stood, and everything else stays.
func TestWriteKeepsTheLayout(t *testing.T) {
	table, err := Read(strings.NewReader(long))
	if err != nil {
		t.Fatal(err)
	}
	for i := range table.Values {
		for k := range table.Values[i] {
			table.Values[i][k] *= 2
		}
	}
	var out bytes.Buffer
	if err := table.Write(&out, table.Values); err != nil {
		t.Fatal(err)
	}
	want := "agent,state,action,reward\nx,home,stay,10\nx,home,go,-2\ny,home,stay,8\nx,away,stay,-2\nx,away,go,-4\ny,away,stay,1\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "no rows"},
		{"a,b\n", "no rows; want rewards below it"},
		{"1,2\n3\n", "wrong number of fields"},
		{"a,b\n1,x\n", `row 2, column 2: "x" is not a number`},
		{"1,2\n1,NaN\n", "row 2, column 2: the reward is NaN"},
		{"1,-inf\n", "row 1, column 2: the reward is -inf"},
		{"1,1e999\n", "row 1, column 2"},
		{"state\nhome\n", "no column of rewards"},
		{"state,reward\nhome,1\n", "has no action"},
		{"state,action,reward,reward\nh,a,1,2\n", "two columns are headed reward"},
		{"state,action,reward\nh,a,1\nh,a,2\n", `row 3 repeats row 2: state "h", action "a"`},
		{"state,action,reward\nh,a,1\nk,b,2\n", `no row for state "h", action "b"`},
		{"agent,state,action,reward\nx,h,a,1\nx,k,a,1\ny,h,a,2\n", `no row for agent "y", state "k", action "a"`},
	} {
		_, err := Read(strings.NewReader(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", test.text, err, test.want)
		}
	}
}

// What was read is finite and complete, and survives being written and read again.
func FuzzRead(f *testing.F) {
	for _, text := range []string{long, "1,2\n3,4\n", "state,a\nx,1\n", "a,b\n", "\"", "1,NaN\n", "state,action,reward\nh,a,1\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		for i, values := range table.Values {
			if len(values) != len(table.States)*len(table.Names[i]) {
				t.Fatalf("agent %d has %d values of %d states and %d actions", i, len(values), len(table.States), len(table.Names[i]))
			}
			for _, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("value %v", v)
				}
			}
		}
		var out bytes.Buffer
		if err := table.Write(&out, table.Values); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&out)
		if err != nil {
			t.Fatalf("%q does not read back: %v", out.String(), err)
		}
		if diff := cmp.Diff(table.Values, again.Values); diff != "" {
			t.Error(diff)
		}
	})
}
