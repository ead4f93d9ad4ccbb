package publish

import (
	"bytes"
	"errors"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veilpath/internal/pieces"
	"veilpath/internal/setup"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/release"
	"veilpath/planner/reward"
)

// The rows of a team name the agent; the rows of a single agent and of a joint reward do not.
func TestPublishedRows(t *testing.T) {
	n := team(t)
	n.States = problem.Named([]string{"d", "b", "c", "a"})
	n.Listed = 3 // the state "a" is not listed in the file
	for name, c := range map[string]struct {
		original release.Original
		rewards  [][]float64
		want     string
	}{
		"input": {Rewards(n), [][]float64{{1, 2, 3, 4, 5, 6}, {0.1, 7e-9, -8, 9, 10, 1e21}},
			"agent,state,action,reward\n0,b,0,1\n0,b,1,2\n0,c,0,3\n0,c,1,4\n0,d,0,5\n0,d,1,6\n" +
				"1,b,0,0.1\n1,b,1,7e-09\n1,c,0,-8\n1,c,1,9\n1,d,0,10\n1,d,1,1e+21\n"},
		"output": {Joint(n), [][]float64{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
			"state,action,reward\nb,0,0\nb,1,1\nb,2,2\nb,3,3\nc,0,4\nc,1,5\nc,2,6\nc,3,7\nd,0,8\nd,1,9\nd,2,10\nd,3,11\n",
		},
		"alone": {Rewards(rooms(t, 5)), [][]float64{{1, 2, 3}},
			"state,action,reward\nroom 9,go,1\nroom 9,stay,2\nroom 10,stay,3\n"},
	} {
		var out bytes.Buffer
		if err := c.original.Write(&out, c.rewards); err != nil || out.String() != c.want {
			t.Errorf("%s: %v, %q, want %q", name, err, &out, c.want)
		}
		if err := c.original.Write(full{}, c.rewards); err == nil {
			t.Errorf("%s: a full disk gives no error", name)
		}
	}
	values := Rewards(n).Rewards
	if want := []float64{1, 0, 2, 0, 0, 0}; !slices.Equal(values[0], want) { // states b, c and d by actions 0 and 1
		t.Errorf("agent 0 earns %v, want %v", values[0], want)
	}
	var out bytes.Buffer
	if err := writePolicy(n, &out, []int32{3, 1, 0, 2}); err != nil || out.String() != "state,action\nb,1\nc,0\nd,3\n" {
		t.Errorf("policy %q, %v", &out, err)
	}
	if err := writePolicy(n, full{}, []int32{3, 1, 0, 2}); err == nil {
		t.Error("a full disk gives no error")
	}
}

// full is a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// The policy treats actions as equally good if they differ by less than 1e-9 of the largest reward, and only then,
// at any discount.
func TestOptimalDistinguishesActions(t *testing.T) {
	law, err := mdp.NewModel(2, 2, func(int, int) []mdp.Outcome {
		return []mdp.Outcome{{State: 0, Probability: 0.5}, {State: 1, Probability: 0.5}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, discount := range []float64{0.1, 0.5, 0.99} {
		for _, largest := range []float64{1, 1e4, 1e-4} {
			for apart, want := range map[float64]int32{0.5e-9: 0, 2e-9: 1, -2e-9: 0, 0.1: 1} {
				p := *team(t).Problem
				p.Law, p.Discount, p.Start = law, discount, 0
				n := &problem.Instance{Problem: &p, States: problem.Numbered(2), Actions: problem.Numbered(2), Listed: 2}
				// State 1 has the largest reward, and state 0 has the two close rewards.
				policy, err := optimal(n, []float64{0.5 * largest, (0.5 + apart) * largest, math.Inf(-1), -largest})
				if err != nil || policy[0] != want || policy[1] != 1 {
					t.Errorf("discount %g, rewards up to %g, %g of that apart: policy %v, %v", discount, largest, apart, policy, err)
				}
			}
		}
	}
}

// The public part shows which actions states lack, and no reward.
func TestPublicOnly(t *testing.T) {
	got := publicOnly([]float64{1, math.Inf(-1), -3, 0})
	if !slices.Equal(got, []float64{0, math.Inf(-1), 0, 0}) {
		t.Errorf("public are %v", got)
	}
}

// The best action has the largest sum of reward and discounted future value.
func TestByNameWeighsWhatFollows(t *testing.T) {
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: 1, Probability: 0.75 - 0.5*float64(a)}, {State: 2, Probability: 0.25 + 0.5*float64(a)}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := *rooms(t, 1).Problem
	p.Law, p.Discount = law, 0.5
	n := &problem.Instance{Problem: &p, States: problem.Numbered(3), Actions: problem.Numbered(2), Listed: 3}
	values := []float64{0, 8, 0} // action 0 leads to value 6, discounted 3; action 1 to value 2, discounted 1
	for _, c := range []struct {
		second float64
		want   int32
	}{{1.9, 0}, {2.1, 1}} {
		if policy := byName(n, []float64{0, c.second, 0, c.second, 0, c.second}, values, 1e-9); policy[0] != c.want {
			t.Errorf("a second reward of %g: action %d, want %d", c.second, policy[0], c.want)
		}
	}
}

// Of releases the table or the problem as the choice says. An impossible choice is an error that names the file.
func TestOfFollowsTheChoice(t *testing.T) {
	table, err := reward.Read(strings.NewReader("state,go,stay\naway,0.5,-1\nhome,-1,5\n"), reward.KnownHeader)
	if err != nil {
		t.Fatal(err)
	}
	n := team(t)
	given := &setup.Private{Name: "team.json", Input: &setup.Input{Instance: n}}
	alone := &setup.Private{Name: "rooms.csv", Table: table}
	for _, c := range []struct {
		p             *setup.Private
		choice        Choice
		joint, policy bool
	}{
		{alone, Choice{}, false, false}, {given, Choice{}, false, false}, {given, Choice{Joint: true}, true, false},
		{given, Choice{Policy: true}, false, true}, {given, Choice{Joint: true, Policy: true}, true, true},
	} {
		f, err := Of(c.p, promise, c.choice, new(privacy.Entropy))
		if err != nil {
			t.Fatal(err)
		}
		names := release.Table(table)
		if c.p == given {
			names = Rewards(n)
		}
		want := TableOf(names)
		// A ledger identifies a team by its agents' tables, for either mechanism.
		if f.Table != want || f.Release.IsJoint() != c.joint || (f.Policy != nil) != c.policy ||
			(f.Instance == n) != (c.p == given) {
			t.Errorf("%s, %+v: table %s of %s, joint %t, policy %v", c.p.Name, c.choice, f.Table, want, f.Release.IsJoint(),
				f.Policy)
		}
	}
	for want, c := range map[string]struct {
		p         *setup.Private
		guarantee privacy.Guarantee
		choice    Choice
	}{
		"rooms.csv is a table of rewards, and a policy": {alone, promise, Choice{Policy: true}},
		"rooms.csv is a table of rewards, and a joint":  {alone, promise, Choice{Joint: true}},
		"rooms.csv: privacy":                            {alone, promise.At(-1), Choice{}},
		"team.json: privacy: grid":                      {given, promise, Choice{Grid: 1e9, Policy: true}},
	} {
		if _, err := Of(c.p, c.guarantee, c.choice, new(privacy.Entropy)); err == nil || !strings.HasPrefix(err.Error(),
			want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A release that cannot be written has no guarantee. Its error says whether a ledger has counted it.
func TestReleaseThatCannotBeWritten(t *testing.T) {
	o := Rewards(rooms(t, 5))
	r, err := release.New(o, promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	f := &Files{Program: "veilpath test", Release: r}
	for inTheWay, counted := range map[string]bool{"out/" + ReleaseName: true, "a/ledger": false} {
		t.Chdir(t.TempDir())
		put("a/x", "")
		a := account(t, Terms{Epsilon: 3, Delta: 1e-6, First: promise})
		put(inTheWay+"/x", "")
		folder, err := pieces.Open("out")
		if err != nil {
			t.Fatal(err)
		}
		statement, err := f.Write(folder, a)
		if err == nil || statement != (release.Statement{}) || read(filepath.Join("out", GuaranteeName)) != "" ||
			strings.Contains(err.Error(), "has counted the release, which was not published") != counted {
			t.Errorf("%s is in the way: %v", inTheWay, err)
		}
	}
	broken := o
	broken.Write = func(io.Writer, [][]float64) error { return errors.New("no") }
	r, err = release.New(broken, promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&Files{Release: r}).Write(nil, nil); err == nil || err.Error() != "no" {
		t.Errorf("a layout that fails: %v", err)
	}
}
