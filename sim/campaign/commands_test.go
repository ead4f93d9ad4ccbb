package campaign_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"veilpath/configs"
	"veilpath/internal/benchmark"
	"veilpath/sim/campaign"
)

// shell is a mechanism in sh that plans for one of nine cells by the last digit of the seed. It takes its version from
// the file version, and dies at run 150 where there is a file broken.
const shell = `while read -r line; do
case "$line" in
*'"hello"'*) v=$(cat version)
echo '{"hello":{"protocol":1,"name":"cells","version":"'$v'","guarantee":"none worth the name"}}';;
*'"mission"'*) ;;
*) case "$line" in *'"run":150,'*) if [ -e broken ]; then echo "out of cells" >&2; exit 3; fi;; esac
seed=${line#*'"seed":"'}; seed=${seed%%'"'*}
echo '{"goal":['${seed#"${seed%?}"}',4]}';;
esac
done`

// evenly is an observer in sh that believes in four goals alike.
const evenly = `while read -r line; do
case "$line" in
*'"hello"'*) echo '{"hello":{"protocol":1,"name":"evenly","answers":"posterior","every":1000000}}';;
*'"mission"'*) ;;
*) echo '{"posterior":[[0.25,0.25,0.25,0.25]]}';;
esac
done`

// inShell writes the mechanism into a folder and returns it as a setting.
func inShell(t *testing.T, folder string) string {
	t.Helper()
	for name, text := range map[string]string{"cells.sh": shell, "version": "1"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return "privacy.mechanism=exec:cd '" + folder + "' && exec sh '" + folder + "/cells.sh'"
}

func commandStudy(mechanism string) campaign.Request {
	return campaign.Request{Settings: configs.Request{Sets: []string{mechanism, "study.epsilons=1", "study.runs=200",
		"study.workers=2"}}}
}

// told hears remarks.
type told struct{ texts []string }

func (*told) Progress(campaign.Kind, int, int) {}
func (o *told) Remark(text string)             { o.texts = append(o.texts, text) }

// A command that dies is named with its run and its last words. What was flown stays, the study goes on with the
// command mended, and has the files of one without trouble. Whoever finds the folder does not run the command
// unasked, and one that calls itself otherwise is refused.
func TestStudyOfACommand(t *testing.T) {
	work, whole, torn := t.TempDir(), t.TempDir(), t.TempDir()
	mechanism := inShell(t, work)
	ctx := context.Background()
	hears := new(told)
	program := func(may bool) *campaign.Program {
		p := &campaign.Program{Version: "1", Events: hears, May: func(string) bool { return may }}
		t.Cleanup(p.Close)
		return p
	}
	first := program(true)
	if _, err := first.Fly(ctx, commandStudy(mechanism), whole); err != nil {
		t.Fatal(err)
	}
	first.Close()
	said := strings.Join(hears.texts, "\n")
	for _, want := range []string{"mechanism cells 1", "in its own words: none worth the name"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %q", said, want)
		}
	}
	if err := os.WriteFile(filepath.Join(work, "broken"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := program(true).Fly(ctx, commandStudy(mechanism), torn)
	if err == nil || !strings.Contains(err.Error(), "run 150") || !strings.Contains(err.Error(), "out of cells") ||
		!strings.Contains(err.Error(), "150 of ") {
		t.Fatalf("a command that dies: %v", err)
	}
	if err := os.Remove(filepath.Join(work, "broken")); err != nil {
		t.Fatal(err)
	}
	if _, err := program(false).Fly(ctx, commandStudy(mechanism), torn); err == nil ||
		!strings.Contains(err.Error(), "runs only where you name it") {
		t.Errorf("the command of a folder is run: %v", err)
	}
	if _, err := program(true).Fly(ctx, commandStudy(mechanism), torn); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"runs.parquet", "summary.csv"} {
		want, err := os.ReadFile(filepath.Join(whole, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(torn, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s differs after the trouble, %v", name, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(torn, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct{ Commands, Programs []string }
	if err := json.Unmarshal(text, &manifest); err != nil || len(manifest.Commands) != 1 ||
		!strings.HasPrefix(manifest.Commands[0], "mechanism cells 1 (exec:cd ") {
		t.Errorf("the manifest names %q, %v", manifest.Commands, err)
	}
	if len(manifest.Programs) != 1 || !strings.HasPrefix(manifest.Programs[0], "cells.sh ") {
		t.Errorf("the manifest names the programs %q", manifest.Programs)
	}
	const warning = "the flights in it were made by cells.sh "
	if said = strings.Join(hears.texts, "\n"); strings.Contains(said, warning) {
		t.Errorf("of the same program: %s", said)
	}
	if err := os.WriteFile(filepath.Join(work, "cells.sh"), []byte(shell+"\n# mended"), 0o600); err != nil {
		t.Fatal(err)
	}
	more := func(runs string) campaign.Request {
		r := commandStudy(mechanism)
		r.Settings.Sets[2] = "study.runs=" + runs
		return r
	}
	if _, err = program(true).Fly(ctx, more("250"), torn); err != nil {
		t.Fatal(err)
	}
	if said = strings.Join(hears.texts, "\n"); strings.Count(said, warning) != 1 {
		t.Errorf("another program goes on without a warning: %s", said)
	}
	if err := os.WriteFile(filepath.Join(work, "version"), []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = program(true).Fly(ctx, more("300"), torn)
	if err == nil || !strings.Contains(err.Error(), "now they are mechanism cells 2") {
		t.Errorf("another version goes on: %v", err)
	}
}

// commandSuite is a suite whose way and observer are commands.
const commandSuite = `
flights: 8
policies: 2
radius_km: 10
observers: [geometry, "exec:OBSERVER"]
missions:
  - name: tiny
    config: paper
    set: {planner.columns: 10, planner.rows: 6, planner.start_cell: "[0, 2]", vehicle.start_km: "[-75, 0, 10]",
      vehicle.heading: 90, privacy.handover_km: 30, adversary.candidates: "6:2,5:5,5:0,7:4"}
ways:
  - {name: planned, set: {privacy.epsilon: none}}
  - {name: cells, set: {privacy.mechanism: "exec:MECHANISM"}}
`

// Rows of commands say which commands they are of. A command that draws goals is not audited. A suite runs no command
// unasked.
func TestBenchmarkOfCommands(t *testing.T) {
	work := t.TempDir()
	mechanism := strings.TrimPrefix(inShell(t, work), "privacy.mechanism=exec:")
	watcher := filepath.Join(work, "evenly.sh")
	if err := os.WriteFile(watcher, []byte(evenly), 0o600); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("MECHANISM", mechanism, "OBSERVER", "sh '"+watcher+"'").Replace(commandSuite)
	suite, err := benchmark.ReadSuite([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	settings, err := configs.Load(configs.Request{})
	if err != nil {
		t.Fatal(err)
	}
	program := func(may bool) *campaign.Program {
		p := &campaign.Program{Version: "1", May: func(string) bool { return may }}
		t.Cleanup(p.Close)
		return p
	}
	p := program(true)
	b, err := campaign.NewBenchmark(p, settings, suite)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Question().Solve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	planned, cells := &b.Rows[0], &b.Rows[1]
	if len(planned.Commands) != 1 {
		t.Errorf("row %+v", planned)
	}
	if len(cells.Commands) != 2 || !strings.HasPrefix(cells.Commands[0], "mechanism cells 1 (") ||
		cells.Audit != "not audited" || cells.Guarantee != "none worth the name" {
		t.Errorf("row %+v", cells)
	}
	if _, err := campaign.NewBenchmark(program(false), settings, suite); err == nil ||
		!strings.Contains(err.Error(), "runs only where you name it") {
		t.Errorf("the commands of a suite are run unasked: %v", err)
	}
}

// Plans, searches of epsilon and comparisons of mechanisms take a command as a mechanism, and record it.
func TestCommandAsMechanismOfOtherWork(t *testing.T) {
	mechanism := strings.TrimPrefix(inShell(t, t.TempDir()), "privacy.mechanism=")
	p := &campaign.Program{Version: "1", May: func(string) bool { return true }}
	t.Cleanup(p.Close)
	settings, err := configs.Load(configs.Request{Sets: []string{"adversary.candidates=16:11,3:15,15:3",
		"adversary.policies=2"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.FindMechanism(mechanism, time.Minute)
	if err != nil || m.Name() != "cells" || "exec:"+campaign.CommandsOf(m)[0] != mechanism {
		t.Errorf("the mechanism is %v, %v", m, err)
	}
	if laplace, err := p.FindMechanism("laplace", 0); err != nil || campaign.CommandsOf(laplace) != nil {
		t.Errorf("laplace is a command: %v", err)
	}
	request := campaign.LeakRequest{Settings: settings, Observers: "mechanism",
		Mechanisms: "reward:2," + mechanism + ":0.5", Flights: 2, At: "50", Radii: "25"}
	l, err := campaign.NewLeak(t.Context(), p, request)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Question().Commands; len(got) != 1 || "exec:"+got[0] != mechanism {
		t.Errorf("the commands are %q", got)
	}
	found, err := l.Question().Solve(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if words := strings.Join(slices.Concat(found.Words, found.Notes), " "); !strings.Contains(words,
		"cells at epsilon 0.5") {
		t.Errorf("the answer is %q", words)
	}
	request.Mechanisms = mechanism
	if _, err := campaign.NewLeak(t.Context(), p, request); err == nil ||
		!strings.Contains(err.Error(), "want NAME:EPSILON") {
		t.Errorf("a command without an epsilon: %v", err)
	}
}
