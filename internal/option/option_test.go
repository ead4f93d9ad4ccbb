package option_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"veilpath/internal/option"
)

func flag(name string) string { return "--" + name }

func ExampleErrorf() {
	err := option.Errorf("{runs} %d: want at least 1", 0)
	fmt.Println(err)
	fmt.Println(option.Text(err, func(name string) string { return "--" + name }))
	// Output:
	// runs 0: want at least 1
	// --runs 0: want at least 1
}

// Options are written also in wrapped errors, and braces in arguments stay.
func TestText(t *testing.T) {
	inner := option.Errorf("{out} %s: %w; leave {keep-goal} out", "{out} 100%", fs.ErrNotExist)
	same := option.Errorf("out: want {out}")
	for name, c := range map[string]struct {
		err         error
		plain, text string
	}{
		"alone": {inner, "out {out} 100%: file does not exist; leave keep-goal out",
			"--out {out} 100%: file does not exist; leave --keep-goal out"},
		"wrapped": {fmt.Errorf("a out: %w {out}", same), "a out: out: want out {out}", "a out: out: want --out {out}"},
		"in its own": {option.Errorf("{force}: %w", fmt.Errorf("deep: %w", same)), "force: deep: out: want out",
			"--force: deep: out: want --out"},
		"joined": {errors.Join(same, same), "out: want out\nout: want out", "out: want --out\nout: want --out"},
		"two": {fmt.Errorf("%w; %w", same, inner), "out: want out; " + inner.Error(),
			"out: want --out; " + option.Text(inner, flag)},
		"other":  {fs.ErrExist, "file already exists", "file already exists"},
		"hidden": {option.Errorf("{set}: %v", same), "set: out: want out", "--set: out: want --out"},
	} {
		if c.err.Error() != c.plain || option.Text(c.err, flag) != c.text {
			t.Errorf("%s:\n%q and\n%q, want\n%q and\n%q", name, c.err, option.Text(c.err, flag), c.plain, c.text)
		}
	}
	percent := func(name string) string { return "%" + name + "%d" }
	if got := option.Text(inner, percent); !strings.HasPrefix(got, "%out%d {out}") {
		t.Errorf("%q: a name is taken for a format", got)
	}
	if !errors.Is(fmt.Errorf("in: %w", inner), fs.ErrNotExist) {
		t.Error("the error does not wrap its cause")
	}
}
