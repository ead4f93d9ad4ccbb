package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"veilpath/internal/record"
)

// result is what one call of the program came to.
type result struct {
	code           int
	stdout, stderr string
}

// veilpath runs the program in a folder of its own.
func veilpath(t *testing.T, args ...string) result {
	t.Helper()
	return veilpathIn(t, context.Background(), nil, args...)
}

func veilpathIn(t *testing.T, ctx context.Context, environ []string, args ...string) result {
	t.Helper()
	return call(ctx, environ, record.Disk{}, args)
}

// nearby makes a mission of few waypoints and short flights, for tests of what becomes of files.
var nearby = []string{"VEILPATH_PLANNER_COLUMNS=6", "VEILPATH_PLANNER_ROWS=6", "VEILPATH_PLANNER_START_CELL=[0, 2]",
	"VEILPATH_VEHICLE_START_KM=[-50, -12.5, 10]", "VEILPATH_PRIVACY_HANDOVER_KM=20",
	"VEILPATH_VEHICLE_ACCEL_LIMIT_KM_S2=2"}

// veilpathOn runs the program nearby with its results on a disk.
func veilpathOn(t *testing.T, disk record.FileSystem, args ...string) result {
	t.Helper()
	return call(context.Background(), nearby, disk, args)
}

// fewDots make pictures quick. Programs on their own draw as many as users get.
const fewDots = 12

func call(ctx context.Context, environ []string, disk record.FileSystem, args []string) result {
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, environ: environ, disk: disk, dots: fewDots}
	code := a.run(ctx, args)
	return result{code, stdout.String(), stderr.String()}
}

// small makes a study quick.
var small = []string{"--epsilons", "0.5,2", "--runs", "20"}

func studyIn(t *testing.T, folder string, args ...string) result {
	t.Helper()
	return veilpath(t, append(append([]string{"study", "--out", folder}, small...), args...)...)
}

func TestMistakesAreNamedOnOneLineAndExitWith2(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine.txt"), []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(file, []byte("privacy:\n  epsilno: 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name string
		args []string
		want []string // parts of the message
	}{
		{"unknown verb", []string{"studdy"}, []string{"studdy", "mean study?"}},
		{"unknown flag", []string{"study", "--epsilon-list", "1"}, []string{"--epsilon-list", "--help"}},
		{"stray argument", []string{"run", "3"}, []string{`"3"`, "--help"}},
		{"format", []string{"run", "--format", "xml"}, []string{"xml", "table, csv or json"}},
		{"negative run", []string{"run", "--run", "-1"}, []string{"--run -1", "from 0"}},
		{"unknown preset", []string{"run", "--config", "papr"}, []string{"papr", "paper"}},
		{"unknown key in a file", []string{"run", "--config", file}, []string{"epsilno", file + ":2", "privacy.epsilon"}},
		{"unknown key", []string{"run", "--set", "privacy.epsilno=1"}, []string{"privacy.epsilno", "privacy.epsilon"}},
		{"grid without goal", []string{"study", "--set", "planner.columns=10"}, []string{"planner.columns", "target"}},
		{"folder in use", []string{"study", "--out", full}, []string{full, "mine.txt", "--force"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := veilpath(t, c.args...)
			if got.code != exitUsage || got.stdout != "" {
				t.Errorf("exit code %d, standard output %q; want %d and nothing", got.code, got.stdout, exitUsage)
			}
			if strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("message is not one line: %q", got.stderr)
			}
			for _, part := range c.want {
				if !strings.Contains(got.stderr, part) {
					t.Errorf("message lacks %q: %s", part, got.stderr)
				}
			}
		})
	}
}

func TestStudyRefusesAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	got := studyIn(t, filepath.Join(file, "below"))
	if got.code != exitUsage || !strings.Contains(got.stderr, "--out") {
		t.Errorf("exit code %d, message %q", got.code, got.stderr)
	}
}

func TestForceKeepsFilesOfOtherNames(t *testing.T) {
	folder := t.TempDir()
	other := filepath.Join(folder, "mine.txt")
	if err := os.WriteFile(other, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := studyIn(t, folder, "--force"); got.code != exitDone {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "kept" {
		t.Errorf("mine.txt now holds %q (%v)", text, err)
	}
}

// Equal configurations and seeds give equal bytes whatever the number of workers; of the manifest all but
// the timing.
func TestStudyFilesDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	t.Parallel()
	one := filepath.Join(t.TempDir(), "study")
	studyIn(t, one, "--workers", "1")
	for _, workers := range []string{"2", "7"} {
		folder := filepath.Join(t.TempDir(), "study")
		if got := studyIn(t, folder, "--workers", workers); got.code != exitDone {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		sameResults(t, results(t, one), folder)
	}
}

func TestRunWritesTheFlight(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "flight")
	got := veilpath(t, "run", "--nominal", "--out", folder, "--format", "csv")
	if got.code != exitDone {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	text, err := os.ReadFile(filepath.Join(folder, "trajectory.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !strings.HasPrefix(lines[0], "t_s,x_km,y_km,z_km,") || !strings.HasPrefix(lines[1], "0,-200,-50,10,") {
		t.Errorf("trajectory begins\n%s\n%s", lines[0], lines[1])
	}
	for _, name := range []string{"trajectory.parquet", "manifest.json"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStoppedStudyKeepsWhatIsDoneOrNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	folder := filepath.Join(t.TempDir(), "study")
	got := veilpathIn(t, ctx, nil, append([]string{"study", "--out", folder}, small...)...)
	if got.code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", got.code, exitInterrupted, got.stderr)
	}
	if entries, err := os.ReadDir(folder); err == nil {
		t.Errorf("%v is left behind", entries)
	}
}

// Progress is for terminals: into a pipe goes nothing but remarks, and those not with --quiet.
func TestQuietSaysNothing(t *testing.T) {
	t.Parallel()
	got := studyIn(t, filepath.Join(t.TempDir(), "study"), "--quiet")
	if got.code != exitDone || got.stderr != "" || got.stdout == "" {
		t.Errorf("exit code %d, standard error %q", got.code, got.stderr)
	}
}

func TestConfigShowIsAConfiguration(t *testing.T) {
	shown := veilpath(t, "config", "show", "--set", "privacy.epsilon=0.37")
	file := filepath.Join(t.TempDir(), "shown.yaml")
	if err := os.WriteFile(file, []byte(shown.stdout), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := veilpath(t, "config", "check", "--config", file); got.code != exitDone ||
		strings.Contains(got.stderr, "has no effect") {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	got := veilpath(t, "run", "--config", file, "--format", "json")
	if !strings.Contains(got.stdout, `"epsilon": 0.37`) {
		t.Errorf("the flight is not at epsilon 0.37:\n%s", got.stdout)
	}
}

// The check of a configuration says that studies refuse it, where they do.
func TestConfigCheckSaysWhatStudiesRefuse(t *testing.T) {
	const warning = "warning: study and tune refuse it: study.axis 0.2..4 (flag --set): with vehicle.heading random"
	check := []string{"config", "check", "--set", "vehicle.heading=random"}
	if got := veilpath(t, check...); got.code != exitDone || strings.Contains(got.stderr, "warning") {
		t.Errorf("without a range of its own: exit code %d, %s", got.code, got.stderr)
	}
	got := veilpath(t, append(check, "--set", "study.axis=0.2..4")...)
	if got.code != exitDone || !strings.Contains(got.stderr, warning) {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}

// The check of a configuration prints the map of a mission, and refuses a start in a wall.
func TestConfigCheckPrintsTheMap(t *testing.T) {
	small := []string{"config", "check", "--set", "planner.columns=5", "--set", "planner.rows=4", "--set",
		"planner.start_cell=[0, 1]", "--set", "vehicle.start_km=[-30, -10, 5]", "--set", "target_km=[0, 10, 0]", "--set",
		"planner.spacing_km=10", "--set", "sim.capture_km=1", "--set", "privacy.handover_km=15", "--set"}
	const want = "...G.\n.#...\nS#...\n..#..\nS start, G goal, # keep-out cell; north is up\n"
	if got := veilpath(t, append(small, "planner.keep_out=[[1, 1, 1, 2], [2, 0]]")...); got.stdout != want {
		t.Errorf("exit code %d, %s%s; want %s", got.code, got.stdout, got.stderr, want)
	}
	if got := veilpath(t, append(small, "planner.keep_out=[[0, 1]]")...); got.code != exitUsage ||
		!strings.Contains(got.stderr, "the start, column 0, row 1, lies in a keep-out area") {
		t.Errorf("a start in a wall: exit code %d, %s", got.code, got.stderr)
	}
	if got := veilpath(t, "config", "check", "--config", "example1"); got.code != exitDone || got.stdout != "" {
		t.Errorf("a problem without a map: exit code %d, %s", got.code, got.stdout)
	}
}

// A setting that the mechanism of a verb does not read is reported.
func TestSettingsWithoutEffectAreReported(t *testing.T) {
	const said = " (flag --set) has no effect with mechanism "
	calibration := []string{"--set", "privacy.calibration=analytic"}
	for args, want := range map[string]bool{
		"config check --set privacy.mechanism=laplace": true, "config check": false,
		"run --mechanism laplace --epsilons 1": true, "plan example1 --mechanism laplace --epsilons 1 --format json": true,
		"cost example1 --mechanism laplace,input --epsilons 1 --runs 2 --format json":        false,
		"study --epsilons 1 --runs 2 --sweep privacy.mechanism=laplace,reward --format json": false,
	} {
		got := veilpath(t, append(strings.Fields(args), calibration...)...)
		if got.code != exitDone || strings.Contains(got.stderr, said) != want {
			t.Errorf("%s: exit code %d, %s", args, got.code, got.stderr)
		}
	}
}

// No help has a place that nothing fills.
func TestEveryHelpIsFilled(t *testing.T) {
	a := &app{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	var check func(verb *cobra.Command)
	check = func(verb *cobra.Command) {
		if place := regexp.MustCompile(`\{[0-9]+\}`).FindString(verb.Short + verb.Long + verb.Example); place != "" {
			t.Errorf("the help of %s has %s", verb.CommandPath(), place)
		}
		for _, below := range verb.Commands() {
			check(below)
		}
	}
	check(a.rootCommand())
}

func TestEveryVerbHasHelpWithAnExample(t *testing.T) {
	a := &app{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}
	for _, verb := range a.rootCommand().Commands() {
		if verb.Short == "" || verb.Long == "" || !strings.Contains(verb.Example, "veilpath "+verb.Name()) {
			t.Errorf("%s lacks a summary, a description or an example", verb.Name())
		}
	}
}

// answerOf runs a command that prints JSON and nothing else, and reads that.
func answerOf[T any](t *testing.T, args ...string) (answer T) {
	t.Helper()
	got := veilpath(t, append(args, "--quiet", "--format", "json")...)
	if got.code != exitDone || got.stderr != "" {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil {
		t.Fatalf("%v in %s", err, got.stdout)
	}
	return answer
}
