package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"veilpath/sim/campaign"

	"veilpath/internal/publish"
	"veilpath/planner/privacy"
	"veilpath/planner/release"
	"veilpath/planner/reward"
)

var promise = []string{"--epsilon", "1", "--delta", "0.01", "--adjacency", "1"}

func privatized(t *testing.T, rewards, out string, args ...string) result {
	t.Helper()
	return veilpath(t, append(append([]string{"privatize", rewards, "--out", out}, promise...), args...)...)
}

func readRelease(t *testing.T, folder string) *reward.Table {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, publish.ReleaseName))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := reward.Read(file, reward.KnownHeader)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// 4000 released entries lie on the grid and scatter about the original with the sigma that is stated, and two releases
// differ.
func TestPrivatizeReleasesWhatItStates(t *testing.T) {
	const entries = 4000
	path := fileWith(t, strings.Repeat("5,-1\n", entries/2))
	first, second := filepath.Join(t.TempDir(), "1"), filepath.Join(t.TempDir(), "2")
	for _, out := range []string{first, second} {
		if got := privatized(t, path, out); got.code != exitDone ||
			!strings.Contains(got.stdout, "(1, 0.01)-differentially private") {
			t.Fatalf("exit code %d, %q, %q", got.code, got.stdout, got.stderr)
		}
	}
	text, err := os.ReadFile(filepath.Join(first, publish.GuaranteeName))
	if err != nil {
		t.Fatal(err)
	}
	var s release.Statement
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(first, publish.ReleaseName))
	if err != nil {
		t.Fatal(err)
	}
	if hash := sha256.Sum256(file); s.Release != publish.ReleaseName || s.ReleaseSHA256 != hex.EncodeToString(hash[:]) {
		t.Errorf("the promise is about %s with hash %s, whose hash is %x", s.Release, s.ReleaseSHA256, hash)
	}
	if s.Epsilon != 1 || s.Delta != 0.01 || !(s.CertifiedDelta <= s.Delta) || s.Entries != entries ||
		s.Randomness != "crypto/rand" {
		t.Errorf("statement %+v", s)
	}
	const leastSigma = 1.8778 // Balle and Wang's, for (1, 0.01) and sensitivity 1
	if s.Sigma < leastSigma || s.Sigma > 1.01*leastSigma {
		t.Errorf("sigma %v, want just above %v", s.Sigma, leastSigma)
	}
	table, squares := readRelease(t, first), 0.0
	for i, v := range table.Values[0] {
		if steps := v / s.Grid; steps != math.Round(steps) {
			t.Fatalf("entry %d, %v, is not on the grid of %v", i, v, s.Grid)
		}
		d := v - []float64{5, -1}[i%2]
		squares += d * d
	}
	const sixErrors = 6 // of a variance from n normals, relative error sqrt(2/n)
	if ratio := squares / entries / (s.Sigma * s.Sigma); math.Abs(ratio-1) > sixErrors*math.Sqrt(2.0/entries) {
		t.Errorf("the noise has %v times its stated variance", ratio)
	}
	if other := readRelease(t, second); other.Values[0][0] == table.Values[0][0] &&
		other.Values[0][1] == table.Values[0][1] && other.Values[0][2] == table.Values[0][2] {
		t.Error("two releases begin with the same three rewards")
	}
}

// Tables that list every state's best action first are published in the order of the names, and one ledger counts the
// releases of a table in every order and layout.
func TestPrivatizePublishesNoRanking(t *testing.T) {
	ledger := filepath.Join(t.TempDir(), "ledger")
	for i, text := range []string{"state,action,reward\na,z,9\na,l,5\na,m,1\nb,z,7\nb,l,3\nb,m,2\n",
		"state,action,reward\nb,l,3\nb,m,2\na,m,1\nb,z,7\na,l,5\na,z,9\n", "state,z,l,m\nb,7,3,2\na,9,5,1\n"} {
		out := filepath.Join(t.TempDir(), "out")
		if got := privatized(t, fileWith(t, text), out, "--ledger", ledger, "--total", "9"); got.code != exitDone {
			t.Fatalf("%q: %s", text, got.stderr)
		}
		released, err := os.ReadFile(filepath.Join(out, publish.ReleaseName))
		if err != nil {
			t.Fatal(err)
		}
		want := "state,action,reward a,l a,m a,z b,l b,m b,z"
		if i == 2 {
			want = "state,l,m,z a b"
		}
		number := regexp.MustCompile(`(,-?[0-9][0-9.e-]*)+\n`)
		if names := number.ReplaceAllString(strings.Replace(string(released), "\n", " ", 1), " "); names != want+" " {
			t.Errorf("%q is published as %q, want %q", text, names, want)
		}
	}
}

func TestPrivatizeRefusesSeedsAndUnsaidPromises(t *testing.T) {
	path := fileWith(t, "1,2\n")
	out := filepath.Join(t.TempDir(), "out")
	for _, test := range []struct {
		name    string
		args    []string
		environ []string
		want    []string
	}{
		{"seed flag", append([]string{path, "--seed", "7"}, promise...), nil,
			[]string{"study.seed", "--seed", "cannot have a seed"}},
		{"seed 1, the default", append([]string{path, "--seed", "1"}, promise...), nil, []string{"cannot have a seed"}},
		{"seed key", append([]string{path, "--set", "study.seed=7"}, promise...), nil,
			[]string{"flag --set", "cannot have a seed"}},
		{"seed variable", append([]string{path}, promise...), []string{"VEILPATH_STUDY_SEED=7"},
			[]string{"VEILPATH_STUDY_SEED", "cannot have a seed"}},
		{"no epsilon", []string{path, "--delta", "0.01", "--adjacency", "1"}, nil,
			[]string{"missing: --epsilon (or privacy.epsilon);"}},
		{"no delta", []string{path, "--epsilon", "1", "--sensitivity", "1"}, nil,
			[]string{"missing: --delta (or privacy.delta);"}},
		{"neither", []string{path, "--epsilon", "1"}, nil, []string{"missing: --delta (or privacy.delta), --adjacency "}},
		{"no sensitivity", []string{path, "--epsilon", "1", "--delta", "0.01"}, nil,
			[]string{"missing: --adjacency (or privacy.adjacency);"}},
		{"no file", promise, nil, []string{"one file of rewards"}},
		{"coarse grid", append([]string{path, "--grid", "9"}, promise...), nil, []string{"grid is 9"}},
		{"no grid", append([]string{path, "--grid", "0"}, promise...), nil, []string{"--grid 0", "above 0"}},
		{"tiny delta", []string{path, "--epsilon", "1", "--delta", "1e-310", "--adjacency", "1"}, nil,
			[]string{"delta is 1e-310", "certified"}},
	} {
		got := veilpathIn(t, context.Background(), test.environ, append([]string{"privatize", "--out", out}, test.args...)...)
		if got.code != exitUsage || strings.Count(got.stderr, "\n") != 1 || got.stdout != "" {
			t.Errorf("%s: exit code %d, output %q, error %q", test.name, got.code, got.stdout, got.stderr)
		}
		for _, part := range test.want {
			if !strings.Contains(got.stderr, part) {
				t.Errorf("%s: %q lacks %q", test.name, got.stderr, part)
			}
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused release left a folder")
	}
}

func TestPrivatizeKeepsAnEarlierRelease(t *testing.T) {
	path, out := fileWith(t, "1,2\n"), filepath.Join(t.TempDir(), "out")
	if got := privatized(t, path, out); got.code != exitDone {
		t.Fatal(got.stderr)
	}
	before := readRelease(t, out).Values[0]
	if got := privatized(t, path, out); got.code != exitUsage || !strings.Contains(got.stderr, "--force") {
		t.Errorf("exit code %d, %q", got.code, got.stderr)
	}
	if after := readRelease(t, out).Values[0]; after[0] != before[0] || after[1] != before[1] {
		t.Error("the earlier release was changed")
	}
	if got := privatized(t, path, out, "--force"); got.code != exitDone {
		t.Error(got.stderr)
	}
}

// A folder that holds a file that privatize reads, or the ledger, under any name, is not one to publish in, and nothing
// there is changed.
func TestPrivatizeRefusesTheFolderOfASecret(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"own/release.csv": "1,2\n", "own/corridor.json": corridor,
		"own/settings.yaml": "privacy: {handover_km: 400}\n", "team.yaml": "agents: [{problem: own/corridor.json}]\n",
		"table.csv": "1,2\n", "hard/other": ""} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(in(name)), 0o777),
			os.WriteFile(in(name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if os.Symlink(in("own"), in("alias")) != nil || os.Link(in("table.csv"), in("hard/policy.csv")) != nil {
		t.Skip("no links here")
	}
	ledger := []string{in("table.csv"), "--total", "3", "--ledger"}
	for _, c := range []struct {
		out  string
		args []string
	}{
		{"own", []string{in("own/release.csv")}}, {"alias", []string{in("own/release.csv")}},
		{"own", []string{in("team.yaml"), "--policy"}}, {"own", []string{"paper", "--config", in("own/settings.yaml")}},
		{"hard", []string{in("table.csv")}}, {"own", append(ledger, in("alias/policy.csv"))},
		{"new", append(ledger, in("new/release.csv"))},
	} {
		got := privatized(t, c.args[0], in(c.out), append(c.args[1:], "--force")...)
		if got.code != exitUsage || !strings.Contains(got.stderr, "must stay secret") {
			t.Errorf("privatize %q --out %s: exit code %d, %q", c.args, c.out, got.code, got.stderr)
		}
	}
	for folder, want := range map[string]int{"own": 3, "hard": 2} {
		if files, err := os.ReadDir(in(folder)); err != nil || len(files) != want {
			t.Errorf("%s holds %v, %v", folder, files, err)
		}
	}
	if got := privatized(t, in("own/release.csv"), in("own/new")); got.code != exitDone || fileExists(in("new")) {
		t.Errorf("a folder beside the original is refused: %q", got.stderr)
	}
}

// The files, the help and the guide of a command that simulates say that its noise is not for publishing.
func TestSimulatedNoiseIsNotForPublishing(t *testing.T) {
	t.Parallel()
	said := func(text string) bool {
		return strings.Contains(strings.Join(strings.Fields(text), " "), privacy.SimulationNotice)
	}
	for _, args := range []string{"plan example1 --epsilons 1", "study --epsilons 1 --runs 2", "run --epsilons 1",
		"cost example1 --epsilons 1 --runs 2", "leak releases --goals 2 --epsilons 1 --counts 1 --candidates 4:3,3:0 " +
			"--policies 1"} {
		out := filepath.Join(t.TempDir(), "out")
		if got := veilpath(t, append(strings.Fields(args), "--out", out)...); got.code != exitDone {
			t.Fatalf("%s: %s", args, got.stderr)
		}
		names := []string{"manifest.json"}
		if strings.HasPrefix(args, "plan") {
			names = append(names, campaign.PolicyName, campaign.RewardName)
		}
		for _, name := range names {
			if text, err := os.ReadFile(filepath.Join(out, name)); err != nil || !said(string(text)) {
				t.Errorf("%s: %s does not say it, %v", args, name, err)
			}
		}
		if verb, _, _ := strings.Cut(args, " "); !said(veilpath(t, verb, "--help").stdout) {
			t.Errorf("%s --help does not say it", verb)
		}
	}
	if text, err := os.ReadFile("../../assets/guide/publish.md"); err != nil || !said(string(text)) {
		t.Errorf("the guide does not say it, %v", err)
	}
}

// A file without an end is refused, and one that never begins is given up with the program.
func TestRewardsWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, verb := range [][]string{{"privatize", "/dev/zero"}, {"design", "--rewards", "/dev/zero"}} {
		if got := veilpath(t, append(verb, promise...)...); got.code != exitUsage ||
			!strings.Contains(got.stderr, "/dev/zero") {
			t.Errorf("%q: exit code %d, %q", verb, got.code, got.stderr)
		}
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no named pipes here")
	}
	for _, verb := range [][]string{{"privatize", pipe}, {"design", "--rewards", pipe}} {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(100*time.Millisecond, cancel)
		if got := veilpathIn(t, ctx, nil, append(verb, promise...)...); got.code != exitInterrupted {
			t.Errorf("%q: exit code %d, %q", verb, got.code, got.stderr)
		}
	}
}

// Nothing that privatize prints or publishes has a reward, and no error names an agent, a state, an action or a row.
func TestPrivatizeRevealsNothing(t *testing.T) {
	t.Parallel()
	const reward = "77.251234"
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table := func(text string) string {
		return file(fmt.Sprintf("%x.csv", len(text)), strings.ReplaceAll(text, "R", reward))
	}
	member := func(reward string) string {
		return fmt.Sprintf(`{"0": {"0": [[1.0, 1, %s, false]]}, "1": {"0": [[1.0, 0, 1.0, false]]}}`, reward)
	}
	whole, huge := file("whole.json", member(reward)), file("huge.json", member(reward+"e140"))
	good := table("state,open\nvault,R\nhall,1\n")
	file("broken.json", member(reward+"x"))
	team := func(name string) string {
		return file("of-"+name+".yaml", "agents: [{name: vault, problem: whole.json}, {problem: "+name+".json}]")
	}
	small := file("small.yaml", "planner:\n  rewards: [["+reward+", 7], [1, 2]]\n")
	secret := file("secret.json", `{"`+reward+`": 1}`)
	ledger := filepath.Join(folder, "ledger")
	for _, args := range [][]string{
		{table("state,open\nvault,Re300\nhall,1\n")}, {table("state,open\nvault,NaN\nhall,R\n")},
		{table("state,open\nvault,Rx\n")}, {table("state,open\nvault,\"R\n")}, {table("state,open\nvault,R,R\n")},
		{table("state,action,reward\nvault,open,R\nvault,open,R\n")}, {table("state,action,reward,R\nvault,open,1,R\n")},
		{table("state,action,reward\nvault,open,R\nvault,shut,1\nhall,open,1\n")}, {table("vault,open\nR,1\n")},
		{table("state,action,next,probability,reward\nvault,open,vault,0.7,R\n")}, {table("vault,R\xff\n")},
		{huge}, {filepath.Join(folder, "broken.json")}, {file("cut.json", member(reward)[:40])},
		{whole, "--policy", "--discount", "0.9999999999"}, {whole, "--grid", "9"},
		{whole, "--ledger", secret, "--total", "9"},
		{team("huge")}, {team("huge"), "--mechanism", "output"}, {team("broken")}, {team("none")},
		{good, "--out", good}, {good, "--policy"}, {good, "--delta", "1e-310"}, {good, "--ledger", good, "--total", "9"},
		{small}, {"paper", "--config", small}, {"paper", "--set", "planner.rewards=[[" + reward + ",7],[1,2]]"},
		{file("word.yaml", "planner: {rewards: [["+reward+"x]]}")}, {file("key.yaml", reward+": 1\n")},
		{good, "--set", "planer.rewards=[[" + reward + "]]"}, {good, "--config", secret},
		{good, "--ledger", ledger, "--total", "1e-9"},
	} {
		out := filepath.Join(folder, "out")
		r := veilpath(t, append(append([]string{"privatize", "--out", out}, promise...), args...)...)
		place := regexp.MustCompile(`77\.25|vault|open|(agent|state|action|entry|row|column|line) [0-9]`)
		if r.code == exitDone || place.MatchString(r.stdout+r.stderr) || strings.Count(r.stderr, "veilpath: ") != 1 ||
			fileExists(out) {
			t.Errorf("%q: exit %d, %s%s", args, r.code, r.stdout, r.stderr)
		}
	}
	for _, name := range []string{good, whole, team("whole"), file("near.yaml", "privacy: {handover_km: 400}\n")} {
		out := filepath.Join(t.TempDir(), "out")
		r := privatized(t, name, out)
		text, err := os.ReadFile(filepath.Join(out, publish.ReleaseName))
		if told := r.stdout + r.stderr + string(text); err != nil || strings.Contains(told, reward) ||
			strings.Contains(told, "km from the target") { // the warning about a goal within the hand-over
			t.Errorf("%s: exit %d, %s, %v", name, r.code, told, err)
		}
	}
	for says, args := range map[string][]string{
		"--config = none.yaml: neither a preset": {good, "--config", "none.yaml"},
		"privacy.epsilon = 0":                    {good, "--epsilon", "0"},
		"broken.json shows where":                {filepath.Join(folder, "broken.json")},
	} {
		r := privatized(t, args[0], filepath.Join(folder, "out"), args[1:]...)
		if r.code != exitUsage || !strings.Contains(r.stderr, says) {
			t.Errorf("%q: exit %d, %s; want %q", args, r.code, r.stderr, says)
		}
	}
}
