package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// untilJSON is what a study with --until prints of it.
type untilJSON struct {
	Runs     int     `json:"runs"`
	Complete bool    `json:"complete"`
	UntilKm  float64 `json:"until_km"`
	Unmet    *int    `json:"unmet"`
}

func TestUntilSaysWhetherItWasReached(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		until       string
		km          float64
		code, unmet int
	}{{"2km", 2, exitFailed, 2}, {"40km", 40, exitDone, 0}} {
		out := filepath.Join(t.TempDir(), "study")
		flags := []string{"study", "--out", out, "--epsilons", "0.4,4", "--runs", "50", "--until", c.until, "--quiet",
			"--format", "json"}
		for _, args := range [][]string{flags, flags} {
			r := veilpath(t, args...)
			var got untilJSON
			if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
				t.Fatal(err, r.stderr)
			}
			if r.code != c.code || !got.Complete || got.UntilKm != c.km || got.Unmet == nil || *got.Unmet != c.unmet {
				t.Errorf("%s: exit %d, %s; want exit %d, %g km, %d unmet", c.until, r.code, r.stdout, c.code, c.km, c.unmet)
			}
			if c.unmet == 0 {
				continue
			}
			for _, part := range []string{"2 of 2 epsilons", "2 km after 50 runs",
				"allow more with --runs 500 --out " + out} {
				if !strings.Contains(r.stderr, part) || strings.Count(r.stderr, "\n") != 1 {
					t.Errorf("%s: %q lacks %q, or is not one line", c.until, r.stderr, part)
				}
			}
		}
	}
	if r := studyIn(t, filepath.Join(t.TempDir(), "study"), "--format", "json"); strings.Contains(r.stdout, "unmet") {
		t.Error("a study without --until speaks of it")
	}
}

// However many runs were allowed before, the study ends with the bytes of one that allowed as many at once.
func TestUntilGoesOnWithOtherRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		settings    []string
		first, then string
	}{
		// The first round is of 256 runs, of which 3 km take 337 at epsilon 4, and 432 at 0.4.
		"within the first round": {[]string{"--until", "3km"}, "40", "3000"},
		"within a later round":   {[]string{"--until", "3km", "--epsilons", "0.4,4"}, "300", "3000"},
		"still not enough":       {[]string{"--until", "3km"}, "300", "320"},
		"more than needed":       {[]string{"--until", "9km"}, "3000", "5000"},
		"sweep":                  {[]string{"--until", "9km", "--sweep", "vehicle.speed_km_s=1.6,1.7"}, "40", "3000"},
	} {
		t.Run(name, func(t *testing.T) {
			settings := append([]string{"study", "--epsilons", "4", "--quiet"}, c.settings...)
			whole, grown := filepath.Join(dir, name, "whole"), filepath.Join(dir, name, "grown")
			at := veilpath(t, append(settings, "--runs", c.then, "--out", whole)...)
			want := results(t, whole)
			veilpath(t, append(settings, "--runs", c.first, "--out", grown)...)
			if r := veilpath(t, append(settings, "--runs", c.then, "--out", grown)...); r.code != at.code {
				t.Fatalf("exit %d, want %d: %s", r.code, at.code, r.stderr)
			}
			sameResults(t, want, grown)
			if name != "within a later round" {
				return
			}
			veilpath(t, append(settings, "--runs", c.first, "--out", grown, "--force")...)
			veilpath(t, append(settings, "--resume", "--runs", c.then, "--out", grown)...) // all flags repeated
			sameResults(t, want, grown)
		})
	}
}

// A half-width that is known before the first flight asks for nothing, and one that no flights reach for too
// much.
func TestUntilMustAskForSomethingThatCanBe(t *testing.T) {
	for until, says := range map[string]string{
		"5000km":     "want a half-width below",
		"1e-300km":   "1000000 runs are too few for this",
		"0.000001km": "1000000 runs are too few for this",
	} {
		out := filepath.Join(t.TempDir(), "study")
		r := veilpath(t, "study", "--until", until, "--out", out)
		if r.code != exitUsage || !strings.Contains(r.stderr, says) || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q; want exit %d and %s", until, r.code, r.stderr, exitUsage, says)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the folder was made all the same", until)
		}
	}
}
