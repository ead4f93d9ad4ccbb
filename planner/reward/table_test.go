package reward

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const long = `agent,state,action,reward
x,away,stay,5
x,away,go,-1
x,home,stay,-1
x,home,go,-2
y,away,stay,4
y,home,stay,0.5
`

func TestReadBothLayouts(t *testing.T) {
	for _, test := range []struct {
		name, text string
		header     HeaderChoice
		values     [][]float64
		actions    []int
		states     []string
	}{
		{"long", long, KnownHeader, [][]float64{{-1, 5, -2, -1}, {4, 0.5}}, []int{2, 1}, []string{"away", "home"}},
		{"long, one agent", "reward,state,action\n1,a,n\n2,b,n\n", KnownHeader, [][]float64{{1, 2}}, []int{1},
			[]string{"a", "b"}},
		{"bare numbers", "1,2,3\n4, 5,6e0\n", KnownHeader, [][]float64{{1, 2, 3, 4, 5, 6}}, []int{3}, []string{"0", "1"}},
		{"header asked for", "left,right\n1,2\n", FirstRowIsHeader, [][]float64{{1, 2}}, []int{2}, []string{"0"}},
		{"named states", "state,left\naway,1\nhome,2\n", KnownHeader, [][]float64{{1, 2}}, []int{1},
			[]string{"away", "home"}},
		{"capitals", "State,ACTION,Reward\na,n,1\n", KnownHeader, [][]float64{{1}}, []int{1}, []string{"a"}},
		{"byte order mark", "\ufeffstate,left\na,1\n", KnownHeader, [][]float64{{1}}, []int{1}, []string{"a"}},
		{"byte order mark and quotes", "\ufeff\"state\",left\na,1\n", KnownHeader, [][]float64{{1}}, []int{1}, []string{"a"}},
		{"line ends of Windows", "state,left\r\na,1\r\n", KnownHeader, [][]float64{{1}}, []int{1}, []string{"a"}},
		{"semicolons", "state;left;right\n\"a;b\";1;2\n", KnownHeader, [][]float64{{1, 2}}, []int{2}, []string{"a;b"}},
		{"spaces", " state , left \n a , 1 \n", KnownHeader, [][]float64{{1}}, []int{1}, []string{"a"}},
	} {
		table, err := Read(strings.NewReader(test.text), test.header)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if diff := cmp.Diff(test.values, table.Values) + cmp.Diff(test.actions, table.Actions()) +
			cmp.Diff(test.states, table.States); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// written is what Write makes of a file, its rewards doubled.
func written(t *testing.T, text string, header HeaderChoice) string {
	t.Helper()
	table, err := Read(strings.NewReader(text), header)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
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
	return out.String()
}

func TestWriteKeepsTheLayout(t *testing.T) {
	for _, test := range []struct {
		text, want string
		header     HeaderChoice
	}{
		{long, "agent,state,action,reward\nx,away,go,-2\nx,away,stay,10\nx,home,go,-4\nx,home,stay,-2\n" +
			"y,away,stay,8\ny,home,stay,1\n", KnownHeader},
		{"reward,Action,State\n1,n,a\n", "state,action,reward\na,n,2\n", KnownHeader},
		{"1;2\r\n3;4\r\n", "2,4\n6,8\n", KnownHeader},
		{"left, right\n1,2\n", "left,right\n2,4\n", FirstRowIsHeader},
		{"\ufeffState,left\na,1\n", "state,left\na,2\n", KnownHeader},
	} {
		if diff := cmp.Diff(test.want, written(t, test.text, test.header)); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
}

// Whatever order the rows of a file are in, by reward say, the file written is the same.
func TestTheOrderOfRowsIsNotWritten(t *testing.T) {
	for _, rows := range [][]string{
		{"state,action,reward", "a,n,3", "a,e,1", "b,n,-2", "b,e,9", "c,n,0.5", "c,e,4"},
		{"state,action,reward", "a,n,3", "b,n,1", "c,n,-2"},
		{"state,action,reward", "a,n,3", "a,e,1", "a,s,-2"},
		{"agent,state,action,reward", "x,a,n,3", "x,b,n,1", "y,a,e,-2", "y,b,e,0"},
	} {
		seen := map[string]bool{}
		r := rand.New(rand.NewPCG(1, 1))
		for range 50 {
			r.Shuffle(len(rows)-1, func(i, j int) { rows[1+i], rows[1+j] = rows[1+j], rows[1+i] })
			text := written(t, strings.Join(rows, "\n"), KnownHeader)
			seen[text] = true
		}
		if len(seen) > 1 {
			t.Errorf("%q: %d different files", rows, len(seen))
		}
	}
	rows := []string{"s10,5", "s9,7", "s1,-1", "s2,0", "s01,3"}
	want := "state,go\ns01,6\ns1,-2\ns2,0\ns9,14\ns10,10\n"
	for range 20 {
		rand.New(rand.NewPCG(2, 2)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if diff := cmp.Diff(want, written(t, "state,go\n"+strings.Join(rows, "\n"), KnownHeader)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// Files that rank their actions, agents or columns by reward in every state write the order of the names.
func TestARankingIsNotWritten(t *testing.T) {
	for _, test := range []struct {
		text, want string
		header     HeaderChoice
	}{
		{"state,action,reward\na,z,9\na,l,5\na,m,1\nb,z,7\nb,l,3\nb,m,2\n",
			"state,action,reward\na,l,10\na,m,2\na,z,18\nb,l,6\nb,m,4\nb,z,14\n", KnownHeader},
		{"agent,state,action,reward\ny,a,10,9\ny,a,9,8\nx,a,10,2\nx,a,9,1\n",
			"agent,state,action,reward\nx,a,9,2\nx,a,10,4\ny,a,9,16\ny,a,10,18\n", KnownHeader},
		{"state,z,l,m\nb,9,5,1\na,7,3,2\n", "state,l,m,z\na,6,4,14\nb,10,2,18\n", KnownHeader},
		{"z,l,m\n9,5,1\n", "l,m,z\n10,2,18\n", FirstRowIsHeader},
		{"9,5,1,4,3,2,0,8,7,6,10\n", "18,10,2,8,6,4,0,16,14,12,20\n", KnownHeader}, // positions are the names
	} {
		if diff := cmp.Diff(test.want, written(t, test.text, test.header)); diff != "" {
			t.Errorf("%q: %s", test.text, diff)
		}
	}
}

// A reward of -0 is read as 0 in every layout.
func TestNegativeZeroIsReadAsZero(t *testing.T) {
	for _, text := range []string{"-0,1\n-0.0,2\n", "state,left,right\na,-0,1\nb,-0.0,2\n",
		"state,action,reward\n0,0,-0\n0,1,1\n1,0,-0.0\n1,1,2\n"} {
		table, err := Read(strings.NewReader(text), KnownHeader)
		if err != nil {
			t.Fatal(err)
		}
		if v := table.Values[0]; v[0] != 0 || v[2] != 0 || math.Signbit(v[0]) || math.Signbit(v[2]) {
			t.Errorf("%q: %v", text, v)
		}
	}
	for _, text := range []string{"-0,1\n", "column,row,reward\n0,0,-0\n"} {
		m, err := ReadMap([]byte(text), 2, 1, nil)
		if err != nil || math.Signbit(m.Values[0]) {
			t.Errorf("%q: %v, %v", text, m.Values, err)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "no rows"},
		{"state,a\n", "no rows; want rewards below it"},
		{"state,action,reward\n", "no rows; want rewards below it"},
		{"1,2\n3\n", "row 2: wrong number of fields"},
		{"1,\"2\n3\n", `row 2: extraneous or missing " in quoted-field`},
		{"state,b\n1,x\n", "row 2, column 2: not a number"},
		{"1,2\n\n1,NaN\n", "row 3, column 2: not a finite number"},
		{"1,-inf\n", "row 1, column 2: not a finite number"},
		{"1,1e999\n", "row 1, column 2: a number beyond"},
		{"state\nhome\n", "no column of rewards"},
		{"state,reward\nhome,1\n", "has no column action"},
		{"state,action\nhome,1\n", "has no column reward"},
		{"state,action,reward,reward\nh,a,1,2\n", "two columns are headed reward"},
		{"state,action,reward\nh,a,1\nh,a,2\n", "row 3 repeats row 2"},
		{"state,action,reward\nh,a,1\nh,b,1\nk,a,2\nk,a,3\n", "row 5 repeats row 4"},
		{"state,action,reward\nh,a,1\nk,b,2\n", "no row for the state of row 2 and the action of row 3"},
		{"agent,state,action,reward\nx,h,a,1\nx,k,a,1\ny,h,a,2\n", "no row for the state of row 3 and the action of row 4"},
		{"state,action,reward\n,a,1\n", "row 2, column 1: the state has no name"},
		// Columns and headings that are not known.
		{"state,action,reward,comment\nh,a,1,2\n", "row 1, column 4, comment, is not state, action, reward or agent"},
		{"state,action,reward,17\nh,a,1,2\n", "row 1, column 4 is not state"},
		{"go,stay\n1,2\n", "row 1, column 1: not a number"},
		{"go,stay\n1,2\n", "nor is the row a known header"},
		{"state,a1\nh,2\n", "row 1, column 2: a heading with a digit"},
		{"state,٣\nh,2\n", "row 1, column 2: a heading with a digit"},
		{"state,go,go\nh,2,3\n", "row 1, column 3: the heading repeats column 2"},
		{"state,go,\nh,2,3\n", "row 1, column 3: no heading"},
		{"state,go\nh,2\nk,3\nh,4\n", "row 4, column 1: the name repeats row 2"},
		// Numbers that people write and Go does not read.
		{"\"1,200.5\",2\n3,4\n", "row 1, column 1: not a number"},
		{"$1200.5,2\n3,4\n", "row 1, column 1: not a number"},
		{"1 200.5,2\n3,4\n", "row 1, column 1: not a number"},
		{"\u22121200.5,2\n3,4\n", "row 1, column 1: not a number"},
		{"1200,5;2\n3;4\n", "row 1, column 2: not a number"},
		{"\xff1,2\n", "not UTF-8"},
	} {
		_, err := Read(strings.NewReader(test.text), KnownHeader)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", test.text, err, test.want)
		}
	}
	for _, text := range []string{"1,2\n3,4\n", "\"1,200.5\",x\n3,4\n", "a,½\n1,2\n"} {
		if _, err := Read(strings.NewReader(text), FirstRowIsHeader); err == nil || !strings.Contains(err.Error(), "digit") {
			t.Errorf("%q as a header: error %v", text, err)
		}
	}
	if _, err := Read(strings.NewReader("go,stay\n1,2\n"), KnownHeader); !errors.Is(err, ErrNoHeader) {
		t.Errorf("error %v, want ErrNoHeader", err)
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = "1\n"[i%2]
	}
	return len(b), nil
}

func TestAFileWithoutEndIsRefused(t *testing.T) {
	if _, err := Read(endless{}, KnownHeader); err == nil || !strings.Contains(err.Error(), "64 MiB") {
		t.Errorf("error %v", err)
	}
}

// A file of few rows can name a table of far more entries than there is memory for.
func TestManyNamesInFewRowsAreRefused(t *testing.T) {
	var text strings.Builder
	text.WriteString("state,action,reward\n")
	for i := range 300_000 {
		fmt.Fprintf(&text, "s%d,a%d,1\n", i, i)
	}
	if _, err := Read(strings.NewReader(text.String()), KnownHeader); err == nil ||
		!strings.Contains(err.Error(), "no row for the state of row 2 and the action of row 3") {
		t.Errorf("error %v", err)
	}
}

// number is a text that can only come from a cell: messages have no such numbers.
var number = regexp.MustCompile(`[0-9]{5,}|[0-9]+\.[0-9]+`)

// What was read is finite and complete, and survives being written and read again, without anything that
// stood elsewhere in the file. What is refused is refused without telling it.
func FuzzRead(f *testing.F) {
	for _, text := range []string{long, "1,2\n3,4\n", "state,a\nx,1\n", "a,b\n", "\"", "1,NaN\n",
		"state,action,reward\nh,a,1\n", "a;b\r\n1;2", "\ufeffState;A\nx;12345.6\n",
		"state,action,reward,note\nh,a,1,98765\n"} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, asked bool) {
		header := KnownHeader
		if asked {
			header = FirstRowIsHeader
		}
		table, err := Read(strings.NewReader(text), header)
		if err != nil {
			message := strings.Replace(err.Error(), "such as -1.5", "", 1)
			for _, told := range number.FindAllString(message, -1) {
				t.Errorf("%q: the error tells %s: %v", text, told, err)
			}
			return
		}
		zeros := make([][]float64, len(table.Values))
		for i, values := range table.Values {
			if len(values) != len(table.States)*len(table.Names[i]) {
				t.Fatalf("agent %d has %d values of %d states and %d actions", i, len(values), len(table.States),
					len(table.Names[i]))
			}
			for _, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("value %v", v)
				}
			}
			zeros[i] = make([]float64, len(values))
		}
		var out, blank bytes.Buffer
		if err := errors.Join(table.Write(&out, table.Values), table.Write(&blank, zeros)); err != nil {
			t.Fatal(err)
		}
		if table.layout.header && !table.layout.long && !table.layout.states {
			header = FirstRowIsHeader
		}
		again, err := Read(bytes.NewReader(out.Bytes()), header)
		if err != nil {
			t.Fatalf("%q does not read back: %v", out.String(), err)
		}
		if diff := cmp.Diff(table.Values, again.Values) + cmp.Diff(table.Names, again.Names) +
			cmp.Diff(table.States, again.States) + cmp.Diff(table.Agents, again.Agents); diff != "" {
			t.Error(diff)
		}
		names := slices.Concat(table.Agents, table.States, slices.Concat(table.Names...))
		for _, told := range number.FindAllString(blank.String(), -1) {
			if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, told) }) &&
				!strings.Contains(strings.Join(names, ","), told) {
				t.Errorf("%q: the file with other rewards tells %s", text, told)
			}
		}
	})
}
