package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A command runs if an argument names it exactly, or with --allow-commands. A settings file, a suite, the settings of a
// folder or an environment variable never runs one by itself, and neither does an argument that names a longer one.
func TestWhatRunsACommand(t *testing.T) {
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace")
	command := "exec:touch " + trace
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	settings := file("settings.yaml", "privacy:\n  mechanism: \""+command+"\"\n")
	suite := file("suite.yaml", "flights: 4\nobservers: [\""+command+"\"]\nmissions: [{name: a}]\nways: [{name: b}]\n")
	variable := []string{"VEILPATH_PRIVACY_MECHANISM=" + command}
	fly := []string{"run", "--epsilon", "1", "--quiet"}
	for _, c := range []struct {
		name    string
		environ []string
		args    []string
		runs    bool
	}{
		{"a file", nil, append(fly, "--config", settings), false},
		{"a variable", variable, fly, false},
		{"a suite", nil, []string{"benchmark", suite}, false},
		{"a longer one is named", variable, append(fly, "--set", "adversary.observer="+command+"2"), false},
		{"a file, allowed", nil, append(fly, "--config", settings, "--allow-commands"), true},
		{"a variable, allowed", variable, append(fly, "--allow-commands"), true},
		{"a suite, allowed", nil, []string{"benchmark", suite, "--allow-commands"}, true},
		{"the flag", nil, append(fly, "--mechanism", command), true},
		{"a setting", nil, append(fly, "--set", "privacy.mechanism="+command), true},
	} {
		os.Remove(trace)
		got := veilpathIn(t, context.Background(), c.environ, c.args...) // touch answers nothing
		if _, err := os.Stat(trace); (err == nil) != c.runs {
			t.Errorf("%s: the command ran: %v, want %v; %s", c.name, err == nil, c.runs, got.stderr)
		}
		if got.code != exitUsage || !c.runs && !strings.Contains(got.stderr, "add --allow-commands") {
			t.Errorf("%s: exit %d, %s", c.name, got.code, got.stderr)
		}
	}
}
