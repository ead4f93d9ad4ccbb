package exec

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

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

// A command of the other role is told from a hello that is wrong otherwise.
func TestCommandsOfTheOtherRole(t *testing.T) {
	const mechanism, observer = "it is used as observer", "it is used as mechanism"
	for _, c := range []struct {
		says, want string
		role       Role
	}{
		{`,"role":"mechanism"`, mechanism, observerRole},
		{`,"guarantee":"epsilon"`, mechanism, observerRole},
		{`,"role":"observer"`, observer, MechanismRole},
		{`,"every":3`, observer, MechanismRole},
		{`,"answers":"posterior"`, observer, MechanismRole},
		{`,"role":"both"`, observer, MechanismRole},
		{`,"role":"mechanism","guarantee":"epsilon"`, "", MechanismRole},
		{`,"role":"observer","every":3`, "", observerRole},
		{"", "", observerRole},
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

// An observer that follows a command in a list is taken for a part of the command, and its error says so.
func TestCommandsComeLast(t *testing.T) {
	const hint = "a command comes last in a list"
	for line, want := range map[string]bool{"exit 2; ahead,ballistic": true, "exit 2": false} {
		_, err := Start(line, observerRole, time.Minute)
		if err == nil || strings.Contains(err.Error(), hint) != want {
			t.Errorf("%s: %v", line, err)
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
