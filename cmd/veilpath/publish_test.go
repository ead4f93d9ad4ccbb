package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Releases of problems of every kind leave what is promised, and the policy alone where that is asked.
func TestPrivatizeTakesAnyProblem(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, "in", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	json := write("corridor.json", corridor)
	outcomes := write("outcomes.csv",
		"state,action,next,probability,reward\nhall,go,room,1,2\nhall,stay,hall,1,-1\nroom,stay,room,1,1\n")
	team := write("team.yaml", "discount: 0.9\nagents:\n  - problem: corridor.json\n    count: 2\n")
	for i, test := range []struct {
		args []string
		file string
		rows int
	}{
		{[]string{json}, "release.csv", 5},
		{[]string{json, "--policy"}, "policy.csv", 4},
		{[]string{outcomes}, "release.csv", 4},
		{[]string{outcomes, "--policy"}, "policy.csv", 3},
		{[]string{team}, "release.csv", 1 + 2*6*2}, // of each agent, where it has not ended
		{[]string{team, "--mechanism", "output", "--policy"}, "policy.csv", 10},
		{[]string{"example1"}, "release.csv", 1 + 2*4*2},
		{[]string{"example2", "--mechanism", "output", "--policy"}, "policy.csv", 257},
		{[]string{"paper", "--policy"}, "policy.csv", 401},
	} {
		out := filepath.Join(folder, fmt.Sprint("out", i))
		got := privatized(t, test.args[0], out, test.args[1:]...)
		if got.code != exitDone {
			t.Errorf("%q: exit code %d: %s", test.args, got.code, got.stderr)
			continue
		}
		text, err := os.ReadFile(filepath.Join(out, test.file))
		if rows := strings.Count(string(text), "\n"); err != nil || rows != test.rows {
			t.Errorf("%q: %d rows, want %d, %v", test.args, rows, test.rows, err)
		}
		if entries, err := os.ReadDir(out); err != nil || len(entries) != 2 {
			t.Errorf("%q: published: %v, %v", test.args, entries, err)
		}
	}
	for want, args := range map[string][]string{
		"needs transitions":   {write("table.csv", "1,2\n"), "--policy"},
		"needs a team":        {write("table.csv", "1,2\n"), "--mechanism", "output"},
		"no such mechanism":   {json, "--mechanism", "output-l1"},
		"--total is of":       {json, "--total", "3"},
		"must stay secret":    {json, "--out", filepath.Join(folder, "in")},
		"set --total to":      {json, "--ledger", filepath.Join(folder, "new")},
		"cannot be read":      {filepath.Join(folder, "none.json")},
		"says where, in priv": {write("bad.json", "[{]")},
	} {
		if got := privatized(t, args[0], filepath.Join(folder, "refused"), args[1:]...); got.code != exitUsage ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%q: exit code %d, %s; want %q", args, got.code, got.stderr, want)
		}
	}
	if fileExists(filepath.Join(folder, "refused")) {
		t.Error("a refused release left a folder")
	}
}

// A ledger counts calls, says what is left, and refuses the one too many before anything is written.
func TestPrivatizeKeepsALedger(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "corridor.json")
	if err := os.WriteFile(in, []byte(corridor), 0o666); err != nil {
		t.Fatal(err)
	}
	ledger := filepath.Join(folder, "ledger")
	left := 2.0
	for i := 1; i <= 20; i++ {
		out := filepath.Join(folder, fmt.Sprint(i))
		got := privatized(t, in, out, "--ledger", ledger, "--total", "2", "--format", "json")
		if got.code == exitUsage {
			if i < 3 || left >= 1 || !strings.Contains(got.stderr, "no room") || fileExists(out) {
				t.Errorf("release %d with epsilon %g left: %s", i, left, got.stderr)
			}
			return
		}
		var s struct {
			Ledger struct {
				Number int     `json:"release_number"`
				Spent  float64 `json:"spent_epsilon"`
				Left   float64 `json:"left_epsilon"`
			}
		}
		if err := json.Unmarshal([]byte(got.stdout), &s); err != nil || s.Ledger.Number != i || s.Ledger.Spent > 2 ||
			s.Ledger.Left >= left {
			t.Fatalf("release %d: %s%s", i, got.stdout, got.stderr)
		}
		left = s.Ledger.Left
	}
	t.Error("20 releases of epsilon 1 fit into 2")
}

// What privatize says of a problem that it cannot read tells no reward, wherever the file is broken.
func TestPrivatizeTellsNothingOfABrokenProblem(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const secret = "7654.321"
	whole := strings.ReplaceAll(corridor, "1.0, false]]}", secret+", false]]}")
	whole = strings.Replace(whole, "2, 1.0, true", "2, "+secret+", true", 1)
	if !strings.Contains(whole, secret) {
		t.Fatal("no secret")
	}
	path := filepath.Join(folder, "in", "p.json")
	if err := os.Mkdir(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 7 {
		for _, broken := range []string{whole[:at] + whole[at+1:], whole[:at] + "x" + whole[at:],
			whole[:at] + "9" + whole[at:]} {
			if err := os.WriteFile(path, []byte(broken), 0o666); err != nil {
				t.Fatal(err)
			}
			got := privatized(t, path, filepath.Join(folder, "out"), "--force", "--policy")
			if strings.Contains(got.stdout+got.stderr, "7654") {
				t.Fatalf("%s: %s%s", broken, got.stdout, got.stderr)
			}
		}
	}
}
