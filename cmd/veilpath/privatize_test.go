package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"veilpath/internal/publish"
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
