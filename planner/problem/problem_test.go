package problem

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
)

// memory is files by their paths.
type memory map[string][]byte

func (m memory) open(path string) (io.ReadCloser, error) {
	text, ok := m[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

func (m memory) create(path string, write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	m[path] = b.Bytes()
	return err
}

// files returns a memory of one file.
func files(path, text string) memory { return memory{path: []byte(text)} }

func mustRead(tb testing.TB, m memory, path string) *Problem {
	tb.Helper()
	p, err := Read(m.open, path)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func mustSolve(tb testing.TB, p *Problem, discount float64) *planner.Solved {
	tb.Helper()
	planned, err := p.Planned(discount, -1)
	if err != nil {
		tb.Fatal(err)
	}
	solved, err := planned.Solve(1e-10, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return solved
}

// The optimal values that are published for gymnasium's environments: FrozenLake's at a discount of 0.99, the 13 steps
// of CliffWalking, and the mean return of 7.93 over Taxi's 300 starts.
func TestToyTextHasThePublishedValues(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want float64
	}{"4x4": {lake4, 0.5420}, "8x8": {lake8, 0.4146}} {
		solved := mustSolve(t, mustRead(t, files("p.json", frozenLake(c.rows).json()), "p.json"), 0.99)
		if got := solved.Optimal.Value[0]; math.Abs(got-c.want) > 5e-5 { // four decimals are published
			t.Errorf("FrozenLake %s: %v, want %v", name, got, c.want)
		}
	}
	const discount = 0.9
	cliff := mustSolve(t, mustRead(t, files("p.json", cliffWalking().json()), "p.json"), discount)
	// the tolerance and rounding
	if got, want := cliff.Optimal.Value[36], -(1-math.Pow(discount, 13))/(1-discount); math.Abs(got-want) > 1e-9 {
		t.Errorf("CliffWalking: %v, want %v", got, want)
	}
	if fmt.Sprint(cliff.Terminal) != "[[47]]" || cliff.Optimal.Value[47] != 0 {
		t.Errorf("CliffWalking: terminal %v, the goal is worth %v", cliff.Terminal, cliff.Optimal.Value[47])
	}
	p := mustRead(t, files("p.json", taxi().json()), "p.json")
	solved := mustSolve(t, p, discount)
	sum, starts := 0, 0
	for s := range 500 {
		if passenger, goal := s/4%5, s%4; passenger == 4 || passenger == goal {
			continue
		}
		starts++
		steps := 1
		for ; steps < 40; steps++ {
			last := math.Pow(discount, float64(steps-1))
			if math.Abs(20*last-(1-last)/(1-discount)-solved.Optimal.Value[s]) < 1e-9 {
				break
			}
		}
		sum += 21 - steps
	}
	if got := float64(sum) / float64(starts); starts != 300 || math.Abs(got-7.93) > 5e-3 {
		t.Errorf("Taxi: a mean of %v over %d starts, want 7.93 over 300", got, starts)
	}
	if p.listed() != 500 || p.Added != 1 {
		t.Errorf("Taxi: %d states and %d added, want 500 and 1", p.listed(), p.Added)
	}
}

// random returns a problem whose states have different actions, some of them terminal.
func random(rng *rand.Rand, states, actions int, full bool) *Problem {
	r := newRows("random")
	for s := range states {
		if !full && s%7 == 3 {
			continue
		}
		for a := range actions {
			if !full && a > 0 && rng.IntN(3) == 0 {
				continue
			}
			reward := rng.NormFloat64()
			left := 1.0
			for range rng.IntN(3) {
				p := left * rng.Float64()
				r.add(s, a, rng.IntN(states), p, reward, 1)
				left -= p
			}
			r.add(s, a, rng.IntN(states), left, reward, 1)
		}
	}
	p, err := r.problem(Numbered(states), Numbered(actions))
	if err != nil {
		panic(err)
	}
	return p
}

// Every format holds a problem to the bit: what is read back has the same plan, values and noise.
func TestFormatsRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	problems := map[string]*Problem{
		"lake":   mustRead(t, files("p.json", frozenLake(lake4).json()), "p.json"),
		"cliff":  mustRead(t, files("p.json", cliffWalking().json()), "p.json"),
		"taxi":   mustRead(t, files("p.json", taxi().json()), "p.json"),
		"full":   random(rng, 30, 4, true),
		"ragged": random(rng, 40, 5, false),
	}
	for name, p := range problems {
		want := mustSolve(t, p, 0.95)
		for _, ending := range Endings() {
			if ending == ".yaml" || ending == ".yml" {
				continue
			}
			m := memory{}
			path := "there" + ending
			_, err := Write(p, m.create, path)
			if lacks := strings.HasSuffix(ending, "mdp") && name == "ragged"; lacks != (err != nil) {
				t.Errorf("%s in %s: error %v", name, ending, err)
			}
			if err != nil {
				continue
			}
			back := mustRead(t, m, path)
			same(t, name+" in "+ending, want, mustSolve(t, back, 0.95))
			if fmt.Sprint(back.Terminal) != fmt.Sprint(p.Terminal) {
				t.Errorf("%s in %s: terminal %v, want %v", name, ending, back.Terminal, p.Terminal)
			}
		}
	}
}

// Every format reads a reward of -0 as 0: what a problem comes to does not depend on the format it was in.
func TestNegativeZeroIsReadAsZero(t *testing.T) {
	rewards := func(p *Problem) { // at the places of 0
		for _, table := range p.Rewards {
			for i, r := range table {
				if r == 0 {
					table[i] = math.Copysign(0, -1)
				}
			}
		}
	}
	one := mustRead(t, files("p.csv",
		"state,action,next,probability,reward\n0,0,1,1,0\n0,1,0,1,1\n1,0,1,0.5,0\n1,0,0,0.5,0\n1,1,0,1,2\n"), "p.csv")
	rewards(one)
	for _, ending := range Endings() {
		p := one
		if ending == ".yaml" || ending == ".yml" {
			m := memory{"a.csv": []byte("state,action,next,probability,reward\n0,0,1,1,0\n1,0,0,1,1\n"),
				"team.yaml": []byte("discount: 0.9\nagents:\n  - problem: a.csv\n    count: 2\n")}
			p = mustRead(t, m, "team.yaml")
			rewards(p)
		}
		m, zeros := memory{}, 0
		if _, err := Write(p, m.create, "p"+ending); err != nil {
			t.Fatal(err)
		}
		for _, table := range mustRead(t, m, "p"+ending).Rewards {
			for _, r := range table {
				if r == 0 {
					zeros++
				}
				if r == 0 && math.Signbit(r) {
					t.Errorf("%s: a reward is -0", ending)
				}
			}
		}
		if zeros == 0 {
			t.Errorf("%s: no reward of 0", ending)
		}
	}
}

func same(t *testing.T, what string, want, got *planner.Solved) {
	t.Helper()
	if len(got.Optimal.Value) != len(want.Optimal.Value) || got.Optimal.Bound != want.Optimal.Bound {
		t.Errorf("%s: %d states within %v, want %d within %v", what, len(got.Optimal.Value), got.Optimal.Bound,
			len(want.Optimal.Value), want.Optimal.Bound)
		return
	}
	actions := want.Law.Actions()
	for s, v := range want.Optimal.Value {
		if got.Optimal.Value[s] != v || got.Rewards.Joint[s*got.Law.Actions()+
			int(got.Optimal.Policy[s])] != want.Rewards.Joint[s*actions+int(want.Optimal.Policy[s])] {
			t.Errorf("%s: state %d is worth %v by action %d, want %v by action %d", what, s, got.Optimal.Value[s],
				got.Optimal.Policy[s], v, want.Optimal.Policy[s])
			return
		}
	}
}

// A reward with which values overflow is refused by its value, state and action, as the file names them.
func TestLargeRewardsAreNamed(t *testing.T) {
	for text, says := range map[string]string{
		"state,action,next,probability,reward\nnear,go,far,1,0\n" +
			"far,back,near,1,1e308\n": "state far, action back: " +
			"planner: reward 1e+308",
		"state,action,next,probability,reward\n0,0,1,1,0\n1,0,0,1,-1e200\n": "reward -1e+200 of agent 0, state 1, action 0",
	} {
		_, err := mustRead(t, files("p.csv", text), "p.csv").Planned(0.9, -1)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// A team in YAML has the rewards of its agents, or a joint table of them.
func TestTeamsRoundTrip(t *testing.T) {
	m := memory{
		"in/team.yaml": []byte("discount: 0.9\nagents:\n  - problem: a.csv\n    count: 2\n    start: far\n  - problem: " +
			"b.csv\n    name: other\n"),
		"in/a.csv": []byte("state,action,next,probability,reward\nnear,stay,near,1,1\nnear,go,far,1,0\n" +
			"far,stay,far,1,0\nfar,go,near,0.5,-1\nfar,go,far,0.5,-1\n"),
		"in/b.csv": []byte("state,action,next,probability,reward\n0,0,1,1,2\n1,0,0,1,0\n1,1,1,1,0.5\n"),
	}
	p := mustRead(t, m, "in/team.yaml")
	solved := mustSolve(t, p, 0)
	if got, want := p.States.Of(solved.Start), "far|far|0"; got != want {
		t.Errorf("the team starts in %s, want %s", got, want)
	}
	// Independent agents are worth the mean of what each is worth alone.
	a, b := mustSolve(t, mustRead(t, m, "in/a.csv"), 0.9), mustSolve(t, mustRead(t, m, "in/b.csv"), 0.9)
	want := (2*a.Optimal.Value[1] + b.Optimal.Value[0]) / 3
	if got := solved.Optimal.Value[solved.Start]; math.Abs(got-want) > 1e-9 { // the tolerances and rounding
		t.Errorf("the team is worth %v, want %v", got, want)
	}
	if _, err := Write(p, m.create, "out/copy.yaml"); err != nil {
		t.Fatal(err)
	}
	same(t, "team", mustSolve(t, p, 0), mustSolve(t, mustRead(t, m, "out/copy.yaml"), 0))
	for name := range m {
		if filepath.Dir(name) == "out" && name != "out/copy.yaml" && !strings.HasPrefix(filepath.Base(name), "copy-") {
			t.Errorf("writing a team made %s", name)
		}
	}
}

// An agent that has ended is left without noise, whatever the other does, by either mechanism and in what is read back
// with a joint table of rewards.
func TestTeamsWhoseAgentsEnd(t *testing.T) {
	const head = "state,action,next,probability,reward\n"
	m := memory{
		"in/team.yaml": []byte("discount: 0.5\nagents:\n  - problem: a.csv\n  - problem: b.csv\n"),
		"in/a.csv":     []byte(head + "way,go,end,1,-1\nway,wait,way,1,-2\nend,,,,\n"),
		"in/b.csv":     []byte(head + "on,good,on,1,3\non,bad,off,1,0\noff,,,,\n"),
	}
	if _, err := Write(mustRead(t, m, "in/team.yaml"), m.create, "out/copy.yaml"); err != nil {
		t.Fatal(err)
	}
	m["in/late.yaml"] = bytes.Replace(m["in/team.yaml"], []byte("0.5"), []byte("1.5"), 1)
	if _, err := Read(m.open, "in/late.yaml"); err == nil ||
		err.Error() != "in/late.yaml: discount 1.5; want a number above 0 and below 1" {
		t.Error(err)
	}
	for _, path := range []string{"in/team.yaml", "out/copy.yaml"} {
		solved := mustSolve(t, mustRead(t, m, path), 0)
		for s, want := range []float64{2.5, -0.5, 3, 0} { // means of -1 and 0 with 3/(1-1/2) and 0
			if got := solved.Optimal.Value[s]; math.Abs(got-want) > 1e-9 { // the tolerance
				t.Errorf("%s: state %d is worth %v, want %v", path, s, got, want)
			}
		}
		for _, mechanism := range []privacy.Linear{privacy.InputPerturbation{},
			privacy.OutputPerturbation{Norm: privacy.ExactL2}} {
			p, err := planner.NewPlanner(solved, mechanism)
			if err != nil {
				t.Fatal(err)
			}
			z := make([]float64, p.Normals())
			for i := range z {
				z[i] = float64(100 + i)
			}
			private := p.Privatize(1, z)
			if over := private[3*4:]; fmt.Sprint(over) != "[0 0 0 0]" {
				t.Errorf("%s, %s: %v where both have ended", path, mechanism.Name(), over)
			}
			if mechanism.Name() == "input" {
				// In state end|on the noise is that of the second agent's third state.
				good, bad := (3+z[8+4])/2, (0+z[8+5])/2
				if got := private[2*4 : 3*4]; !slices.Equal(got, []float64{good, bad, good, bad}) {
					t.Errorf("%s: %v where the first has ended, want %v and %v", path, got, good, bad)
				}
			}
		}
	}
	for says, row := range map[string]string{"reward is 0": "0,2,0,1\n", "twice": "0,2,0,0\n0,2,0,0\n", "no reward": ""} {
		broken := maps.Clone(m)
		table := m["out/copy-rewards.csv"]
		kept := strings.Split(string(table), "\n0,2,0,0\n")
		if broken["out/copy-rewards.csv"] = []byte(kept[0] + "\n" + row + kept[1]); row == "" {
			broken["out/copy-rewards.csv"] = []byte(strings.Replace(string(table), "0,0,0,-1\n", "", 1))
		}
		if _, err := Read(broken.open, "out/copy.yaml"); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "agent 0, state") {
			t.Errorf("error %v, want %q", err, says)
		}
	}
}

// Errors name the file, the line, the state and the action, and what was found.
func TestErrorsSayWhere(t *testing.T) {
	const head = "state,action,next,probability,reward\n"
	for _, c := range []struct{ path, text, says string }{
		{"p.csv", head + "0,0,0,0.5,1\n0,1,0,1,1\n", "p.csv:2: state 0, action 0: the probabilities sum to 0.5; want 1 " +
			"within 1e-09"},
		{"p.csv", head + "a,x,a,1,1\nb,x,a,0.9,1\nb,x,b,0.1000001,1\n",
			"p.csv:3: state b, action x: the probabilities sum to 1.0000001"},
		{"p.csv", head + "0,0,0,1,nan\n", "p.csv:2: state 0, action 0: reward is \"nan\""},
		{"p.csv", head + "0,0,0,-1,0\n", "p.csv:2: state 0, action 0: probability is \"-1\""},
		{"p.csv", head + "0,0,0,1\n", "p.csv:2: 4 cells"},
		{"p.csv", "state,action,next,probability\n0,0,0,1\n", "no column reward"},
		{"p.csv", "state,action,next,probability,reward,note\n", "column 6 is \"note\""},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0, true]],\n \"1\": [[0.5, 0, 1.0, false]]}}",
			"p.json:2: state 0, action 1: the probabilities sum to 0.5"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 7, 0.0, true]]}}", "next state 7 is outside 0..0"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0]]}}", "state 0, action 0: "},
		{"p.json", "{\"0\": {\n\"0\": [[1.0, 0, 0.0, true]}}", "p.json:2: "},
		{"p.tra", "2 2 3\n0 0 0 0.5\n0 0 1 0.4\n1 0 1 1\n", "p.tra:2: state 0, action 0: the probabilities sum to 0.9"},
		{"p.tra", "2 2 2\n0 0 2 1\n", "p.tra:2: state 0, action 0: next state 2; the header allows states 0..1"},
		{"p.drn", "@type: MDP\n@nr_states\n1\n@model\nstate 0 [0]\n\taction a [1]\n\t\t0 : 0.25\n",
			"p.drn:7: state 0, action a: the probabilities sum to 0.25"},
		{"p.drn", "@type: CTMC\n@nr_states\n1\n@model\n", "p.drn:1: a model of type CTMC"},
		{"p.mdp", "discount: 0.9\nvalues: reward\nstates: a b\nactions: x\nT: x : a : a 0.5\nT: x : b : b 1\n",
			"p.mdp:5: state a, action x: the probabilities sum to 0.5"},
		{"p.mdp", "discount: 0.9\nstates: 2\nactions: x\nT: y identity\n", "p.mdp:4: action: there is no \"y\""},
		{"p.mdp", "discount:", "p.mdp:1: discount \"\"; want a number"},
		{"p.drn", "@type: MDP\n@nr_states\n1\n", "no section @model; want the whole"},
		{"p.json", "{\"0\": {\"0\": [[1.0, 0, 0.0, true]]}, \"0\": {\"0\": [[1.0, 0, 0.0, true]]}}",
			"2 states, but only 0 to 0; a state occurs twice"},
		{"p.csv.gz", head, "p.csv.gz: not compressed by gzip, as its name says (gzip: invalid header); leave .gz out"},
		{"p.npz", "PK", "p.npz: "},
		{"p.parquet", "PAR1", "p.parquet: "},
		{"p.yaml", "agents: []\n", "no agents"},
		{"p.txt", "", "no problem format has the ending \".txt\""},
	} {
		_, err := Read(Unzipped(files(c.path, c.text).open), c.path)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(strings.TrimSpace(err.Error()), "\n") {
			t.Errorf("%s: error %v, want one line that says %s", c.path, err, c.says)
		}
	}
}

// Wildcards, matrices, identity, uniform and costs, by hand.
func TestCassandraGrammar(t *testing.T) {
	p := mustRead(t, files("p.POMDP", `# two rooms
discount: 0.5
values: cost
states: left right
actions: stay go look
observations: dark light
start: right
T: * identity
T: go
0.0 1.0
1.0 0.0
T: look : left uniform
O: * uniform
R: * : * : * : * 1
R: go : left : right : * 4
R: look : right
2 2
3 3
`), "p.POMDP")
	want := []float64{-1, -4, -1, -1, -1, -3}
	for i, r := range p.Rewards[0] {
		if r != want[i] {
			t.Errorf("reward %d is %v, want %v", i, r, want[i])
		}
	}
	if o := p.Law.AppendOutcomes(nil, 0, 2); len(o) != 2 || o[0] != (mdp.Outcome{State: 0, Probability: 0.5}) {
		t.Errorf("looking from the left leads to %v", o)
	}
	if p.Discount != 0.5 || p.Start != 1 || p.States.Of(1) != "right" || len(p.Remarks) != 2 {
		t.Errorf("discount %v, start %d, remarks %q", p.Discount, p.Start, p.Remarks)
	}
}

// Storm's and PRISM's files of one model are one problem, with rewards of states and of transitions.
func TestExplicitFiles(t *testing.T) {
	prism := memory{
		"m.tra":  []byte("3 4 5\n0 0 1 0.5 a\n0 0 2 0.5 a\n0 1 0 1 b\n1 0 0 1 a\n2 0 2 1\n"),
		"m.srew": []byte("3 1\n0 0.25\n"),
		"m.trew": []byte("3 4 2\n0 0 1 2\n0 0 2 4\n"),
		"m.lab":  []byte("0=\"init\" 1=\"deadlock\"\n1: 0\n2: 1\n"),
	}
	storm := memory{
		"m.tra":  []byte("mdp\n0 0 1 0.5\n0 0 2 0.5\n0 1 0 1\n1 0 0 1\n2 0 2 1\n"),
		"m.srew": []byte("0 0.25\n"),
		"m.trew": []byte("0 0 1 2\n0 0 2 4\n"),
		"m.lab":  []byte("#DECLARATION\ninit deadlock\n#END\n1 init\n2 deadlock\n"),
	}
	drn := files("m.drn", "@type: MDP\n@parameters\n\n@reward_models\nr\n@nr_states\n3\n@nr_choices\n4\n@model\nstate 0 "+
		"[1/4]\n\taction 0 [3]\n\t\t1 : 1/2\n\t\t2 : 0.5\n\taction 1 [0]\n\t\t0 : 1\nstate 1 [0] init\n\taction 0 "+
		"[0]\n\t\t0 : 1\nstate 2 [0] deadlock\n\taction 0 [0]\n\t\t2 : 1\n")
	for name, p := range map[string]*Problem{"prism": mustRead(t, prism, "m.tra"), "storm": mustRead(t, storm, "m.tra"),
		"drn": mustRead(t, drn, "m.drn")} {
		if got := fmt.Sprint(p.Rewards[0]); got != "[3.25 0.25 0 -Inf 0 0]" {
			t.Errorf("%s: rewards %s", name, got)
		}
		if p.Start != 1 || fmt.Sprint(p.Terminal) != "[2]" {
			t.Errorf("%s: start %d, terminal %v", name, p.Start, p.Terminal)
		}
	}
}
