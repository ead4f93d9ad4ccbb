package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"veilpath/internal/publish"
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
		{[]string{json}, "release.csv", 1 + 3*2},
		{[]string{json, "--policy"}, "policy.csv", 4},
		{[]string{outcomes}, "release.csv", 4},
		{[]string{outcomes, "--policy"}, "policy.csv", 3},
		{[]string{team}, "release.csv", 1 + 2*12*2}, // of each agent, where it has not ended
		{[]string{team, "--mechanism", "output", "--policy"}, "policy.csv", 1 + 4*4},
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
		"needs transitions":               {write("table.csv", "1,2\n"), "--policy"},
		"needs a team":                    {write("table.csv", "1,2\n"), "--mechanism", "output"},
		"no such mechanism":               {json, "--mechanism", "output-l1"},
		"--total needs a ledger":          {json, "--total", "3"},
		"set --total to":                  {json, "--ledger", filepath.Join(folder, "new")},
		"cannot be read":                  {filepath.Join(folder, "none.json")},
		"shows where. privatize does not": {write("bad.json", "[{]")},
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
		if got.code == exitFailed {
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

// Only the owner may read a ledger, also one that anybody could read before. Its key and its name of the table are
// nowhere in what is published, nor is the plain hash of the table's names.
func TestLedgerIsPrivate(t *testing.T) {
	folder := t.TempDir()
	ledger := filepath.Join(folder, "ledger")
	for i := range 2 {
		out := filepath.Join(folder, fmt.Sprint(i))
		got := privatized(t, fileWith(t, "state,go\na,1\nb,2\n"), out, "--ledger", ledger, "--total", "9")
		if got.code != exitDone {
			t.Fatal(got.stderr)
		}
		info, err := os.Stat(ledger)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("the ledger has mode %v, %v", info.Mode(), err)
		}
		text, err := os.ReadFile(ledger)
		if err != nil {
			t.Fatal(err)
		}
		var l publish.Ledger
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatal(err)
		}
		plain := fmt.Sprintf("%x", sha256.Sum256([]byte(",a,go\n,b,go\n")))
		for _, name := range []string{"release.csv", "guarantee.json"} {
			published, err := os.ReadFile(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{l.Key, l.Table, plain} {
				if len(secret) != 64 || strings.Contains(string(published)+got.stdout, secret) {
					t.Errorf("%s holds %s", name, secret)
				}
			}
		}
		if strings.Contains(string(text), plain) {
			t.Error("the ledger holds the plain hash of the table's names")
		}
		// Neither its mode nor that of a file that a killed process left is kept.
		left := filepath.Join(folder, ".veilpath-ledger.new")
		if err := errors.Join(os.Chmod(ledger, 0o644), os.WriteFile(left, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// Equivalent guarantees are printed with --full, and are those of the noise that was added.
func TestPrivatizePrintsEquivalents(t *testing.T) {
	for _, c := range []struct {
		args    []string
		rho, mu bool
	}{{nil, false, false}, {[]string{"--full"}, true, true}, {[]string{"--full", "--grid", "1"}, true, false}} {
		got := privatized(t, fileWith(t, "1,2\n"), filepath.Join(t.TempDir(), "out"), c.args...)
		// sigma is 1.878 at sensitivity 1: mu 0.5325 and rho 0.1418
		rho := strings.Contains(got.stdout, "\nrho              0.1417")
		mu := strings.Contains(got.stdout, "\nmu               0.5325")
		if got.code != exitDone || rho != c.rho || mu != c.mu {
			t.Errorf("%q: exit code %d, rho %t, mu %t: %s%s", c.args, got.code, rho, mu, got.stdout, got.stderr)
		}
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
