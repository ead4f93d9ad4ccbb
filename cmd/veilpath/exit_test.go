package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every verb ends with the exit codes that the help lists, whatever kind of answer it gives.
func TestVerbsEndWithTheirExitCodes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	rewards, releases := fileWith(t, "state,go,stay\na,1,2\nb,3,4\nc,5,6\n"), in("releases.csv")
	random, text := rand.New(rand.NewPCG(1, 2)), "table,neighbour\n"
	for range 2000 { // with about half of the noise that sigma 2.53 says
		text += fmt.Sprintf("%g,%g\n", 1.5*random.NormFloat64(), 1+1.5*random.NormFloat64())
	}
	if err := os.WriteFile(releases, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	promise := []string{"--epsilon", "1", "--delta", "0.01", "--adjacency", "1"}
	with := func(args ...string) []string { return append(args, promise...) }
	command := func(line string) []string {
		return with("audit", "--samples", "200", "--rewards", rewards, "--command", line, "--format", "json")
	}
	published := func(name string) []string {
		return with("privatize", rewards, "--ledger", in("ledger"), "--total", "1.2", "--out", in(name))
	}
	for _, c := range []struct {
		want int
		runs [][]string
	}{
		{exitDone, [][]string{{}, {"help"}, {"help", "audit"}, {"version"}, {"config", "presets"}, {"completion", "bash"},
			{"design", "paper", "--epsilon", "1"}, {"plan", "example1"}, {"run", "--nominal", "--format", "json"},
			{"study", "--epsilons", "1", "--runs", "20", "--out", in("a")},
			{"study", "--epsilons", "1", "--runs", "20", "--seed", "5", "--out", in("b")},
			{"compare", in("a"), in("b"), "--format", "json"}, published("first"),
			append(command("cat >/dev/null; cat "+rewards), "--out", in("audited"))}},
		{exitFailed, [][]string{{"study", "--epsilons", "1", "--runs", "20", "--until", "0.1km", "--format", "json"},
			{"cost", "example1", "--epsilons", "1", "--until", "0.1%", "--runs", "100", "--format", "json"},
			{"tune", "--epsilons", "1", "--runs", "5", "--hidden-until", "5", "--format", "json"},
			{"compare", in("a"), in("b"), "--format", "json", "--fail-if", "|mean_km|>0"},
			published("second"), command("cat")}},
		{exitUsage, [][]string{{"fly"}, {"study", "--runs", "0"}, {"plan", in("none.json")}, {"compare", in("a")},
			{"merge", in("a")}, {"merge", in("audited")}, {"config", "check", "--set", "privacy.epsilon=0"}, command("exit 3"),
			{"audit", "--from", in("none.csv")}}},
		{exitUndescribed, [][]string{with("audit", "--from", releases, "--sigma", "2.53", "--format", "json")}},
	} {
		for _, args := range c.runs {
			if r := veilpath(t, args...); r.code != c.want {
				t.Errorf("%s: exit code %d, want %d: %s", strings.Join(args, " "), r.code, c.want, r.stderr)
			}
		}
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	root := new(app).rootCommand()
	for _, verb := range root.Commands() {
		if r := veilpath(t, verb.Name(), "--no-such-flag"); r.code != exitUsage {
			t.Errorf("%s with a flag that it does not have: exit code %d, want %d", verb.Name(), r.code, exitUsage)
		}
		args := map[string][]string{"study": nil, "tune": nil, "audit": nil, "leak": nil, "reproduce": nil, "benchmark": nil,
			"cost": {"example1"}}
		if rest, long := args[verb.Name()]; long {
			r := call(interrupted, nil, append([]string{verb.Name(), "--out", in(verb.Name())}, rest...))
			if r.code != exitInterrupted {
				t.Errorf("%s interrupted: exit code %d, want %d: %s", verb.Name(), r.code, exitInterrupted, r.stderr)
			}
		}
	}
	for _, code := range []int{exitDone, exitFailed, exitUsage, exitUndescribed, exitInterrupted} {
		if line := fmt.Sprintf("\n  %-3d  ", code); !strings.Contains(root.Long, line) {
			t.Errorf("the help does not list exit code %d", code)
		}
	}
}
