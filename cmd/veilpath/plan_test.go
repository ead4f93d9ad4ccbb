package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"veilpath/sim/campaign"

	"veilpath/planner"
)

// corridor is three rooms in a row, in gymnasium's JSON: 0 leads to 1, 1 to the end with a reward of 1.
const corridor = `{"0": {"0": [[1.0, 0, 0.0, false]], "1": [[1.0, 1, 0.0, false]]},
"1": {"0": [[1.0, 0, 0.0, false]], "1": [[0.5, 2, 1.0, true], [0.5, 1, 0.0, false]]},
"2": {"0": [[1.0, 2, 0.0, true]], "1": [[1.0, 2, 0.0, true]]}}`

// planned is what plan prints as JSON, as far as others read it.
type planned struct {
	Value   []float64 `json:"value"`
	Policy  []any     `json:"policy"`
	Bound   float64   `json:"bound"`
	Private []struct {
		Policy []any     `json:"policy"`
		Regret []float64 `json:"regret"`
		Cost   *float64  `json:"cost_of_privacy"`
	} `json:"private"`
}

func planFor(t *testing.T, args ...string) planned {
	t.Helper()
	return answerOf[planned](t, append([]string{"plan"}, args...)...)
}

func TestPlanWritesAProblem(t *testing.T) {
	folder := t.TempDir()
	path, file := filepath.Join(folder, "corridor.json"), filepath.Join(folder, "copy.json")
	if err := os.WriteFile(path, []byte(corridor), 0o666); err != nil {
		t.Fatal(err)
	}
	const g = 0.9
	last := 0.5 / (1 - g/2) // v = 1/2 + g v/2
	got := veilpath(t, "plan", path, "--discount", "0.9", "--write", file, "--format", "csv")
	if got.code != exitDone || !strings.Contains(got.stderr, "corridor.json: 3 states and one added in which episodes "+
		"end, 2 actions; start 0, the first") {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	p := planFor(t, file, "--discount", "0.9")
	// rounding
	if len(p.Value) != 3 || math.Abs(p.Value[1]-last) > 1e-12 || math.Abs(p.Value[0]-g*last) > 1e-12 ||
		math.Abs(p.Value[2]) > 1e-12 {
		t.Errorf("values %v, want %v %v 0", p.Value, g*last, last)
	}
	if p.Policy[0] != 1.0 || p.Policy[1] != 1.0 || !(p.Bound >= 0 && p.Bound < 1e-8) {
		t.Errorf("policy %v within %v", p.Policy, p.Bound)
	}
	for says, name := range map[string]string{"copy.json already exists": "copy.json", "written as JSON": "copy.drn"} {
		if got := veilpath(t, "plan", path, "--write", filepath.Join(folder, name)); got.code != exitUsage ||
			!strings.Contains(got.stderr, says) {
			t.Errorf("%s: exit code %d, %s", name, got.code, got.stderr)
		}
	}
}

func TestPlanTellsWhatPrivacyCosts(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "plan")
	p := planFor(t, "paper", "--epsilons", "0.2,4", "--seed", "3", "--out", folder)
	if len(p.Value) != 400 || p.Policy[0] != "to_target" || len(p.Private) != 2 || p.Private[0].Cost == nil {
		t.Fatalf("%d states, first action %v, %d private plans", len(p.Value), p.Policy[0], len(p.Private))
	}
	lost := 0.0
	for _, r := range p.Private[0].Regret {
		lost = max(lost, r)
	}
	if lost <= 0 || *p.Private[0].Cost <= *p.Private[1].Cost {
		t.Errorf("largest regret %v, costs %v and %v", lost, *p.Private[0].Cost, *p.Private[1].Cost)
	}
	for name, heading := range map[string]string{
		"policy.csv": "state,action,value,private_action_0.2,regret_0.2,private_action_4,regret_4,notice\n",
		"reward.csv": "state,action,reward,private_reward_0.2,private_reward_4,notice\n",
		"route.csv":  "policy,step,state,column,row,east_km,north_km,action,notice\n", "manifest.json": "{",
	} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.HasPrefix(string(text), heading) {
			t.Errorf("%s: %v, begins with %.80s", name, err, text)
		}
	}
}

func TestPlanRefusals(t *testing.T) {
	folder := t.TempDir()
	wrong := filepath.Join(folder, "wrong.csv")
	if err := os.WriteFile(wrong, []byte("state,action,next,probability,reward\n0,0,0,0.9,1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for says, args := range map[string][]string{
		"wrong.csv:2: state 0, action 0: the probabilities sum to 0.9": {wrong},
		"cannot be read": {filepath.Join(folder, "none.drn")},
		".tra files are not read; let Storm write DRN": {filepath.Join(folder, "none.tra")},
		"FROM 'lake.parquet') TO 'lake.csv'":           {"lake.parquet"},
		"neither a preset nor a file of a problem":     {"papr"},
		"takes one problem":                            {},
		"--start: there is no 400":                     {"paper", "--start", "400"},
		"--epsilons: 0 is out of range":                {"paper", "--epsilons", "1,0"},
		"--mechanism":                                  {"paper", "--epsilons", "1", "--mechanism", "cauchy"},
		"--discount":                                   {"paper", "--discount", "1"},
	} {
		if got := veilpath(t, append([]string{"plan", "--format", "json"}, args...)...); got.code != exitUsage ||
			!strings.Contains(got.stderr, says) {
			t.Errorf("%v: exit code %d, %s; want %d and %q", args, got.code, got.stderr, exitUsage, says)
		}
	}
}

// Every mechanism that has a name plans for a problem, and the table of moves has what it makes: a private reward, or
// the probabilities of a stochastic policy.
func TestPlanByEveryMechanism(t *testing.T) {
	for _, name := range planner.MechanismNames() {
		folder := filepath.Join(t.TempDir(), "out")
		got := veilpath(t, "plan", "example2", "--epsilons", "1", "--mechanism", name, "--set",
			"privacy.reward_range=-1,50", "--out", folder)
		text, err := os.ReadFile(filepath.Join(folder, campaign.RewardName))
		if got.code != exitDone || err != nil {
			t.Errorf("%s: exit code %d, %s, %v", name, got.code, got.stderr, err)
			continue
		}
		header, _, _ := strings.Cut(string(text), "\n")
		want := "state,action,reward,private_reward"
		switch name {
		case "policy":
			want = "state,action,reward,private_probability"
		case "transitions":
			want = "state,action,reward"
		}
		if header != want+",notice" {
			t.Errorf("%s: columns %s; want %s", name, header, want)
		}
	}
}
