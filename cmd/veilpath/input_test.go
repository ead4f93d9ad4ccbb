package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/cmd/internal/terminal"
	"veilpath/internal/record"
)

const twoStates = "state,action,next,probability,reward\n0,0,1,1,1\n0,1,0,1,1\n1,0,0,1,1\n1,1,1,1,-1\n"

// withInput runs the program with a text on standard input.
func withInput(input string, args ...string) result {
	var stdout, stderr bytes.Buffer
	a := &app{stdin: strings.NewReader(input), stdout: &stdout, stderr: &stderr, disk: record.Disk{}, dots: fewDots}
	code := a.run(context.Background(), args)
	return result{code, stdout.String(), stderr.String()}
}

// A problem on standard input, and one in a compressed file, are read as the same file is.
func TestProblemsFromStandardInputAndCompressed(t *testing.T) {
	dir := t.TempDir()
	plain, zipped := filepath.Join(dir, "p.csv"), filepath.Join(dir, "p.csv.gz")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(twoStates))
	w.Close()
	for path, text := range map[string][]byte{plain: []byte(twoStates), zipped: b.Bytes()} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, verb := range [][]string{
		{"plan", "--discount", "0.9", "--epsilons", "1"},
		{"cost", "--discount", "0.9", "--epsilons", "1", "--runs", "3", "--quiet"},
	} {
		verb = append(verb, "--format", "csv")
		want := withInput("", append(verb, plain)...)
		if want.code != exitDone || want.stdout == "" {
			t.Fatal(want)
		}
		for name, got := range map[string]result{
			"standard input":            withInput(twoStates, append(verb, "-", "--from-format", "csv")...),
			"compressed standard input": withInput(b.String(), append(verb, "-", "--from-format", ".csv.gz")...),
			"compressed":                withInput("", append(verb, zipped)...),
		} {
			if got.code != exitDone || got.stdout != want.stdout {
				t.Errorf("%s %s: exit %d, %s%s; want %s", verb[0], name, got.code, got.stdout, got.stderr, want.stdout)
			}
		}
	}
	table := withInput("left,right\n1,2\n3,4\n", "design", "-", "--from-format", "csv", "--header", "--delta", "1e-5",
		"--adjacency", "1", "--format", "json")
	if table.code != exitDone || !strings.Contains(table.stdout, "sigma") {
		t.Errorf("a table: exit %d, %s%s", table.code, table.stdout, table.stderr)
	}
}

// What standard input and flags cannot be is refused on one line.
func TestMisusedInputAndOutputAreRefused(t *testing.T) {
	for says, args := range map[string][]string{
		"add --from-format with one of .json, .csv":             {"plan", "-"},
		"--from-format txt: not a format of problems; want one": {"plan", "-", "--from-format", "txt"},
		"the format of a file follows from its name":            {"plan", "p.csv", "--from-format", "csv"},
		"stdin.csv: it has no outcomes":                         {"plan", "-", "--from-format", "csv"},
		"--out -: files are written to a folder":                {"run", "--nominal", "--out", "-"},
		"--nominal: there is no direct flight":                  {"run", "--nominal", "--config", "passage"},
	} {
		r := withInput("state,action,next,probability,reward\n", args...)
		if r.code != exitUsage || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != 1 || r.stdout != "" {
			t.Errorf("%v: exit %d, %q; want %q", args, r.code, r.stderr, says)
		}
	}
	if r := withInput(strings.Repeat("0", terminal.LargestInput+1), "plan", "-", "--from-format",
		"csv"); r.code != exitUsage || !strings.Contains(r.stderr, "more than 64 MiB") {
		t.Errorf("too much: exit %d, %q", r.code, r.stderr)
	}
}
