package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// whole and parts fly a study in one piece and in n.
func wholeAndParts(t *testing.T, n int, settings ...string) (whole string, parts []string) {
	t.Helper()
	dir := t.TempDir()
	whole = filepath.Join(dir, "whole")
	args := append([]string{"study", "--epsilons", "0.5,2", "--quiet"}, settings...)
	for i := range n + 1 {
		out, more := whole, []string{}
		if i > 0 {
			out = filepath.Join(dir, "part", fmt.Sprint(i))
			more = []string{"--shard", fmt.Sprintf("%d/%d", i, n)}
			parts = append(parts, out)
		}
		if r := veilpath(t, append(append(args, "--out", out), more...)...); r.code != exitDone {
			t.Fatalf("study: exit %d, %s", r.code, r.stderr)
		}
	}
	return whole, parts
}

func TestMergedPartsAreTheStudyToTheByte(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"one point": {"--runs", "23"},
		"sweep": {"--runs", "7", "--sweep", "adversary.radius_km=0.5,0.7,1", "--sweep",
			"privacy.calibration=classical,analytic"},
		"observers": {"--runs", "7", "--observer", "ballistic,constant_velocity", "--sweep", "adversary.radius_km=0.5,1"},
	} {
		t.Run(name, func(t *testing.T) {
			whole, parts := wholeAndParts(t, 5, settings...)
			merged := filepath.Join(t.TempDir(), "merged")
			parts[0], parts[3] = parts[3], parts[0] // the order of the names does not matter
			r := veilpath(t, append([]string{"merge", "--out", merged}, parts...)...)
			if r.code != exitDone {
				t.Fatalf("merge: exit %d, %s", r.code, r.stderr)
			}
			sameResults(t, results(t, whole), merged)
		})
	}
}

func TestMergeRefusesByName(t *testing.T) {
	t.Parallel()
	whole, p := wholeAndParts(t, 4, "--runs", "12")
	_, other := wholeAndParts(t, 4, "--runs", "12", "--seed", "9")
	_, halves := wholeAndParts(t, 2, "--runs", "12")
	impossible := copyFolder(t, p[1])
	edit(t, filepath.Join(impossible, "manifest.json"), `"of": 4`, `"of": 1`)
	tuned, interrupted := filepath.Join(t.TempDir(), "tuned"), copyFolder(t, p[1])
	veilpath(t, "tune", "--epsilons", "1", "--runs", "5", "--out", tuned)
	edit(t, filepath.Join(interrupted, "manifest.json"), `"complete": true`, `"complete": false`)
	older := copyFolder(t, p[1])
	edit(t, filepath.Join(older, "manifest.json"), `"version": "`, `"version": "0.1.9+`)
	for name, c := range map[string]struct {
		folders []string
		says    []string
	}{
		"another version": {[]string{p[0], older, p[2], p[3]}, []string{"different programs", p[0], older, "0.1.9+"}},
		"gaps":            {[]string{p[0], p[3]}, []string{"part 2/4, 3/4 is missing"}},
		"other sharing":   {[]string{halves[0], p[1], halves[1]}, []string{"different work", halves[0], p[1]}},
		"twice":           {[]string{p[0], p[0], p[1], p[2], p[3]}, []string{"both part 1/4", p[0]}},
		"another seed": {[]string{p[0], other[1], p[2], p[3]},
			[]string{"different work", p[0], other[1], "study.seed was 1, now it is 9"}},
		"no part":         {[]string{whole}, []string{whole, "holds a whole study; name the folders"}},
		"impossible part": {[]string{p[0], impossible, p[2], p[3]}, []string{impossible, "shard 2/1", "impossible"}},
		"a tuning":        {[]string{p[0], tuned}, []string{tuned, "a whole tune"}},
		"unfinished":      {[]string{p[0], interrupted}, []string{interrupted, "unfinished"}},
		"no results":      {[]string{filepath.Dir(p[0])}, []string{"holds no manifest.json; name the folders"}},
	} {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			r := veilpath(t, append([]string{"merge", "--out", out}, c.folders...)...)
			if r.code == exitDone {
				t.Fatal("the merge was done")
			}
			for _, word := range c.says {
				if !strings.Contains(r.stderr, word) {
					t.Errorf("message lacks %q: %s", word, r.stderr)
				}
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("it left a folder all the same")
			}
		})
	}
}

// Damaged flights of a part are flown again, and that is said.
func TestMergeFliesDamagedFlightsAgain(t *testing.T) {
	t.Parallel()
	whole, parts := wholeAndParts(t, 2, "--runs", "23")
	for i, name := range piecesIn(parts[1]) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if text[len(text)/2] ^= 1; i > 0 {
			text = text[:i]
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	merged := filepath.Join(t.TempDir(), "merged")
	if r := veilpath(t, append([]string{"merge", "--out", merged}, parts...)...); r.code != exitDone ||
		!strings.Contains(r.stderr, "damaged; their flights were flown again") {
		t.Fatalf("exit %d, %s", r.code, r.stderr)
	}
	sameResults(t, results(t, whole), merged)
}

func TestRunFromAStudyIsTheRecordedRun(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "study")
	if r := veilpath(t, "study", "--out", out, "--epsilons", "0.5,2", "--runs", "9", "--seed", "5", "--sweep",
		"vehicle.speed_km_s=1.6,1.8"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	r := veilpath(t, "run", "--from", out, "--run", "4", "--epsilon", "2", "--set", "vehicle.speed_km_s=1.8", "--format",
		"json")
	direct := veilpath(t, "run", "--run", "4", "--epsilon", "2", "--set", "vehicle.speed_km_s=1.8", "--seed", "5",
		"--format", "json")
	if r.code != exitDone || r.stdout != direct.stdout || !strings.Contains(r.stderr, "identical to") {
		t.Errorf("exit %d, %q\n%s\nwant\n%s", r.code, r.stderr, r.stdout, direct.stdout)
	}
	for _, c := range []struct{ args, says string }{
		{"--run 4 --epsilons 2", "choose a point with --set vehicle.speed_km_s=VALUE, one of 1.6 1.8"},
		{"--run 4 --epsilons 2 --set vehicle.speed_km_s=1.7", "not one of the values swept"},
		{"--run 4 --epsilons 2 --set sim.step_s=0.2", "did not sweep that key"},
		{"--run 4 --epsilons 3 --set vehicle.speed_km_s=1.8", "not one of the study's epsilons"},
		{"--run 9 --epsilons 2 --set vehicle.speed_km_s=1.8", "not recorded at epsilon 2; the recorded runs are 0 to 8"},
		{"--run 4 --epsilons 2 --seed 5", "leave it out"},
	} {
		if r := veilpath(t, append([]string{"run", "--from", out}, strings.Fields(c.args)...)...); r.code == exitDone ||
			!strings.Contains(r.stderr, c.says) {
			t.Errorf("%s: exit %d, message %q lacks %q", c.args, r.code, r.stderr, c.says)
		}
	}
}

func TestSweepIsTheStudiesOfItsPoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sweep, point := filepath.Join(dir, "sweep"), filepath.Join(dir, "point")
	if r := veilpath(t, "study", "--out", sweep, "--epsilons", "0.5,2", "--runs", "9", "--sweep",
		"vehicle.speed_km_s=1.6:1.8:0.2", "--sweep", "adversary.consecutive_steps=2,3"); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	veilpath(t, "study", "--out", point, "--epsilons", "0.5,2", "--runs", "9", "--set", "vehicle.speed_km_s=1.8", "--set",
		"adversary.consecutive_steps=2")
	rows := func(folder string) [][]string {
		file, err := os.Open(filepath.Join(folder, "summary.csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		rows, err := csv.NewReader(file).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	swept, alone := rows(sweep), rows(point)
	if got := strings.Join(swept[0][:3], " "); got != "vehicle.speed_km_s adversary.consecutive_steps epsilon" ||
		len(swept) != 9 {
		t.Fatalf("columns %s, %d rows; want the swept keys first and 9 rows", got, len(swept))
	}
	for i := range 2 { // the third of the four points
		if got, want := strings.Join(swept[5+i], ","), "1.8,2,"+strings.Join(alone[1+i], ","); got != want {
			t.Errorf("row %d is\n%s\nwant\n%s", 5+i, got, want)
		}
	}
}

func TestSweepMistakes(t *testing.T) {
	t.Parallel()
	for sweep, says := range map[string]string{
		"vehicle.speed_km=1,2":     "did you mean vehicle.speed_km_s?",
		"foo=1,2":                  "--sweep foo: unknown key; veilpath config show lists the keys",
		"vehicle.speed_km_s":       "no values",
		"vehicle.speed_km_s=1:2":   "2 numbers between colons",
		"vehicle.speed_km_s=1,1":   "twice",
		"vehicle.speed_km_s=0,1":   "out of range",
		"study.runs=1,2":           "the same at every point",
		"study.epsilons=0.2:4:0.2": "every point flies all epsilons of the study; name them with --epsilons",
		"example1.discount=0.5,0.9": "flights do not depend on it, only veilpath design and veilpath reproduce do: set " +
			"it there with --set example1.discount=VALUE",
		"vehicle.speed_km_s=1.4,,2":             "--sweep vehicle.speed_km_s: value 2 is missing",
		"vehicle.start_km=[0,0,1],,[0,0,2]":     "value 2 is missing",
		"adversary.observer=ballistic,seer":     "not one of the choices",
		"planner.columns=5,20":                  "outside the grid",
		"adversary.radius_km=0.00001:1:0.00001": "more than",
	} {
		if r := veilpath(t, "study", "--out", filepath.Join(t.TempDir(), "x"), "--sweep", sweep); r.code != exitUsage ||
			!strings.Contains(r.stderr, says) {
			t.Errorf("--sweep %s: exit %d, message %q lacks %q", sweep, r.code, r.stderr, says)
		}
	}
}

// The Kubernetes job's own command, run by a shell for every index, makes parts that merge.
func TestKubernetesJobFliesTheParts(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../configs/cluster/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			Completions int
			Template    struct {
				Spec struct {
					Containers []struct {
						Command []string
						Env     []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(text, &job); err != nil {
		t.Fatal(err)
	}
	container := job.Spec.Template.Spec.Containers[0]
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "veilpath")); err != nil {
		t.Fatal(err)
	}
	merge := []string{"merge", "--out", filepath.Join(dir, "merged")}
	for index := range job.Spec.Completions {
		cmd := exec.Command(container.Command[0], container.Command[1:]...)
		cmd.Env = append(os.Environ(),
			fmt.Sprint("JOB_COMPLETION_INDEX=", index))
		for _, e := range container.Env {
			switch e.Name {
			case "STUDY":
				e.Value = "--epsilons 0.5,2 --runs 16"
			case "OUT":
				e.Value = filepath.Join(dir, "parts")
			}
			cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("index %d: %v\n%s", index, err, out)
		}
		merge = append(merge, filepath.Join(dir, "parts", fmt.Sprint(index+1)))
	}
	if r := veilpath(t, merge...); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	whole := filepath.Join(dir, "whole")
	veilpath(t, "study", "--epsilons", "0.5,2", "--runs", "16", "--out", whole)
	sameResults(t, results(t, whole), filepath.Join(dir, "merged"))
}

func TestTuneFindsTheEpsilonOfASmallStudy(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "tune")
	args := []string{"tune", "--epsilons", "0.3,1,3", "--runs", "40", "--hidden-until", "52", "--between", "0.1,10",
		"--resolution", "0.2", "--max-runs", "3000", "--format", "json", "--report", "--out", out}
	r := veilpath(t, args...)
	if r.code != exitDone {
		t.Fatalf("exit %d: %s", r.code, r.stderr)
	}
	type answer struct {
		Epsilon    float64
		Met        bool
		Confidence float64
		Between    [2]float64
		HiddenKm   float64      `json:"hidden_until_km"`
		Ranges     [][2]float64 `json:"met_epsilons"`
		NotMet     [][2]float64 `json:"not_met_epsilons"`
		Undecided  [][2]float64 `json:"undecided_epsilons"`
		Demands    []struct {
			Limit     float64
			Looks     []struct{ Runs int }
			Crossings []struct {
				Epsilon float64
				Low     float64 `json:"ci_low"`
				High    float64 `json:"ci_high"`
			}
		}
	}
	var found struct {
		answer
		Chosen  map[string]*float64
		Surface []map[string]*float64
	}
	if err := json.Unmarshal([]byte(r.stdout), &found); err != nil {
		t.Fatal(err)
	}
	// Published and computed means pass 52 km near epsilon 0.5.
	crossing := found.Demands[0].Crossings[0]
	if !found.Met || found.Epsilon < 0.25 || found.Epsilon != crossing.Low ||
		!(crossing.Low < crossing.Epsilon && crossing.Epsilon < crossing.High) || crossing.Low > 0.6 || crossing.High < 0.45 {
		t.Errorf("epsilon %g (met: %v), the limit near %g; want it near 0.5", found.Epsilon, found.Met, crossing)
	}
	want := [][2]float64{{0.1, crossing.Low}, {crossing.Low, crossing.High}, {crossing.High, 10}}
	if got := slices.Concat(found.Ranges, found.Undecided, found.NotMet); !slices.Equal(got, want) ||
		found.Between != [2]float64{0.1, 10} || found.Confidence != 0.95 || found.HiddenKm != 52 {
		t.Errorf("met, undecided and not met %v, want %v; %+v", got, want, found.answer)
	}
	looks := found.Demands[0].Looks
	if last := looks[len(looks)-1]; found.Demands[0].Limit != 52 || last.Runs > 3000 ||
		*found.Chosen["runs"] > float64(last.Runs) || *found.Chosen["mean_km"] > 52 ||
		*found.Chosen["epsilon"] != found.Epsilon {
		t.Errorf("the answer is of %+v and comes to %v", found.Demands[0], found.Chosen)
	}
	// The folder holds the question and the answer.
	var manifest struct{ Answer answer }
	if text, err := os.ReadFile(filepath.Join(out, "manifest.json")); err != nil ||
		json.Unmarshal(text, &manifest) != nil || !reflect.DeepEqual(manifest.Answer, found.answer) {
		t.Errorf("manifest.json: %v, %+v, want %+v", err, manifest.Answer, found.answer)
	}
	if page, err := os.ReadFile(filepath.Join(out, "report.html")); err != nil ||
		!bytes.Contains(page, []byte("To stay hidden until 52 km on average from ")) ||
		!bytes.Contains(page, []byte(">mean detection distance in km at most 52</td>")) ||
		!bytes.Contains(page, []byte("The plan without noise is recognised")) ||
		!bytes.Contains(page, []byte(" of every listed epsilon")) {
		t.Errorf("report.html does not hold the question and the answer: %v", err)
	}
	if len(found.Surface) != 3*21 {
		t.Errorf("%d cells of the surface, want 3 epsilons x 21 radii", len(found.Surface))
	}
	for _, name := range []string{"surface.parquet", "figure.png", "figure.svg", "plane.png", "plane.svg",
		"manifest.json"} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty", name)
		}
	}
	if r := veilpath(t, "config", "check", "--config", filepath.Join(out, "config.yaml")); r.code != exitDone {
		t.Errorf("config.yaml: %s", r.stderr)
	}
}

func TestTuneSaysWhenNoEpsilonWillDo(t *testing.T) {
	t.Parallel()
	args := []string{"tune", "--epsilons", "1", "--runs", "5", "--hidden-until", "5", "--format", "json", "--resume",
		"--out", filepath.Join(t.TempDir(), "tune")}
	r := veilpath(t, args...)
	if r.code != exitFailed || !strings.Contains(r.stderr, "no epsilon from 0.01 to 100") ||
		!strings.Contains(r.stderr, "its minimum is about 21.5, near epsilon 0.0116") ||
		strings.Contains(r.stderr, "too near") || !strings.Contains(r.stdout, `"epsilon": null`) {
		t.Errorf("exit %d, stderr %q, want no epsilon", r.code, r.stderr)
	}
	if again := veilpath(t, args...); again.code != exitFailed || again.stdout != r.stdout ||
		!strings.Contains(again.stderr, "does not meet its demand") {
		t.Errorf("resumed: exit %d, %q, %q", again.code, again.stdout, again.stderr)
	}
	if err := os.WriteFile(filepath.Join(args[len(args)-1], "answer.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := veilpath(t, args...); r.code != exitFailed || r.stdout != "" ||
		!strings.Contains(r.stderr, "changed: answer.json") {
		t.Errorf("another answer: exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
}

func TestInterruptedTuneLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := filepath.Join(t.TempDir(), "tune")
	r := veilpathIn(t, ctx, nil, "tune", "--hidden-until", "56", "--out", out)
	if _, err := os.Stat(out); err == nil || r.code != exitInterrupted ||
		!strings.Contains(r.stderr, "none of the work was done") {
		t.Errorf("exit %d, %q, folder: %v", r.code, r.stderr, err)
	}
	veilpath(t, "run", "--nominal", "--out", out) // which --force would replace
	earlier := results(t, out)
	for _, verb := range [][]string{{"tune", "--hidden-until", "56"}, {"reproduce", "thm6a"}} {
		if r := veilpathIn(t, ctx, nil, append(verb, "--out", out, "--force")...); r.code != exitInterrupted ||
			!strings.Contains(r.stderr, "interrupted") {
			t.Errorf("%s: exit %d, %q", verb[0], r.code, r.stderr)
		}
		sameResults(t, earlier, out)
	}
}

func TestTuneMistakes(t *testing.T) {
	for args, says := range map[string]string{
		"--quantile 0.9":                    "--share 90%",
		"--share 90%":                       "--hidden-until",
		"--hidden-until 50 --share 100%":    "below 1",
		"--hidden-until -3":                 "above 0",
		"--hidden-until 0":                  "above 0",
		"--hidden-until 50 --share 0":       "above 0",
		"--max-cost 5":                      "did you mean 5%",
		"--max-cost cheap":                  "such as 5%",
		"--confidence 1":                    "below 1",
		"--between 5":                       "two epsilons",
		"--radii 0:1:0.5":                   "--radii: 0 is out of range; want radii above 0 km",
		"--hidden-until 50 --radius 0":      "adversary.radius_km",
		"--hidden-until 50 --resolution 0":  "0.001",
		"--hidden-until 50 --max-runs 3":    "from 100 to",
		"--hidden-until 50 --epsilons 1,0":  "study.epsilons",
		"--hidden-until 50 --between 10,10": "",
	} {
		r := veilpath(t, append([]string{"tune", "--out", filepath.Join(t.TempDir(), "x")}, strings.Fields(args)...)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, says) {
			t.Errorf("%s: exit %d, message %q lacks %q", args, r.code, r.stderr, says)
		}
	}
}

// Leakage, audits and reproductions that are shared out and joined are those done at once, printed and in files.
func TestMergedWorkIsTheWholeToTheByte(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{
		"leak": "leak --flights 7 --policies 3 --observers geometry,mechanism --epsilons 1 --candidates 4:3,3:0",
		"mechanisms": "leak mechanisms --mechanisms reward:1,goal:1 --flights 3 --set adversary.candidates=4:3,3:0 " +
			"--set adversary.policies=2",
		"releases":  "leak releases --counts 1,3 --goals 4 --epsilons 1 --candidates 4:3,3:0",
		"audit":     "audit --of policy --epsilon 4 --samples 1000 --seed 7",
		"reproduce": "reproduce example1 table1a --set study.runs=20 --set example1.agents=2,3",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			whole, merged := filepath.Join(dir, "whole"), filepath.Join(dir, "merged")
			do := func(out string, more ...string) result {
				t.Helper()
				r := veilpath(t, append(append(strings.Fields(args), "--quiet", "--out", out), more...)...)
				if r.code != exitDone {
					t.Fatalf("%s: exit %d, %s", out, r.code, r.stderr)
				}
				return r
			}
			at := do(whole)
			merge := []string{"merge", "--quiet", "--out", merged}
			for _, i := range []string{"2", "1", "3"} {
				part := filepath.Join(dir, i)
				if r := do(part, "--shard", i+"/3"); r.stdout != "" {
					t.Errorf("part %s prints an answer: %s", i, r.stdout)
				}
				merge = append(merge, part)
			}
			r := veilpath(t, merge...)
			if r.code != exitDone || r.stdout != at.stdout {
				t.Fatalf("merge: exit %d, %s%s; at once %s", r.code, r.stdout, r.stderr, at.stdout)
			}
			sameResults(t, results(t, whole), merged)
		})
	}
	for args, want := range map[string]string{
		"leak --shard 1/2 --format json":              "--shard needs --out",
		"leak --shard 3/2 --out x":                    "not a part",
		"audit --from x --shard 1/2":                  "has no effect on existing releases",
		"audit --command cat --rewards x --shard 1/2": "is for the built-in mechanism",
		"tune --hidden-until 40 --shard 1/2":          "no such flag",
		"leak goals 16:11,3:4 --shard 1/2":            "no such flag",
	} {
		if r := veilpath(t, strings.Fields(args)...); r.code != exitUsage || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: exit %d, %s; want %q", args, r.code, r.stderr, want)
		}
	}
}

// A part that is killed and resumed has the bytes of one that never was.
func TestAPartKilledResumesToTheSameBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	part := func(out string) *exec.Cmd {
		return process(t, "leak", "--flights", "3000", "--observers", "geometry,mechanism", "--policies", "3", "--epsilons",
			"1", "--candidates", "4:3,3:0,16:11", "--shard", "1/2", "--workers", "1", "--resume", "--quiet", "--out",
			filepath.Join(dir, out))
	}
	finish(t, part("once"))
	killed := part("killed")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, func() bool { return len(piecesIn(filepath.Join(dir, "killed"))) > 3 })
	killed.Process.Kill()
	killed.Wait()
	finish(t, part("killed"))
	sameResults(t, results(t, filepath.Join(dir, "once")), filepath.Join(dir, "killed"))
}
