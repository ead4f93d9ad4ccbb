package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/record"
)

func TestRunMistakes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, killed, missing, damaged := filepath.Join(dir, "study"), filepath.Join(dir, "killed"),
		filepath.Join(dir, "missing"), filepath.Join(dir, "damaged")
	sweep := []string{"--sweep", "vehicle.speed_km_s=1.6,1.7"}
	for _, folder := range []string{out, missing, damaged} {
		if r := studyIn(t, folder, sweep...); r.code != exitDone {
			t.Fatal(r.stderr)
		}
	}
	cutShort(t, killed, "--epsilons", "2", "--runs", "5000")
	if err := os.Remove(filepath.Join(missing, record.RunsName)); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(damaged, record.RunsName), 99); err != nil {
		t.Fatal(err)
	}
	point := "--epsilon 2 --set vehicle.speed_km_s=1.7 "
	before := results(t, out)
	for _, c := range []struct {
		args string
		code int
		says []string
	}{
		{"--nominal --epsilon 1", exitUsage, []string{"--epsilons and --nominal exclude each other", "leave one out"}},
		{"--nominal --run 1", exitUsage, []string{"--run and --nominal exclude each other"}},
		{"--nominal --from " + out, exitUsage, []string{"--from and --nominal exclude each other"}},
		{"--from=", exitUsage, []string{"--from", "an empty value"}},
		{point + "--format foo --from " + out, exitUsage, []string{"--format foo", "table, csv or json"}},
		{point + "--set vehicle.speed_km_s=1.6 --from " + out, exitUsage,
			[]string{"--set vehicle.speed_km_s is given twice"}},
		{point + "--run 1400 --from " + out, exitUsage, []string{"--run 1400", "the recorded runs are 0 to 19"}},
		{point + "--run -1 --from " + out, exitUsage, []string{"--run -1", "from 0"}},
		{point + "--from " + out + " --force --out " + out, exitUsage, []string{"contains the study"}},
		{point + "--from " + dir, exitUsage, []string{"holds no manifest.json", "name the folder of a study"}},
		{point + "--from " + missing, exitFailed, []string{"missing: " + record.RunsName, "restore it"}},
		{point + "--from " + damaged, exitFailed, []string{"changed: " + record.RunsName, "restore it"}},
		{"--from " + killed, exitFailed, []string{"unfinished", "veilpath study --resume --out " + killed}},
	} {
		r := veilpath(t, append([]string{"run"}, strings.Fields(c.args)...)...)
		if r.code != c.code || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit %d and one line", c.args, r.code, r.stdout, r.stderr, c.code)
		}
		for _, part := range c.says {
			if !strings.Contains(r.stderr, part) {
				t.Errorf("%s: message lacks %q: %s", c.args, part, r.stderr)
			}
		}
	}
	sameResults(t, before, out)
}
