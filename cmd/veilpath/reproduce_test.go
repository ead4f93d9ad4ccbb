package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReproduceWritesItsFiles(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	got := veilpath(t, "reproduce", "table1b", "thm5", "--out", out)
	if got.code != exitDone || !strings.Contains(got.stdout, "table1b") ||
		!strings.Contains(got.stdout, "87 of 88 numbers of the paper agree; not reproduced: 1.") {
		t.Fatalf("exit code %d, %q, %q", got.code, got.stdout, got.stderr)
	}
	for name, start := range map[string]string{
		"compare.csv":        "item,quantity,published,computed,standard_error,difference,tolerance,agreement,note\ntable1b,",
		"figure-table1b.svg": "<svg", "figure-thm5.png": "\x89PNG", "manifest.json": "{",
	} {
		text, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !strings.HasPrefix(string(text), start) {
			t.Errorf("%s: %v, begins %.60q", name, err, text)
		}
	}
	manifest, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Verb   string
		Config map[string]any
	}
	if err := json.Unmarshal(manifest, &m); err != nil || m.Verb != "reproduce" || m.Config["example2"] == nil {
		t.Errorf("manifest: %v, %+v", err, m)
	}
}

// Settings reach the item: another p gives another cost. The files are the same for any number of workers.
func TestReproduceTakesSettings(t *testing.T) {
	t.Parallel()
	base := []string{"reproduce", "example1", "--set", "study.runs=4", "--set", "example1.agents=2", "--format", "csv",
		"--quiet"}
	texts := map[string]string{}
	for name, more := range map[string][]string{
		"as it is": nil, "other p": {"--set", "example1.obedience=0.6"}, "other seed": {"--seed", "9"},
		"three workers": {"--workers", "3"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		got := veilpath(t, append(append(base, "--out", out), more...)...)
		if got.code != exitDone {
			t.Fatalf("%s: exit code %d, %s", name, got.code, got.stderr)
		}
		file, err := os.ReadFile(filepath.Join(out, "compare.csv"))
		if err != nil || !bytes.Equal(file, []byte(got.stdout)) {
			t.Errorf("%s: compare.csv and --format csv differ (%v)", name, err)
		}
		texts[name] = got.stdout
	}
	if texts["as it is"] != texts["three workers"] {
		t.Error("results depend on the number of workers")
	}
	if texts["as it is"] == texts["other p"] || texts["as it is"] == texts["other seed"] {
		t.Error("p or the seed has no influence")
	}
}

func TestReproduceMistakes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"thm7"}, "thm6a"},
		{[]string{"thm5", "--config", "example1"}, "--set"},
		{[]string{"thm5", "--set", "example1.obedience=2"}, "example1.obedience"},
		{[]string{"example2", "--set", "example2.goal_rewards=5", "--set", "study.epsilons=0.7", "--set", "study.runs=2"},
			"0.7"},
		{[]string{"example2", "--set", "example2.start_cells=3"}, "example2.start_cells"},
	} {
		got := veilpath(t, append([]string{"reproduce", "--quiet", "--out", out, "--force"}, test.args...)...)
		if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, test.want) {
			t.Errorf("%q: exit code %d, %q; want one line with %q", test.args, got.code, got.stderr, test.want)
		}
	}
}

func TestConfigShowsGroups(t *testing.T) {
	got := veilpath(t, "config", "show", "example1", "privacy", "--config", "example1")
	for text, want := range map[string]bool{"obedience: 0.91": true, "adjacency: 2 # preset example1": true,
		"speed_km_s": false} {
		if strings.Contains(got.stdout, text) != want {
			t.Errorf("%q shown: %v, want %v", text, !want, want)
		}
	}
	if got := veilpath(t, "config", "show", "exampel1"); got.code != exitUsage ||
		!strings.Contains(got.stderr, "example1") {
		t.Errorf("exit code %d, %q", got.code, got.stderr)
	}
	if got := veilpath(t, "study", "--config", "example1", "--out", t.TempDir()); got.code != exitUsage ||
		!strings.Contains(got.stderr, "problem") {
		t.Errorf("a study of Example 1: exit code %d, %q", got.code, got.stderr)
	}
}

// It says how many numbers agree and lists those that do not; with --full all, with the changes; JSON has all numbers.
func TestReproducePrintsNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	got := veilpath(t, "reproduce", "table1a", "thm3", "--out", "table")
	full := veilpath(t, "reproduce", "table1a", "thm3", "--quiet", "--full", "--out", "full")
	for _, want := range []string{
		"207 of 208 numbers of the paper agree, 101 of them after a named change of its words; not reproduced: 1.",
		"table1a  output σ, N = 10      66174     66176  differs\n",
	} {
		if got.code != exitDone || !strings.Contains(got.stdout, want) {
			t.Errorf("exit %d, lacks %q:\n%s%s", got.code, want, got.stdout, got.stderr)
		}
	}
	for _, want := range []string{"rounded to 1 more digit than printed, and then again\n",
		"10.191    10.191      100  exact"} {
		if strings.Contains(got.stdout, want) || !strings.Contains(full.stdout, want) {
			t.Errorf("--full alone prints %q; exit %d\n%s", want, full.code, full.stdout)
		}
	}
	var shown []struct {
		Item, Quantity, Agreement string
		Published, Computed       float64
	}
	got = veilpath(t, "reproduce", "table1a", "--quiet", "--format", "json", "--out", "json")
	if err := json.Unmarshal([]byte(got.stdout), &shown); err != nil || len(shown) != 8 {
		t.Fatalf("%v: %s%s", err, got.stdout, got.stderr)
	}
	if last := shown[7]; last.Item != "table1a" || last.Published != 66174 || last.Agreement != "not reproduced" ||
		int(last.Computed) != 66175 {
		t.Errorf("%+v", last)
	}
}
