package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every next command repeats the settings that were given: run as it stands, but for less work, it has the same
// mission, vehicle, guarantee and observer, and a problem with the same discount and start.
func TestTheNextCommandIsAboutTheSameProblem(t *testing.T) {
	problem := filepath.Join(t.TempDir(), "problem.csv")
	rows := "state,action,next,probability,reward\n0,0,1,1,1\n0,1,2,1,5\n1,0,0,1,3\n1,1,2,1,0\n2,0,1,1,4\n2,1,0,1,2\n"
	if err := os.WriteFile(problem, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	settings := strings.Fields("--config passage --set vehicle.speed_km_s=1.6 --set privacy.delta=0.02 --seed 7")
	goals := strings.Fields("--candidates 16:11,3:5 --policies 4")
	of := strings.Fields(problem + " --discount 0.8 --start 1 --delta 0.02 --adjacency 1.5 --seed 7")
	for _, c := range []struct {
		first []string // a command, in a folder of its own
		names string   // the next command begins with these words
		less  string   // flags that make the next command quick
	}{
		{slices.Concat([]string{"study", "-n", "4", "--observer", "filtered", "--epsilons", "0.5,2"}, settings),
			"leak", "-n 2 --observers moves --set adversary.candidates=16:11,3:5 --policies 4"},
		{slices.Concat([]string{"run", "--observer", "filtered"}, settings), "study", "-n 2"},
		{slices.Concat([]string{"tune", "-n", "10", "--radius", "1.5", "--epsilons", "0.5,2"}, settings),
			"tune --hidden-until", "--max-runs 200"},
		{slices.Concat([]string{"tune", "--radius", "1.5", "--hidden-until", "90", "--max-runs", "200"}, settings),
			"study --config", "-n 2"},
		{slices.Concat([]string{"leak", "-n", "2", "--observers", "moves"}, goals, settings), "leak --countermeasures",
			"-n 2"},
		{slices.Concat([]string{"leak", "releases", "-n", "2", "--counts", "1,2"}, goals, settings), "leak",
			"-n 2 --observers moves"},
		{[]string{"leak", "rewards", "passage", "-n", "2", "--epsilons", "none", "--set", "vehicle.speed_km_s=1.6", "--set",
			"privacy.delta=0.02", "--seed", "7"}, "leak --config=passage",
			"-n 2 --observers moves --set adversary.candidates=16:11,3:5"},
		{slices.Concat([]string{"leak", "mechanisms", "-n", "2", "--mechanisms", "reward:1", "--policies", "4"}, settings),
			"leak", "-n 2 --observers moves --set adversary.candidates=16:11,3:5"},
		{slices.Concat([]string{"audit", "--samples", "100", "--tables", "0", "--epsilon", "0.5"}, settings),
			"audit --samples 1000 ", ""},
		{slices.Concat([]string{"plan"}, of), "cost " + problem + " --epsilons 0.5,1,2,4", "-n 4"},
		{slices.Concat([]string{"cost", "--epsilons", "1", "-n", "4", "--mechanism", "output"}, of),
			"tune " + problem + " --max-cost 10%", "--max-runs 100"},
		{slices.Concat([]string{"tune", "--max-cost", "90%", "--max-runs", "300"}, of), "cost " + problem + " --epsilons",
			"-n 4"},
	} {
		words := nextOf(t, append(c.first, "--out", "first"), "veilpath "+c.names)
		os.RemoveAll("second")
		made := veilpath(t, append(slices.Concat(words, strings.Fields(c.less)), "--out", "second")...)
		if made.code > exitFailed || made.code == exitFailed && !strings.Contains(strings.Join(words, " "), "tune") {
			t.Errorf("%v: exit code %d, %s", words, made.code, made.stderr)
			continue
		}
		first, second := about(t, "first"), about(t, "second")
		if all := strings.Join(words, " "); slices.Contains(c.first, problem) &&
			!(strings.Contains(all, " --discount 0.8 ") && strings.Contains(all, " --start 1")) {
			t.Errorf("%v leaves out the discount or the start", words)
		}
		if words[0] == "leak" { // these tests choose the goals
			first, second = withoutGoals(first), withoutGoals(second)
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("veilpath %s\nis about %v\nthe next command, veilpath %s,\nabout %v", strings.Join(c.first, " "), first,
				strings.Join(words, " "), second)
		}
	}
}

// nextOf runs a command and returns the words of its next command that begins with a text.
func nextOf(t *testing.T, args []string, begins string) []string {
	t.Helper()
	os.RemoveAll("first")
	made := veilpath(t, args...)
	_, next, found := strings.Cut(strings.Join(strings.Fields(made.stderr), " "), begins)
	if !found {
		t.Fatalf("%v: exit code %d, no next command %q: %s", args, made.code, begins, made.stderr)
	}
	return strings.Fields(strings.TrimPrefix(begins, "veilpath ") + next)
}

// about returns what the work in a folder is about: the settings besides the amount of work and the epsilons, and what
// its answer says about a problem.
func about(t *testing.T, folder string) map[string]any {
	t.Helper()
	all := map[string]any{}
	var manifest struct{ Config map[string]any }
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		t.Fatal(err)
	}
	for group, keys := range manifest.Config {
		keys, isGroup := keys.(map[string]any)
		all[group] = manifest.Config[group]
		if !isGroup {
			continue
		}
		delete(all, group)
		for key, value := range keys {
			all[group+"."+key] = value
		}
	}
	for _, key := range strings.Fields("study.runs study.epsilons study.axis privacy.epsilon " +
		"study.hidden_until_km adversary.policies") {
		delete(all, key)
	}
	return all
}

// withoutGoals leaves out the possible goals.
func withoutGoals(all map[string]any) map[string]any {
	delete(all, "adversary.candidates")
	delete(all, "adversary.policies")
	return all
}

// Words that a shell would take apart are quoted, and flags of the amount of work are left out.
func TestTheNextCommandIsQuoted(t *testing.T) {
	for want, args := range map[string][]string{
		`veilpath study --config 'my file.yaml' --set 'planner.goals=[[2, 7]]'`: {"--config", "my file.yaml", "--set",
			"planner.goals=[[2, 7]]", "--quiet", "--out", "x"},
		`veilpath study --config 'it'\''s.yaml' --observer 'exec:a b'`: {"--config", "it's.yaml", "--observer", "exec:a b"},
	} {
		a := new(app)
		cmd, _, err := a.rootCommand("run").Find([]string{"run"})
		if err == nil {
			err = cmd.ParseFlags(args)
		}
		if got := a.nextCommand(cmd, "study"); err != nil || got != want {
			t.Errorf("%v: %s, want %s, %v", args, got, want, err)
		}
	}
}
