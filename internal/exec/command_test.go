package exec

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"veilpath/planner/privacy"
	"veilpath/sim"
)

// greeting answers a hello in sh, with a version.
func greeting(version string) string {
	return `echo '{"hello":{"protocol":1,"name":"x","version":"` + version + `"}}'; `
}

// started starts a command that ends with the test.
func started(t *testing.T, line string) *Command {
	t.Helper()
	c, err := Start(line, MechanismRole, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A process that knows the mission is preferred, so that a mission is described once to each process.
func TestMissionsAreDescribedOnce(t *testing.T) {
	c := &Command{idle: []*process{{mission: 1}, {mission: 2}}}
	if p, err := c.get(2); err != nil || p.mission != 2 {
		t.Errorf("mission 2 goes to a process that knows %v, %v", p.mission, err)
	}
}

// A line is started once in each role.
func TestALineIsStartedOnce(t *testing.T) {
	var all Commands
	defer all.Close()
	line := "while read line; do " + greeting("1") + "done"
	for range 2 {
		if _, err := all.Mechanism(line, time.Minute); err != nil {
			t.Fatal(err)
		}
		if _, err := all.Observer(line, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(all.Started()); n != 2 {
		t.Errorf("%d commands were started, want 2", n)
	}
}

// A line that comes shortly after the answer is not taken for the next answer. On a busy machine it may come too late,
// so several processes try.
func TestALateLineIsNoAnswer(t *testing.T) {
	var err error
	for range 20 {
		c := started(t, "while read line; do "+greeting("1")+"sleep 0.003; echo more; done")
		if _, err = c.idle[0].ask("a message", time.Minute, 0); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), `printed "more"`) {
		t.Error(err)
	}
}

// All processes of a command introduce themselves alike.
func TestProcessesHaveOneHello(t *testing.T) {
	file := filepath.Join(t.TempDir(), "starts")
	c := started(t, "echo >>"+file+"; read line; "+greeting("'$(wc -l <"+file+")'")+"cat")
	if _, err := c.start(); err == nil || !strings.Contains(err.Error(), "calls itself x 2, and another one x 1") {
		t.Error(err)
	}
}

// A command may do what is left when its standard input has ended. What it leaves running is killed.
func TestTheEndOfACommand(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace")
	c := started(t, "(while sleep 0.02; do echo x >>"+trace+"; done) >&2 2>&- & while read line; do "+greeting("1")+
		"done; echo done >>"+trace)
	c.Close()
	before, err := os.ReadFile(trace)
	if err != nil || !strings.Contains(string(before), "done") {
		t.Fatalf("%q, %v", before, err)
	}
	time.Sleep(300 * time.Millisecond)
	if after, err := os.ReadFile(trace); err != nil || len(after) != len(before) {
		t.Errorf("what it started goes on: %q, %v", after, err)
	}
}

// The seed of an observer is the FNV-1a hash of the seed of the study and of the visited waypoints.
func TestSeedsOfObservers(t *testing.T) {
	const want = uint64(18241426611146402671) // of "7 12 13"
	h := &sim.History{Visits: []sim.Visit{{State: 12}, {State: 13}}}
	if got := seedOf(7, h); got != want {
		t.Errorf("the seed is %d, want %d", got, want)
	}
}

// What is answered for an action that a state lacks does not count.
func TestLackedActionsHaveNoRewards(t *testing.T) {
	got := make([]float64, 2)
	err := given{5, 6}.Privatize(got, &privacy.Rewards{Joint: []float64{math.Inf(-1), 1}}, guarantee, nil)
	if err != nil || !math.IsInf(got[0], -1) || got[1] != 6 {
		t.Errorf("%v, %v", got, err)
	}
}

// Probabilities that were printed with few digits are made to sum to 1.
func TestProbabilitiesSumToOne(t *testing.T) {
	row := []float64{0.3333333, 0.6666666}
	if err := normalize(row, 2); err != nil || math.Abs(row[0]+row[1]-1) > 1e-15 || math.Abs(row[0]-1./3) > 1e-7 {
		t.Errorf("%v, %v", row, err)
	}
}

// A command that goes on after its standard input has ended is killed, with all that it started.
func TestCloseKills(t *testing.T) {
	c := started(t, "trap '' PIPE; sleep 1000 & read line; "+greeting("1")+"sleep 1000")
	start := time.Now()
	if c.Close(); time.Since(start) > 30*time.Second {
		t.Errorf("it took %v", time.Since(start))
	}
}

// The error of a line that is no answer says where other text belongs, or what is wanted.
func TestLinesThatAreNoAnswers(t *testing.T) {
	const aside = "print other text to standard error, and note that JSON has no NaN and no Infinity"
	for line, want := range map[string]string{
		"I am confused":                aside,
		"debug: run 7":                 aside,
		"7 runs are done":              aside,
		"":                             aside,
		`{"goal":[1,`:                  aside,
		`{"rewards":[[1, -Infinity]]}`: aside,
		`{"goal":[1.5,2]}`:             "goal: json: cannot unmarshal number 1.5 into Go value of type int",
		`{"gole":[1,2]}`:               `want one of "rewards"`,
		`{"goal":[1,2]} and then some`: aside,
		`{"goal":[1,2],"id":7}`:        "it is the answer to request 7; want that to request 1",
	} {
		a, err := parse([]byte(line), 1, forms)
		if err == nil {
			err = a.decode(new([]int))
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

// Fields that are null count as left out.
func TestNullIsNoAnswer(t *testing.T) {
	if a, err := parse([]byte(`{"goal":[1,2],"id":1,"error":null}`), 1, forms); err != nil || a.field != "goal" {
		t.Errorf("%v, %v", a, err)
	}
}

// A hello that is wrong is refused, as is that of a command of the other role.
func TestHelloIsChecked(t *testing.T) {
	const other = " and its hello is that of another role"
	for _, c := range []struct {
		role       Role
		says, want string
	}{
		{observerRole, `,"role":"mechanism"`, other},
		{observerRole, `,"guarantee":"epsilon"`, other},
		{MechanismRole, `,"role":"observer"`, other},
		{MechanismRole, `,"role":"both"`, other},
		{MechanismRole, `,"every":3`, other},
		{MechanismRole, `,"answers":"posterior"`, other},
		{MechanismRole, `,"role":"mechanism","guarantee":"epsilon"`, ""},
		{observerRole, `,"role":"observer","every":3`, ""},
		{observerRole, "", ""},
		{MechanismRole, `,"protocol":2`, "speaks protocol 2; want 1"},
		{MechanismRole, `,"name":""`, "want a name"},
		{MechanismRole, `,"version":"` + strings.Repeat("1", 41) + `"`, "want a name"},
		{MechanismRole, `,"name":"a,b"`, "without comma"},
		{MechanismRole, `,"name":"input"`, "not built in"},
		{observerRole, `,"name":"geometry"`, "not built in"},
		{MechanismRole, `,"surprise":1`, "unknown field"},
		{MechanismRole, `,"meaning":"two\nlines"`, "one line"},
		{MechanismRole, `,"deterministic":"perhaps"`, "cannot unmarshal string into Go struct field Hello.deterministic"},
		{observerRole, `,"answers":"guesses"`, "want answers"},
		{observerRole, `,"every":-1`, "want answers"},
	} {
		var h Hello
		err := answer{"hello", []byte(`{"protocol":1,"name":"x"` + c.says + `}`)}.decode(&h)
		if err == nil {
			err = h.check(c.role)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %v, want %q", c.says, c.role, err, c.want)
		}
	}
}

// The error of a command that does not introduce itself says why.
func TestCommandsThatDoNotStart(t *testing.T) {
	const last = "a command comes last in a list"
	for line, want := range map[string]string{
		"exit 2; ahead,ballistic":   last,
		"exit 5":                    "hello: it ended without an answer: exit status 5",
		"no-such-command-here":      "not found",
		"read line; echo computing": `the line was "computing"`,
	} {
		_, err := Start(line, observerRole, time.Minute)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), last) != (want == last) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// A command that floods, with one line or with many, ends after little: no line is read before the one before it is
// taken, and the hello has an end.
func TestFloodsAreBounded(t *testing.T) {
	for line, want := range map[string]string{
		"tr '\\0' x </dev/zero":     "its answer is longer than 16384 bytes",
		"yes":                       `the line was "y"`,
		"tr '\\0' x </dev/zero >&2": "did not answer within",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Start(line, MechanismRole, 2*time.Second)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.200v, want %q", line, err, want)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 8 {
			t.Errorf("%s: %d MB", line, mb)
		}
	}
}
