package external

import (
	"strings"
	"testing"
	"time"
)

// A line that is no JSON is quoted, and the error says where other text belongs. Names of values that JSON lacks are
// found only where a value stands.
func TestLinesThatAreNoAnswers(t *testing.T) {
	const aside, noNumber = "print other text to standard error", "NaN, None or Infinity, which JSON does not have"
	for line, want := range map[string]string{
		"I am confused":                   aside,
		"debug: run 7":                    aside,
		"None of this is an answer":       aside,
		"NaN":                             aside,
		"Note: NaN, Infinity":             aside,
		"7 runs are done":                 aside,
		"[INFO] [Infinity mode]":          aside,
		"":                                aside,
		`{"goal":[1,`:                     aside,
		`{"goal":[1,N]}`:                  aside,
		`{"error": None}`:                 noNumber,
		`{"goal":[1,NaN]}`:                noNumber,
		`{"rewards":[[1, -Infinity]]}`:    noNumber,
		`{"goal":[1.5,2]}`:                "goal is number 1.5; want a whole number",
		`{"gole":[1,2]}`:                  "unknown field",
		`{"goal":[1,2]} and then some`:    "more than one JSON value",
		`{"goal":[1,2],"error":Infinity}`: noNumber,
	} {
		_, err := parseAnswer([]byte(line), MechanismRole, 1)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), quoted([]byte(line))) ||
			strings.Contains(err.Error(), aside) != (want == aside) {
			t.Errorf("%q: %v, want %q and the line", line, err, want)
		}
	}
}

// A command of the other role is told from a hello that is wrong otherwise.
func TestCommandsOfTheOtherRole(t *testing.T) {
	const mechanism = "it is a mechanism, and is used as an observer"
	const observer = "it is an observer, and is used as a mechanism"
	for _, c := range []struct {
		says, want string
		role       Role
	}{
		{`,"role":"mechanism"`, mechanism, ObserverRole},
		{`,"guarantee":"epsilon"`, mechanism, ObserverRole},
		{`,"role":"observer"`, observer, MechanismRole},
		{`,"every":3`, observer, MechanismRole},
		{`,"answers":"posterior"`, observer, MechanismRole},
		{`,"role":"both"`, `its role is "both"; want "mechanism"`, MechanismRole},
		{`,"role":"mechanism","guarantee":"epsilon"`, "", MechanismRole},
		{`,"role":"observer","every":3`, "", ObserverRole},
		{"", "", ObserverRole},
	} {
		_, err := parseHello([]byte(`{"hello":{"protocol":1,"name":"x"`+c.says+`}}`), c.role)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %v, want %q", c.says, c.role, err, c.want)
		}
	}
}

// An observer that follows a command in a list is taken for a part of the command, and its error says so.
func TestCommandsComeLast(t *testing.T) {
	const hint = "a command comes last in a list, so "
	for line, want := range map[string]string{"exit 2; ahead,ballistic": hint + "ballistic was", "exit 2; a,moves": hint +
		"moves was", "exit 2; a,b": "", "exit 2": ""} {
		_, err := Start(line, ObserverRole, time.Minute)
		if err == nil || strings.Contains(err.Error(), hint) != (want != "") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// The error for a program that the shell does not find says what to check.
func TestAProgramThatIsNotFound(t *testing.T) {
	if _, err := Start("no-such-program-of-veilpath", MechanismRole, time.Minute); err == nil ||
		!strings.Contains(err.Error(), "; check the name of the program, and that it is on the PATH") {
		t.Error(err)
	}
}
