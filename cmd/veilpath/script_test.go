package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts of testdata compare screens with")

// TestMain lets the test binary be the program in scripts, and in tests that kill processes.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"veilpath": func() { os.Exit(program(fewDots)) }})
}

// tests are the tests of this package, in a process that seldom collects its garbage: what is kept is little, and
// marked again and again.
type tests struct{ *testing.M }

func (t tests) Run() int {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(256 << 20)
	return t.M.Run()
}

// The scripts in testdata/script run the program as people do. Besides the commands of testscript they have those
// below.
func TestScript(t *testing.T) {
	t.Parallel()
	runScripts(t, "testdata/script")
}

// runScripts runs the scripts of a folder.
func runScripts(t *testing.T, folder string) {
	testscript.Run(t, testscript.Params{
		Dir:             folder,
		UpdateScripts:   *update,
		ContinueOnError: true,
		Setup: func(env *testscript.Env) error {
			program, err := exec.LookPath("veilpath")
			env.Setenv("ONLY_VEILPATH", filepath.Dir(program)) // a PATH without the Go toolchain
			env.Setenv("GOGC", "off")                          // the limit is enough
			env.Setenv("GOMEMLIMIT", "200MiB")
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "refuses": refuses, "json": checkJSON, "same": same, "replace": replace, "cut": cut,
		},
	})
}

// usageOf fails a script where a command has too few arguments, or a ! that it does not take.
func usageOf(ts *testscript.TestScript, neg, ok bool, usage string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

// runs runs the program and returns its exit code.
func runs(ts *testscript.TestScript, args []string) int {
	err := ts.Exec("veilpath", args...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return exitDone
}

// exits CODE ARGUMENT... runs the program, which ends with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, len(args) > 0, "exits CODE ARGUMENT...")
	if code := runs(ts, args[1:]); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// refuses PATTERN ARGUMENT... runs the program, which ends with the exit code of a mistake in the command line and one
// line of an error that matches, perhaps after remarks, and prints nothing else.
func refuses(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, len(args) > 0, "refuses PATTERN ARGUMENT...")
	code := runs(ts, args[1:])
	remarks, says, _ := strings.Cut(ts.ReadFile("stderr"), "veilpath: ")
	switch found, err := regexp.MatchString("(?m)"+args[0], says); {
	case err != nil:
		ts.Fatalf("%v", err)
	case code != exitUsage, !found, strings.Count(says, "\n") != 1, ts.ReadFile("stdout") != "":
		ts.Fatalf("exit code %d and\n%s%s%s\nwant %d and one line of an error with %q", code, ts.ReadFile("stdout"),
			remarks, says, exitUsage, args[0])
	}
}

// json FILE PATH [WANT] finds a value in a file: .a.0.b goes through keys and indices, of which -1 is the last, and len
// is the number of entries. Without WANT it is there; ! json says that it is not. WANT is a text, a number, ~NUMBER for
// one within a thousandth of that, LOW..HIGH for one between these, or the path of an equal value.
func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg && len(args) != 2, len(args) == 2 || len(args) == 3, "json FILE .path [WANT]")
	var all any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &all); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
	value, found := valueAt(all, args[1])
	if found == neg {
		ts.Fatalf("%s is there: %v, %v", args[1], found, value)
	}
	if len(args) < 3 {
		return
	}
	equal := matches(value, args[2])
	if strings.HasPrefix(args[2], ".") {
		other, found := valueAt(all, args[2])
		equal = found && reflect.DeepEqual(value, other)
	}
	if !equal {
		ts.Fatalf("%s is %v, want %s", args[1], value, args[2])
	}
}

// valueAt returns what is at a path in a value of JSON.
func valueAt(value any, path string) (any, bool) {
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		switch v := value.(type) {
		case map[string]any:
			var found bool
			if value, found = v[key]; !found {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(key)
			switch {
			case key == "len":
				value = float64(len(v))
				continue
			case i < 0:
				i += len(v)
			}
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

// matches reports whether a value is the wanted one, near it, or within a range.
func matches(value any, want string) bool {
	number, is := value.(float64)
	if !is {
		return fmt.Sprint(value) == strings.ReplaceAll(want, "null", "<nil>")
	}
	near, isNear := strings.CutPrefix(want, "~")
	low, high, isRange := strings.Cut(near, "..")
	if !isRange {
		high = low
	}
	least, err := strconv.ParseFloat(low, 64)
	most, failed := strconv.ParseFloat(high, 64)
	if isNear {
		least, most = least-math.Abs(least)/1000, most+math.Abs(most)/1000
	}
	return err == nil && failed == nil && least <= number && number <= most
}

// same FOLDER FOLDER compares two folders of results, but for what tells calls of the program apart.
func same(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, len(args) == 2, "same FOLDER FOLDER")
	want, err := resultsIn(ts.MkAbs(args[0]))
	ts.Check(err)
	got, err := resultsIn(ts.MkAbs(args[1]))
	ts.Check(err)
	if differing := unlike(want, got); differing != "" {
		ts.Fatalf("%s and %s differ:%s", args[0], args[1], differing)
	}
}

// replace FILE OLD NEW changes a text in a file, once.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	usageOf(ts, neg, len(args) == 3, "replace FILE OLD NEW")
	before := ts.ReadFile(args[0])
	after := strings.Replace(before, args[1], args[2], 1)
	if after == before {
		ts.Fatalf("%s lacks %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(after), 0o666))
}

// cut SIGNAL PIECES FOLDER ARGUMENT... runs the program with --out FOLDER and sends it a signal as soon as it has kept
// so many pieces of its work. It ends with the exit code of an interruption, unless it is killed. On a busy machine the
// work may be done before the signal comes; it is then done anew.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	signal, known := map[string]os.Signal{"KILL": os.Kill, "INT": os.Interrupt, "TERM": syscall.SIGTERM,
		"HUP": syscall.SIGHUP}[args[0]]
	pieces, err := strconv.Atoi(args[1])
	usageOf(ts, neg, known && err == nil && len(args) > 3, "cut KILL|INT|TERM|HUP PIECES FOLDER ARGUMENT...")
	folder, want := ts.MkAbs(args[2]), exitInterrupted
	if signal == os.Kill {
		want = -1
	}
	var stdout, stderr bytes.Buffer
	var code int
	for range 20 {
		ts.Check(os.RemoveAll(folder))
		stdout.Reset()
		stderr.Reset()
		work := exec.Command("veilpath", append(args[3:], "--out", folder)...)
		work.Dir, work.Stdout, work.Stderr = ts.MkAbs("."), &stdout, &stderr
		ts.Check(work.Start())
		ts.Check(awaitPieces(folder, pieces))
		work.Process.Signal(signal) // fails if it has ended
		work.Wait()
		if code = work.ProcessState.ExitCode(); code != exitDone {
			break
		}
	}
	ts.Stdout().Write(stdout.Bytes())
	ts.Stderr().Write(stderr.Bytes())
	if code != want {
		ts.Fatalf("exit code %d, want %d: %s", code, want, &stderr)
	}
}
