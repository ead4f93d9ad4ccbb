package main

import (
	"path/filepath"
	"strings"
	"testing"

	"veilpath/internal/flightfile"
	"veilpath/internal/record"
)

// A study of a range holds, at its listed epsilons, the flights of a study of the list, and any flight of the range can
// be flown again.
func TestStudyOfARange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	fly := func(name string, flags ...string) {
		t.Helper()
		if r := veilpath(t, append([]string{"study", "--runs", "30", "--quiet", "--out", in(name)},
			flags...)...); r.code != exitDone {
			t.Fatalf("%s: exit %d, %s", name, r.code, r.stderr)
		}
	}
	fly("whole", "--epsilons", "0.2..4,1,0.3")
	fly("list", "--epsilons", "1,0.3")
	whole, list := results(t, in("whole")), results(t, in("list"))
	for _, name := range []string{record.RunsName, flightfile.SummaryName} {
		if whole[name] != list[name] {
			t.Errorf("%s of the range is not that of the list", name)
		}
	}
	if _, ok := list[record.AxisName]; ok || whole[record.AxisName] == "" {
		t.Error("a list has an axis, or a range has none")
	}

	if r := veilpath(t, "run", "--from", in("whole"), "--run", "7", "--epsilon", "0.37123"); r.code != exitDone ||
		!strings.Contains(r.stderr, "identical to") {
		t.Errorf("a flight between the listed epsilons: exit %d, %s", r.code, r.stderr)
	}
	if r := veilpath(t, "run", "--from", in("whole"), "--run", "7", "--epsilon", "5"); r.code != exitUsage ||
		!strings.Contains(r.stderr, "0.2..4") {
		t.Errorf("a flight off the range: exit %d, %s", r.code, r.stderr)
	}
}

// Where a run has no axis, a range that is requested is refused.
func TestRangeIsRefusedWhereThereIsNone(t *testing.T) {
	for flags, want := range map[string]string{
		"--noise independent":                 "study.noise independent",
		"--set privacy.handover_spread_km=10": "privacy.handover_spread_km",
		"--observer ballistic,mechanism":      "observer mechanism",
	} {
		r := veilpath(t, append([]string{"study", "--epsilons", "0.2..4", "--runs", "2", "--out", t.TempDir()},
			strings.Fields(flags)...)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, want) || !strings.Contains(r.stderr, "list epsilons") ||
			strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", flags, r.code, r.stderr)
		}
	}
}

// Whatever keeps tune from following epsilon is named, with what to do about it.
func TestTuneNamesWhatItCannotFollow(t *testing.T) {
	for flags, want := range map[string]string{
		"--max-cost 5% --set privacy.mechanism=goal":           "--max-cost: privacy.mechanism goal",
		"--hidden-until 56 --set privacy.mechanism=goal":       "--hidden-until: privacy.mechanism goal",
		"--hidden-until 56 --set privacy.handover_spread_km=5": "--hidden-until: with privacy.handover_spread_km",
		"--max-cost 5% --set vehicle.heading=random":           "--max-cost: with vehicle.heading random",
		"--max-cost 5% --observer mechanism":                   "--max-cost: observer mechanism",
		"--hidden-until 56 --max-cost 5% --set vehicle.heading=random": "--hidden-until and --max-cost: with " +
			"vehicle.heading random",
	} {
		r := veilpath(t, append([]string{"tune", "--runs", "2", "--out", t.TempDir()}, strings.Fields(flags)...)...)
		if r.code != exitUsage || !strings.Contains(r.stderr, want) || !strings.Contains(r.stderr, "; use ") &&
			!strings.Contains(r.stderr, "; set ") || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q", flags, r.code, r.stderr)
		}
	}
}
