package problem

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"veilpath/planner"
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

// head is the header of a table.
const head = "state,action,next,probability,reward\n"

// files returns a memory of one file.
func files(path, text string) memory { return memory{path: []byte(text)} }

func mustRead(tb testing.TB, m memory, path string) *Problem {
	tb.Helper()
	p, err := Read(m.open, path, Options{})
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
func TestTeams(t *testing.T) {
	m := memory{
		"in/team.yaml": []byte("discount: 0.9\nagents:\n  - problem: a.csv\n    count: 2\n    start: far\n  - problem: " +
			"b.csv\n    name: other\n"),
		"in/a.csv": []byte(head + "near,stay,near,1,1\nnear,go,far,1,0\n" +
			"far,stay,far,1,0\nfar,go,near,0.5,-1\nfar,go,far,0.5,-1\n"),
		"in/b.csv": []byte(head + "0,0,1,1,2\n1,0,0,1,0\n1,1,1,1,0.5\n"),
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
	if got := strings.Join(p.Remarks, "\n"); !strings.Contains(got, "team.yaml: 8 states, 8 actions; start far|far|0") ||
		!strings.Contains(got, "in/a.csv: 2 states, 2 actions") || !strings.Contains(got, "in/b.csv: 2 states") {
		t.Errorf("it says %s", got)
	}
}

// An agent that has ended is left without noise, whatever the other does, by either mechanism, also with a joint table
// of rewards.
func TestTeamsWhoseAgentsEnd(t *testing.T) {
	m := memory{
		"team.yaml":  []byte("discount: 0.5\nagents:\n  - problem: a.csv\n  - problem: b.csv\n"),
		"table.yaml": []byte("discount: 0.5\nagents:\n  - problem: a.csv\n  - problem: b.csv\nrewards: r.csv\n"),
		"late.yaml":  []byte("discount: 1.5\nagents:\n  - problem: a.csv\n"),
		"a.csv":      []byte(head + "way,go,end,1,-1\nway,wait,way,1,-2\nend,,,,\n"),
		"b.csv":      []byte(head + "on,good,on,1,3\non,bad,off,1,0\noff,,,,\n"),
	}
	const first = "0,way|on,go,-1\n0,way|on,wait,-2\n0,way|off,go,-1\n0,way|off,wait,-2\n"
	const second = "1,way|on,good,3\n1,way|on,bad,0\n1,end|on,good,3\n1,end|on,bad,0\n"
	m["r.csv"] = []byte("agent,state,action,reward\n" + first + second)
	for _, path := range []string{"team.yaml", "table.yaml"} {
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
	for says, rows := range map[string]string{
		"r.csv:10: agent 0, state end|on, action go: the agent is in a terminal state": first + second + "0,end|on,go,1\n",
		"r.csv:7: agent 0, state way|on, action go: twice": first +
			"1,way|on,good,3\n0,way|on,go,-1\n",
		"agent 1, state way|on, action good: no reward": first,
		"agent 0, state way, action go: there is no":    "",
	} {
		m["r.csv"] = []byte("agent,state,action,reward\n" + rows)
		if rows == "" {
			m["r.csv"] = append(m["r.csv"], "0,way,go,1\n"...)
			says = "there is no joint state \"way\""
		}
		if _, err := Read(m.open, "table.yaml", Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	if _, err := Read(m.open, "late.yaml", Options{}); err == nil ||
		err.Error() != "late.yaml: discount 1.5; want a number above 0 and below 1" {
		t.Error(err)
	}
}

// The error in the file of a team takes one line, without the names of Go's types.
func TestFaultsOfTeamsTakeOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"agents:\n- a.json\n- b.json\n":          "line 2: unexpected str `a.json`; line 3",
		"discount: abc\nagents:\n- problem: a\n": "line 1: unexpected str `abc`; want",
		"agents:\n- problem: a\n  foo: 1\n":      "line 3: field foo not found; want",
		"agents: []\n":                           "no agents",
	} {
		_, err := Read(files("t.yaml", text).open, "t.yaml", Options{})
		if err == nil || !strings.Contains(err.Error(), "t.yaml: "+want) || strings.ContainsAny(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
