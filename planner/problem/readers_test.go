package problem

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// drnOf returns a DRN file with the lines of a model.
func drnOf(states, choices int, models, lines string) string {
	return fmt.Sprintf("// Exported by storm\n@type: MDP\n@value_type: double\n@parameters\n\n@reward_models\n%s \n"+
		"@nr_states\n%d\n@nr_choices\n%d\n@model\n%s", models, states, choices, lines)
}

// Files as other tools write them have the values of value iteration by hand, and a sentence says what was read.
func TestFilesOfOtherTools(t *testing.T) {
	arrays := func(of map[string][]byte) string { return string(zipped(t, of)) }
	for _, c := range []struct {
		path, text string
		options    Options
		discount   float64
		values     []float64 // of the listed states
		says       string    // the sentence after the name
	}{
		// An outcome that ends the episode may lead to any state, which keeps its own outcomes.
		{path: "ends.json", text: `{"0": {"0": [[1.0, 1, -1.0, false]], "1": [[1.0, 2, -1.0, false]]},
			"1": {"0": [[1.0, 0, 5.0, true]], "1": [[1.0, 2, -1.0, false]]},
			"2": {"0": [[1.0, 0, 8.0, true]], "1": [[1.0, 1, -1.0, false]]}}`,
			discount: 0.95, values: []float64{6.6, 6.6, 8}, says: "3 states and one added in which episodes end, 2 actions; " +
				"start 0, the first, because the file names none ({start}); rewards of the outcomes"},
		{path: "both.json", text: `{"0": {"0": [[0.5, 1, 10.0, true], [0.5, 1, 0.0, false]], "1": [[1.0, 0, 1.0, false]]},
			"1": {"0": [[1.0, 0, 2.0, false]], "1": [[1.0, 1, 3.0, true]]}}`, discount: 0.95, values: []float64{20, 21}},
		// NumPy's booleans, by json.dump(..., default=int).
		{path: "int.json", text: `{"0": {"0": [[1, 0, 2, 1]], "1": [[1, 0, 1, 0]]}}`, discount: 0.5, values: []float64{2.}},
		{path: "zero.json", text: `{"0": {"0": [[1.0, 1, -0.0, false], [-0.0, 0, -5.0, false]], "1": [[0.5, 0, -0.0, false],
			[0.25, 1, 2.0, false], [0.25, 1, 6.0, false]]}, "1": {"0": [[1.0, 0, -0.0, false]]}}`,
			discount: 0.95, values: []float64{2 / (1 - 0.475 - 0.95*0.95/2), 1.9 / (1 - 0.475 - 0.95*0.95/2)}},
		// Labels with words in quotes, and labels that look like the marks of other models.
		{path: "words.drn", text: drnOf(3, 3, "gain", "state 0 [0] \"an init state of x\"\n\taction up [1]\n\t\t1 : 1\n"+
			"state 1 [0] \"no deadlock here\"\n\taction stay [0]\n\t\t1 : 1\nstate 2 [0] init\n//[x=1]\n\taction stay "+
			"[7]\n\t\t0 : 0.5\n\t\t2 : 0.5\n"), discount: 0.9, values: []float64{1, 0, 7.45 / 0.55},
			says: "3 states, 2 actions; start 2, labelled init; rewards of model gain; left out: labels other than init " +
				"and deadlock"},
		{path: "bang.drn", text: drnOf(2, 2, "gain", "state 0 [0] init !done\n\taction up [1]\n\t\t1 : 1\nstate 1 [0] done "+
			"{x}\n\taction stay [3]\n\t\t0 : 0.25\n\t\t1 : 0.75\n"), discount: 0.9,
			values: []float64{1 + 0.9*3.225/0.1225, 3.225 / 0.1225}},
		{path: "marks.drn", text: drnOf(2, 2, "", "state 0 \"init\"\n\taction a\n\t\t1 : 1\nstate 1 \"deadlock\"\n\taction "+
			"a\n\t\t1 : 1\n"), discount: 0.9, values: []float64{0, 0},
			says: "2 states (1 terminal: 1), 1 action; start 0, labelled init; rewards of no model, all 0"},
		{path: "left.drn", text: drnOf(2, 2, "", "state 0 \"deadlock\"\n\taction a\n\t\t1 : 1\nstate 1\n\taction a\n"+
			"\t\t1 : 1\n"), discount: 0.9, values: []float64{0, 0}, says: "2 states, 1 action; start 0, the first, because " +
			"the file names none ({start}); rewards of no model, all 0; left out: the label deadlock of 1 state that an " +
			"action leaves"},
		// Six digits: each row is divided by its sum.
		{path: "six.drn", text: drnOf(3, 4, "cost", "state 0 [0] init\n\taction a [1]\n\t\t0 : 0.333333\n\t\t1 : "+
			"0.333333\n\t\t2 : 0.333333\n\taction b [0]\n\t\t1 : 0.142857\n\t\t2 : 0.857143\nstate 1 [0]\n\taction a "+
			"[2]\n\t\t0 : 1\nstate 2 [0]\n\taction a [0.5]\n\t\t2 : 0.666667\n\t\t0 : 0.333333\n"), discount: 0.9,
			values: []float64{9.634145069898256, 10.67073056290843, 8.47560793352084},
			says: "3 states, 2 actions; start 0, labelled init; rewards of model cost; 1 row of probabilities divided by " +
				"the sum, which missed 1 by up to 1e-06"},
		{path: "five.csv", text: head + "0,0,0,0.33333,3\n0,0,1,0.66666,6\n1,0,1,1,0\n", discount: 0.9,
			values: []float64{5 / (1 - 0.9/3), 0}}, // with rewards that differ by the next state
		// Several reward models.
		{path: "first.drn", text: drnOf(1, 1, "gain loss", "state 0 [1, 2]\n\taction a [0, 3]\n\t\t0 : 1\n"), discount: 0.5,
			values: []float64{2}, says: "1 state, 1 action; start 0, the first, because the file names none ({start}); " +
				"rewards of model gain, one of gain, loss ({rewards})"},
		{path: "second.drn", text: drnOf(1, 1, "gain loss", "state 0 [1, 2]\n\taction a [0, 3]\n\t\t0 : 1\n"), discount: 0.5,
			options: Options{RewardModel: "loss"}, values: []float64{10}},
		// A choice without a label; ratios and placeholders; a chain.
		{path: "names.drn", text: drnOf(1, 2, "r", "state 0\n\taction __NOLABEL__ [1]\n\t\t0 : 1\n\taction __NOLABEL__ [2]\n"+
			"\t\t0 : 1\n"), discount: 0.5, values: []float64{4}, says: "1 state, 2 actions; start 0, the first, because the " +
			"file names none ({start}); rewards of model r; left out: names of actions, because a state has two of one " +
			"name: actions are the numbers of a state's choices"},
		{path: "chain.drn", text: "@type: DTMC\n@placeholders\n$0 : 1/3\n@reward_models\nr\n@nr_states\n2\n@nr_choices\n2\n" +
			"@model\nstate 0 [3/2] init\n\t0 : $0\n\t1 : 2/3\nstate 1 [0]\n\t1 : 1\n", discount: 0.5,
			values: []float64{1.5 / (1 - 0.5/3), 0}},
		// Arrays.
		{path: "thirds.npz", text: arrays(map[string][]byte{"P.npy": npy(t, "<f4", "1, 3, 3", []float32{1. / 3, 1. / 3, 1. /
			3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3, 1. / 3}), "R.npy": npy(t, "<f8", "3", []float64{0, 1, 2})}),
			discount: 0.9, values: []float64{9, 10, 11}, says: "3 states, 1 action; start 0, the first, because the file " +
				"names none ({start}); rewards of R[S]; 3 rows of probabilities divided by the sum, which missed 1 by up to " +
				"3e-08"},
		{path: "places.npz", text: arrays(map[string][]byte{"arr_0.npy": npy(t, "<f8", "2, 2, 2", []float64{0.9, 0.1, 0.4,
			0.6, 0.5, 0.5, 0, 1}), "arr_1.npy": npy(t, "<f8", "2, 2", []float64{1, 0, 2, -1})}), discount: 0.9,
			values: []float64{11.636363636363637, 13.454545454545455}, says: "2 states, 2 actions; start 0, the first, " +
				"because the file names none ({start}); rewards of R[S,A], with array 0 as P[A,S,S] and array 1 as R"},
		{path: "econ.npz", text: arrays(map[string][]byte{"arr_0.npy": npy(t, "<f8", "1, 2, 1", []float64{1, 1}),
			"arr_1.npy": npy(t, "<f8", "1, 2", []float64{1, 3})}), discount: 0.5, values: []float64{6}},
		// Tables of pandas.
		{path: "index.csv", text: "," + head + "0,0,0,1,1,1\n1,1,0,0,1,0\n", discount: 0.9, values: []float64{1 / 0.19,
			0.9 / 0.19}, says: "2 states, 1 action; start 0, the first, because the file names none ({start}); rewards " +
			"of column reward; left out: the first column, which is the index of pandas"},
		{path: "unnamed.csv", text: "Unnamed: 0," + head + "0,0,0,1,1,1\n1,1,0,0,1,0\n", discount: 0.9,
			values: []float64{1 / 0.19, 0.9 / 0.19}},
		{path: "floats.csv", text: head + "0.0,0.0,1.0,1,1\n1,0.000e+00,2.0,1,0\n2.0,,,,\n", discount: 0.9,
			values: []float64{1, 0, 0}, says: "3 states (1 terminal: 2), 1 action; start 0, the first, because the file names " +
				"none ({start}); rewards of column reward"},
		{path: "ends.csv", text: head + "s,x,a,0.25,1\ns,x,b,0.25,1\ns,x,c,0.25,1\ns,x,d,0.125,1\ns,x,e,0.0625,1\n" +
			"s,x,f,0.0625,1\n", discount: 0.9, values: []float64{1, 0, 0, 0, 0, 0, 0},
			says: "7 states (6 terminal: a, b, c, d, e, ...), 1 action; start s, the first, because the file " +
				"names none ({start}); rewards of column reward"},
		{path: "quoted.csv", text: head + "\"a, b\",x,c,1,1\nc,\"x\",\"a, b\",1,2\n", discount: 0.5,
			values: []float64{8. / 3, 10. / 3}},
		{path: "sparse.csv", text: head + "900000000,7,5,1,1\n5,7,900000000,1,2\n", discount: 0.5,
			values: []float64{10. / 3, 8. / 3}}, // ascending
		{path: "mixed.csv", text: "\ufeffprobability;REWARD;next;state;action\r\n1;2;7;home;0\r\n1;0;home;7;0\r\n",
			discount: 0.5, values: []float64{8. / 3, 4. / 3}}, // as listed
	} {
		p, err := Read(files(c.path, c.text).open, c.path, c.options)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		solved := mustSolve(t, p, c.discount)
		for s, want := range c.values {
			if got := solved.Optimal.Value[s]; p.listed() != len(c.values) || math.Abs(got-want) > 1e-8 {
				// the solver's 1e-10/(1-0.95) and rounding
				t.Errorf("%s: %d states, state %d is worth %v, want %v", c.path, p.listed(), s, got, want)
			}
		}
		if c.says != "" && p.Remarks[0] != c.path+": "+c.says {
			t.Errorf("%s: it says\n%s", c.path, p.Remarks[0])
		}
		for _, r := range p.Rewards[0] {
			if r == 0 && math.Signbit(r) {
				t.Errorf("%s: a reward of -0", c.path)
			}
		}
	}
}

// Errors name the file, the line where it has lines, the state and the action, and what was found.
func TestErrorsSayWhere(t *testing.T) {
	const start = "@type: MDP\n@nr_states\n3\n@model\nstate 0 [0]\n\taction a [1]\n\t\t0 : 1\n"
	for _, c := range []struct{ path, text, says string }{
		{"p.csv", head + "0,0,0,0.5,1\n0,1,0,1,1\n", "p.csv:2: state 0, action 0: the probabilities sum to 0.5; want 1 " +
			"within 1e-05"},
		{"p.csv", head + "a,x,a,1,1\nb,x,a,0.9,1\nb,x,b,0.10002,1\n",
			"p.csv:3: state b, action x: the probabilities sum to 1.00002"},
		{"p.csv", head + "0,0,0,1,nan\n", "p.csv:2: state 0, action 0: reward is \"nan\""},
		{"p.csv", head + "0,0,0,1,0x1\n", "p.csv:2: state 0, action 0: reward is \"0x1\""},
		{"p.csv", head + "0,0,0,-1,0\n", "p.csv:2: state 0, action 0: probability is \"-1\""},
		{"p.csv", head + "0,0,0,1\n", "p.csv:2: 4 cells; want 5"},
		{"p.csv", head + "0,0,,1,1\n", "p.csv:2: state 0: want an action and a next state"},
		{"p.csv", head + "1,,,,\n0,0,1,1,1\n1,0,0,1,1\n", "p.csv:2: state 1 is terminal here, but has outcomes"},
		{"p.csv", "state,action,next,probability\n0,0,0,1\n", "no column reward"},
		{"p.csv", "state,action,next,probability,reward,note\n", "column 6 is \"note\""},
		{"p.csv", "state,action,next,probability,reward,reward\n", "column reward twice"},
		{"p.csv", "state,action,next,state,probability,reward\n", "column state twice"},
		{"p.csv", "", "p.csv: empty; want the header"},
		{"p.csv", head, "p.csv: it has no outcomes"},
		{"p.csv", head + "0,0,9000000,1,0\n0,1,1,1,0\n9000000,999999,0,1,0\n" +
			strings.Repeat("1,0,1,0,0\n", 1), "p.csv:5: state 1, action 0: the probabilities sum to 0"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0, true]],\n \"1\": [[0.5, 0, 1.0, false]]}}",
			"p.json: state 0, action 1: the probabilities sum to 0.5"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 7, 0.0, true]]}}", "p.json: state 0, action 0: next state 7 is outside 0..0"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0]]}}", "p.json: state 0, action 0: [1.0, 0, 0.0] instead of [prob"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0, true, 1]]}}", "true, 1] instead of [prob"},
		{"p.json", "{\"0\": {\"0\": [{\"a\": 1}]}}", "p.json: state 0, action 0: {\"a\": 1}] instead of"},
		{"p.json", "{\"0\": {\"0\": 3}}", "p.json: state 0, action 0: 3} instead of a list of outcomes"},
		{"p.json", "{\"0\": {\n\"0\": [[1.0, 0, 0.0, true]}}", "p.json: state 0: invalid character"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, NaN, true]]}}", "p.json: state 0: invalid character 'N'"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 1e999, true]]}}", "p.json: state 0, action 0: reward 1e999 instead of a"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0.5, 0, true]]}}", "p.json: state 0, action 0: next state 0.5 instead of"},
		{"p.json", "{\"0\": {\"0\": [[-1, 0, 0, true]]}}", "p.json: state 0, action 0: probability -1 instead of"},
		{"p.json", "{\"0\": {\"0\": [[1, 0, 0, 2]]}}", "p.json: state 0, action 0: terminated 2 instead of true or false"},
		{"p.json", "{\"0\": {\"a\": []}}", "p.json: state 0: an action is \"a\" instead of its number"},
		{"p.json", "[]", "p.json: [ instead of a dictionary of states; want json.dump(env.unwrapped.P, file, default=int)"},
		{"p.json", "{\"0\": {", "p.json: state 0: the file ends within the dictionary"},
		{"p.json", "{\"0\": {}} 1", "p.json: text follows the dictionary"},
		{"p.json", "{\"1\": {}}", "p.json: 1 states, the largest of them 1; want the states from 0 on"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0, true]]}, \"0\": {\"0\": [[1.0, 0, 0.0, true]]}}",
			"2 states, but only 0 to 0; a state occurs twice"},
		{"p.json", "{\"0\": {\"0\": [[1, 0, 0, true]], \"0\": [[1, 0, 0, true]]}}", "the probabilities sum to 2"},
		{"p.drn", "@type: MDP\n@nr_states\n1\n@model\nstate 0 [0]\n\taction a [1]\n\t\t0 : 0.25\n",
			"p.drn:7: state 0, action a: the probabilities sum to 0.25"},
		{"p.drn", "@type: CTMC\n@nr_states\n1\n@model\n", "p.drn:1: a model of type CTMC"},
		{"p.drn", "@type: MDP\n@value_type: double-interval\n", "p.drn:2: values of type double-interval"},
		{"p.drn", "@type: MDP\n@parameters\nx y\n", "p.drn:3: parameters x y; instantiate them"},
		{"p.drn", "@type: MDP\n@nr_states\n1\n", "no section @model; want the whole"},
		{"p.drn", start + "state 2 [0]\n", "p.drn:8: want state 1 of 0..2"},
		{"p.drn", start + "state 1 [0\n", "p.drn:8: state 1: rewards without an end"},
		{"p.drn", start + "state 1 \"a b\n", "p.drn:8: state 1: a label without its closing quote"},
		{"p.drn", start + "state 1 [2]\nstate 2\n", "p.drn:9: state 1 has the reward 2 and no action"},
		{"p.drn", start, "p.drn: 1 states follow @model; @nr_states says 3"},
		{"p.drn", drnOf(1, 2, "r", "state 0 [0]\n\taction a [1]\n\t\t0 : 1\n"), "p.drn: 1 choices follow @model; "},
		{"p.drn", drnOf(1, 1, "a b", "state 0 [1]\n\taction a [1, 2]\n\t\t0 : 1\n"), "p.drn:13: state 0: 1 rewards for 2 " +
			"reward models"},
		{"p.drn", drnOf(1, 1, "r", "state 0 [0] deadlock\n\taction a [1]\n\t\t0 : 1\n"), "p.drn: state 0 is labelled " +
			"deadlock, but action a has the reward 1"},
		{"p.drn", drnOf(1, 1, "r", "state 0\n\taction a [1]\nstate 1\n"),
			"p.drn:15: state 0: its last action has no outcome"},
		{"p.drn", drnOf(1, 1, "r", "state 0\n\taction a [1] b\n\t\t0 : 1\n"),
			"p.drn:14: state 0: \" b\" after action a"},
		{"p.drn", drnOf(1, 1, "r", "state 0\n\taction a [1]\n\t\t1 : 1\n"),
			"p.drn:15: state 0: next state 1 is outside 0..0"},
		{"p.drn", drnOf(1, 1, "r", "state 0\n\taction a [1]\n\t\t0 : [1, 1]\n"),
			"p.drn:15: state 0, next state 0: probability " +
				"is \"[1, 1]\""},
		{"p.csv.gz", head, "p.csv.gz: not compressed by gzip, as its name says (gzip: invalid header); leave .gz out"},
		{"p.npz", "PK", "p.npz: "},
		{"p.npz.gz", "PK", "p.npz.gz: .npz is already compressed"},
		{"p.txt", "", "p.txt: no problem format has the ending \".txt\""},
		{"p.tra", "", "p.tra: .tra files are not read; let Storm write DRN: storm --prism"},
		{"p.POMDP", "", "p.POMDP: .pomdp files are not read; write CSV with a row per outcome: state,action"},
		{"p.parquet", "", "p.parquet: .parquet files are not read; let DuckDB write CSV: duckdb -c"},
	} {
		_, err := Read(Unzipped(files(c.path, c.text).open), c.path, Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(strings.TrimSpace(err.Error()), "\n") {
			t.Errorf("%s: error %v, want one line that says %s", c.path, err, c.says)
		}
	}
	drn := drnOf(1, 1, "a b", "state 0 [1, 2]\n\taction a [1, 2]\n\t\t0 : 1\n")
	for path, says := range map[string]string{"p.drn": "p.drn: there is no reward model \"c\"; want one of a, b",
		"p.csv": "p.csv: reward models to choose from are in DRN files alone"} {
		if _, err := Read(files(path, drn).open, path, Options{RewardModel: "c"}); err == nil || err.Error() != says {
			t.Errorf("error %v, want %s", err, says)
		}
	}
}

// The state in which episodes end is none of the file's, so that it cannot be the start.
func TestTheAddedStateIsNoStart(t *testing.T) {
	p, err := Read(files("p.json", `{"0": {"0": [[1, 1, 2, true]]}, "1": {"0": [[1, 0, 1, false]]}}`).open, "p.json",
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Instance(0.9, -1)
	if err != nil {
		t.Fatal(err)
	}
	if other, err := n.StartIn("1"); err != nil || other.Start != 1 || n.Start != 0 {
		t.Errorf("%v", err)
	}
	if _, err := n.StartIn("2"); err == nil || n.Listed != 2 {
		t.Errorf("state 2 of %d is the start", n.Listed)
	}
}

// Settings may say how many agents they have; a team lists them.
func TestTeamsListTheirAgents(t *testing.T) {
	for text, want := range map[string]bool{"agents: [a.json, b.json]": true, "agents: 3": false,
		"study:\n  runs: 3": false, "agents: [": false} {
		if got := IsTeam([]byte(text)); got != want {
			t.Errorf("%q is a team: %t", text, got)
		}
	}
}

// Lines are read in whatever pieces the file gives, and errors name the line.
func TestManyLines(t *testing.T) {
	const states = 100_000
	var table bytes.Buffer
	table.WriteString(head)
	for s := range states {
		end := "\n"
		if s%3 == 0 {
			end = "\r\n"
		}
		fmt.Fprintf(&table, "%d,0,%d,1,%d%s", s, (s*7+3)%states, s%11, end)
	}
	if table.Len() < maxLineBytes {
		t.Fatal("too short for two buffers")
	}
	read := func(text string) (*Problem, error) {
		open := func(string) (io.ReadCloser, error) {
			return io.NopCloser(iotest.HalfReader(strings.NewReader(text))), nil
		}
		return Read(open, "m.csv", Options{})
	}
	p, err := read(table.String())
	if err != nil {
		t.Fatal(err)
	}
	for s := range states {
		outcomes := p.Law.AppendOutcomes(nil, s, 0)
		if len(outcomes) != 1 || outcomes[0].State != (s*7+3)%states || p.Rewards[0][s] != float64(s%11) {
			t.Fatalf("state %d: %v, reward %v", s, outcomes, p.Rewards[0][s])
		}
	}
	lines := strings.SplitAfter(table.String(), "\n")
	lines[80_000] = "7,0,0,2x,0\n"
	if _, err := read(strings.Join(lines, "")); err == nil || !strings.HasPrefix(err.Error(), "m.csv:80001: ") {
		t.Errorf("a wrong line: %v", err)
	}
	if _, err := read(strings.Repeat("9", 3*maxLineBytes)); err == nil || !strings.Contains(err.Error(), "bytes") {
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
		taken := allocated(func() {
			if _, err := Read(open, path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v", path, err)
			}
		})
		if taken > 300 || path == sparse && taken > 1 {
			t.Errorf("%s: it took %d MiB", path, taken)
		}
	}
	if read > maxStreamBytes+1 {
		t.Errorf("%d bytes were read of what has no end", read)
	}
}

// allocated returns how many MiB a function allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) >> 20
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
	read := 0
	open := func(path string) (io.ReadCloser, error) {
		switch path {
		case "team.yaml":
			return io.NopCloser(strings.NewReader("discount: 0.9\nagents:\n  - problem: a.csv\nrewards: r.csv\n")), nil
		case "a.csv":
			return io.NopCloser(strings.NewReader(head + "0,0,0,1,0\n")), nil
		}
		return io.NopCloser(io.MultiReader(strings.NewReader("agent,state,action,reward\n0,\""), zeros{&read})), nil
	}
	if _, err := Read(open, "team.yaml", Options{}); err == nil ||
		!strings.Contains(err.Error(), "r.csv: a row of more than 1048576 bytes") {
		t.Errorf("a row without end: %v", err)
	}
	if read > 2<<20 {
		t.Errorf("%d bytes were read of a row", read)
	}
}

// What Write writes is read back to the bit, with the terminal states.
func TestWriteIsReadBack(t *testing.T) {
	for _, p := range []*Problem{
		mustRead(t, files("p.json", taxi().json()), "p.json"),
		mustRead(t, files("p.json", frozenLake(lake4).json()), "p.json"),
		mustRead(t, files("p.csv", head+"0,0,1,0.3,1e-300\n0,0,2,0.7,1e-300\n0,2,0,1,-0.1\n1,1,0,1,2\n2,,,,\n"), "p.csv"),
	} {
		var out bytes.Buffer
		if _, err := Write(p, &out); err != nil {
			t.Fatal(err)
		}
		back := mustRead(t, files("p.json", out.String()), "p.json")
		content := func(p *Problem) string { return fmt.Sprint(p.Terminal, p.Rewards, p.Added, p.Law) }
		if content(back) != content(p) {
			t.Errorf("%s is read back as %s\n%.200s", p.Remarks[0], back.Remarks[0], out.String())
		}
	}
	p := mustRead(t, files("p.csv", head+"a,x,b,1,1\nb,y,a,1,1\n"), "p.csv")
	p.Start, p.Discount = 1, 0.5
	lost, err := Write(p, io.Discard)
	if fmt.Sprint(lost) != "[the names of states and actions, which become numbers from 0 "+
		"the discount, 0.5 the start, state b]" {
		t.Errorf("lost %q, %v", lost, err)
	}
}
