package terminal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"veilpath/internal/table"
)

// Values are printed with their meanings, which are broken between words.
func TestValuesHaveTheirMeanings(t *testing.T) {
	answer := table.Section{Text: "In words.\n\n", Table: table.List{
		{Name: "sigma", Value: 4.75, Meaning: "noise on every reward, which is a number of its own and takes more than one " +
			"line of a terminal"},
		{Name: "never", Value: math.NaN(), Meaning: "is null"},
		{Name: "flights", Value: 3, Meaning: "a whole number"},
		{Name: "why", Value: "a sentence"},
	}}
	want := "In words.\n\n" +
		"quantity       value  meaning\n" +
		"sigma           4.75  noise on every reward, which is a number of its own and\n" +
		"                      takes more than one line of a terminal\n" +
		"never           none  is null\n" +
		"flights            3  a whole number\n" +
		"why       a sentence\n"
	var text strings.Builder
	p := &Printer{To: &Output{Writer: &text, Columns: 80}, Full: true}
	if err := p.Print(answer); err != nil || text.String() != want {
		t.Errorf("%v\n%s, want\n%s", err, text.String(), want)
	}
}

// A flag accepts numbers with the syntax of settings within its interval, and its error says so.
func TestNumbersOfFlags(t *testing.T) {
	var whole int
	var number float64
	for _, c := range []struct {
		flag interface {
			Set(string) error
			String() string
			wanted() string
		}
		good, bad string // separated by spaces
		wanted    string
	}{
		{Whole(&whole, 3, 1, 200), "1 2e2 200.0", "0 201 1.5 010 x", "a whole number from 1 to 200"},
		{Number(&number, math.NaN(), Share), "0.5 5e-1", "0 1 nan inf", "a number without a unit, above 0 and below 1"},
		{Number(&number, 1, Positive), "1e9 0.1", "0 -1 1km", "a number without a unit, above 0"},
		{Number(&number, 1, Interval{Low: 1, High: 2}), "1 2", "0.99 2.01", "a number without a unit, from 1 to 2"},
		{Number(&number, 1, AnyNumber), "-1e9", "inf", "a number without a unit, such as 0.5"},
	} {
		for text := range strings.FieldsSeq(c.good) {
			if err := c.flag.Set(text); err != nil {
				t.Errorf("%s, %s: %v", c.wanted, text, err)
			}
		}
		before := c.flag.String()
		for text := range strings.FieldsSeq(c.bad) {
			if err := c.flag.Set(text); err == nil || c.flag.String() != before {
				t.Errorf("%s takes %s: %v, %s", c.wanted, text, err, c.flag.String())
			}
		}
		if c.flag.wanted() != c.wanted {
			t.Errorf("%q, want %q", c.flag.wanted(), c.wanted)
		}
	}
}

func TestBuiltFrom(t *testing.T) {
	const version = "0.1"
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	commit := setting("vcs.revision", "0123456789abcdef0123")
	for want, info := range map[string]*debug.BuildInfo{
		version + " (commit unknown, go1.26)": {GoVersion: "go1.26"},
		version + " (commit 0123456789ab, go1.26)": {GoVersion: "go1.26",
			Settings: []debug.BuildSetting{commit, setting("vcs.modified", "false")}},
		version + " (commit 0123456789ab with changes, go1.26)": {GoVersion: "go1.26",
			Settings: []debug.BuildSetting{commit, setting("vcs.modified", "true")}},
	} {
		if got := builtFrom(version, info, true); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// An error mentions an interruption once, and not in Go's words.
func TestInterruptionsAreReportedOnce(t *testing.T) {
	for want, err := range map[string]error{
		"interrupted": context.Canceled,
		"interrupted; what is done is kept: go on": fmt.Errorf("%w; what is done is kept: go on", context.Canceled),
		"interrupted: stopped after 8 runs":        fmt.Errorf("stopped after 8 runs: %w", context.Canceled),
		"interrupted before the answer":            fmt.Errorf("interrupted before the answer: %w", context.Canceled),
		"a.yaml: interrupted while reading it; name more": fmt.Errorf("a.yaml: interrupted while reading it: %w; name more",
			context.Canceled),
		"context canceled: is no interruption": errors.New("context canceled: is no interruption"),
	} {
		if got := formatError(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
