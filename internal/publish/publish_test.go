package publish

import (
	"bytes"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veilpath/internal/pieces"
	"veilpath/planner"
	"veilpath/planner/mdp"
	"veilpath/planner/privacy"
	"veilpath/planner/problem"
	"veilpath/planner/release"
)

var promise = privacy.Guarantee{Epsilon: 1, Delta: 1e-6, Adjacency: 1, Calibration: privacy.Analytic}

// rooms returns a problem with two rooms and an end. Room 10 lacks an action, and the names are not sorted.
func rooms(t testing.TB, reward float64) *problem.Instance {
	t.Helper()
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome {
		return []mdp.Outcome{{State: map[bool]int{true: s, false: 2}[a == 0], Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{-reward, reward, 0.25, math.Inf(-1), 0, 0}}, 0.9, 0, []int32{2})
	if err != nil {
		t.Fatal(err)
	}
	return &problem.Instance{Problem: p, States: problem.Named([]string{"room 9", "room 10", "end"}),
		Actions: problem.Named([]string{"stay", "go"}), Listed: 3}
}

// A release holds the sorted names and the private rewards. It leaves out terminal states and actions that a state
// lacks, and does not depend on the order of the file.
func TestReleaseHoldsNamesAndPrivateRewards(t *testing.T) {
	o := Rewards(rooms(t, 5))
	r, err := release.New(o, promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(out.String()) {
		names = append(names, line[:strings.LastIndex(line, ",")])
	}
	if got := strings.Join(names, ";"); got != "state,action;room 9,go;room 9,stay;room 10,stay" {
		t.Errorf("published: %s", got)
	}
}

// The policy depends only on the release. With noise far above the rewards, the same random numbers give the same
// policy for different rewards. With almost no noise the policy is optimal.
func TestPlanDependsOnlyOnTheRelease(t *testing.T) {
	quiet := promise
	quiet.Adjacency = 1e-6
	for _, reward := range []float64{5, -5} {
		n := rooms(t, reward)
		o := Rewards(n)
		r, err := release.New(o, quiet, 0, new(privacy.Entropy))
		if err != nil {
			t.Fatal(err)
		}
		policy, err := Plan(n, o, r)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int32{true: 1, false: 0}[reward > 0]; policy[0] != want || policy[1] != 0 {
			t.Errorf("reward %g: policy %v", reward, policy)
		}
		other := rooms(t, -reward)
		if again, err := Plan(other, Rewards(other), r); err != nil || fmt.Sprint(again) != fmt.Sprint(policy) {
			t.Errorf("the release has policy %v with one problem and %v with another, %v", policy, again, err)
		}
	}
}

// The policy does not depend on the order of states and actions in a file, even if all actions are equally good.
func TestPolicyDoesNotDependOnTheOrderOfAFile(t *testing.T) {
	n := rooms(t, 5)
	o := Rewards(n)
	r, err := release.New(o, promise, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	law, err := mdp.NewModel(3, 2, func(s, a int) []mdp.Outcome { // the same law, in reverse order
		return []mdp.Outcome{{State: map[bool]int{true: s, false: 0}[a == 1], Probability: 1}}
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := planner.NewProblem(law, [][]float64{{0, 0, math.Inf(-1), 0.25, 5, -5}}, 0.9, 2, []int32{0})
	if err != nil {
		t.Fatal(err)
	}
	backwards := &problem.Instance{Problem: p, States: problem.Named([]string{"end", "room 10", "room 9"}),
		Actions: problem.Named([]string{"go", "stay"}), Listed: 3}
	var texts [2]bytes.Buffer
	for i, n := range []*problem.Instance{n, backwards} {
		policy, err := Plan(n, Rewards(n), r)
		if err == nil {
			err = writePolicy(n, &texts[i], policy)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if one, other := texts[0].String(), texts[1].String(); one != other || !strings.Contains(one, "end,go\n") {
		t.Errorf("published %q, and %q in another order", one, other)
	}
}

// team returns a problem of two agents with separate rewards. Each agent moves to any state it chooses.
func team(t testing.TB) *problem.Instance {
	t.Helper()
	law, err := mdp.NewModel(2, 2, func(_, a int) []mdp.Outcome { return []mdp.Outcome{{State: a, Probability: 1}} })
	if err != nil {
		t.Fatal(err)
	}
	joint, err := mdp.NewJoint([]*mdp.Model{law, law}, 0)
	if err != nil {
		t.Fatal(err)
	}
	tables := make([][]float64, 2)
	for i := range tables {
		for s := range joint.States() {
			tables[i] = append(tables[i], float64(s), float64(10*i))
		}
	}
	p, err := planner.NewProblem(joint, tables, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	return &problem.Instance{Problem: p, States: problem.Numbered(4), Actions: problem.Numbered(4), Listed: 4}
}

// A team's joint reward gets noise of the joint sensitivity, and the policy is planned for the noisy joint reward.
func TestJointPolicy(t *testing.T) {
	n := team(t)
	quiet := promise
	quiet.Adjacency = 1e-6
	for name, o := range map[string]release.Original{"input": Rewards(n), "output": Joint(n)} {
		r, err := release.New(o, quiet, 0, new(privacy.Entropy))
		if err != nil {
			t.Fatal(err)
		}
		policy, err := Plan(n, o, r)
		if err != nil {
			t.Fatal(err)
		}
		solved, err := n.Solve(1e-9, 0)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(policy) != fmt.Sprint(solved.Optimal.Policy) {
			t.Errorf("%s: policy %v, without noise %v", name, policy, solved.Optimal.Policy)
		}
		s := r.Statement("policy", "policy.csv", [32]byte{}, "test")
		want := map[string]float64{"input": 1e-6, "output": 1e-6 / math.Sqrt2}[name]
		if math.Abs(s.Sensitivity/want-1) > 1e-12 || s.Agents != 2 {
			t.Errorf("%s: %d agents, sensitivity %g, want %g", name, s.Agents, s.Sensitivity, want)
		}
	}
}

// publishTo publishes one release and counts it in a ledger.
func publishTo(t testing.TB, folder string, epsilon float64) error {
	o := Rewards(rooms(t, 5))
	g := promise.At(epsilon)
	r, err := release.New(o, g, 0, new(privacy.Entropy))
	if err != nil {
		t.Fatal(err)
	}
	out, err := pieces.Open(folder)
	if err != nil {
		return err
	}
	defer out.Close()
	account, err := OpenAccount("a/ledger", "veilpath test", TableOf(o), Terms{Epsilon: 3, First: g}, crand.Reader)
	if err != nil {
		return err
	}
	_, err = (&Files{Program: "veilpath test", Release: r}).Write(out, account)
	return errors.Join(err, account.Close())
}

func ledgerOf(t testing.TB) *Ledger {
	t.Helper()
	text := read("a/ledger")
	if text == "" {
		return &Ledger{}
	}
	l, err := ParseLedger([]byte(text))
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return l
}

// Because Gaussian releases compose, four releases of epsilon 1 fit into a total of 3 and a fifth does not. By the
// sums, a release that reaches the total exactly fits.
func TestLedgerKeepsItsBudget(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	done := 0
	for ; done < 10; done++ {
		if err := publishTo(t, fmt.Sprint("out", done), 1); err != nil {
			if !errors.Is(err, ErrOverspent) || !strings.Contains(err.Error(), "a release of epsilon 0.") {
				t.Fatal(err)
			}
			break
		}
	}
	l := ledgerOf(t)
	// k releases of mu compose to one of mu sqrt(k): want the largest k with epsilon at most 3.
	single, err := privacy.Analytic.Sigma(1, 1e-6, 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := privacy.ReleasesAllowed(3, 1e-6, single, 1)
	if err != nil || done != want || len(l.Releases) != want {
		t.Errorf("%d releases, %d in the ledger, want %d, %v", done, len(l.Releases), want, err)
	}
	if read(filepath.Join(fmt.Sprint("out", done), ReleaseName)) != "" {
		t.Error("the refused release was published")
	}
	left, err := l.Left(1e-6, privacy.Analytic)
	if err != nil || left <= 0 {
		t.Fatal(left, err)
	}
	if err := publishTo(t, "more", 1.01*left); !errors.Is(err, ErrOverspent) {
		t.Errorf("a release of more than is left: %v", err)
	}
	if err := publishTo(t, "rest", left); err != nil {
		t.Errorf("a release of what is left: %v", err)
	}
	sums := Ledger{Epsilon: 0.3, Delta: 3e-6, Adjacency: 1}
	for range 3 {
		if err := sums.add(Entry{Epsilon: 0.1, Delta: 1e-6, Calibration: "analytic"}); err != nil {
			t.Error(err)
		}
	}
	if err := sums.add(Entry{Epsilon: 1e-9, Delta: 1e-12, Calibration: "analytic"}); !errors.Is(err, ErrOverspent) ||
		!strings.Contains(err.Error(), "nothing is left") {
		t.Errorf("a release beyond the sums: %v", err)
	}
}

// A ledger with a changed byte or a missing line is refused, unless its contents stay the same.
func TestTamperedLedgerIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	for i := range 2 {
		if err := publishTo(t, fmt.Sprint(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	text := []byte(read("a/ledger"))
	whole, err := json.Marshal(ledgerOf(t))
	if err != nil {
		t.Fatal(err)
	}
	tampered := func(what string, text []byte) {
		l, err := ParseLedger(text)
		if err != nil {
			return
		}
		if again, err := json.Marshal(l); err != nil || !bytes.Equal(again, whole) {
			t.Errorf("%s: accepted as a ledger", what)
		}
	}
	for i := range text {
		for _, b := range []byte{' ', '0', '9', text[i] ^ 1} {
			changed := bytes.Clone(text)
			changed[i] = b
			tampered(fmt.Sprintf("byte %d is %q", i, b), changed)
		}
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for from := range lines {
		for to := from + 1; to <= len(lines); to++ {
			tampered(fmt.Sprintf("without lines %d to %d", from, to),
				bytes.Join([][]byte{bytes.Join(lines[:from], nil), bytes.Join(lines[to:], nil)}, nil))
		}
	}
	put("a/ledger", strings.Replace(string(text), `"epsilon": 1`, `"epsilon": 0.5`, 1))
	if err := publishTo(t, "out", 1); err == nil || !strings.Contains(err.Error(), "a/ledger") ||
		!strings.Contains(err.Error(), "count its whole budget as spent") {
		t.Errorf("an edited ledger: %v", err)
	}
}

// TestMain is a process that publishes until it is killed, if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("PUBLISH_HELPER") != "" {
		testing.Benchmark(func(b *testing.B) {
			for i := 0; ; i++ {
				if err := publishTo(b, fmt.Sprint("out", os.Getpid(), "-", i), 1e-3); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			}
		})
	}
	os.Exit(m.Run())
}

// A process that is killed at any instant leaves no release that the ledger has not counted, and a whole ledger in
// which the next process counts.
func TestNoReleaseWithoutItsEntry(t *testing.T) {
	t.Chdir(t.TempDir())
	put("a/x", "")
	random := rand.New(rand.NewSource(3))
	for kill := range 25 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PUBLISH_HELPER=1")
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		before := len(ledgerOf(t).Releases)
		for deadline := time.Now().Add(time.Minute); len(ledgerOf(t).Releases) == before; {
			if time.Now().After(deadline) {
				t.Fatalf("kill %d: nothing is released: %s", kill, &said)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Duration(random.Intn(8000)) * time.Microsecond)
		cmd.Process.Kill()
		cmd.Wait()
		counted := map[string]bool{}
		for _, e := range ledgerOf(t).Releases {
			counted[e.SHA256] = true
		}
		folders, err := filepath.Glob("out*")
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			text := read(filepath.Join(folder, ReleaseName))
			if text != "" && !counted[fmt.Sprintf("%x", sha256.Sum256([]byte(text)))] {
				t.Errorf("kill %d: %s holds a release that was not counted", kill, folder)
			}
		}
	}
}
