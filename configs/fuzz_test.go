package configs

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// accepted checks what Load promises: an accepted Config comes back from its own YAML, and a
// refusal is made of one-line errors.
func accepted(t *testing.T, r Request) {
	t.Helper()
	loaded, err := Load(r)
	if err != nil {
		var first *Error
		if !errors.As(err, &first) {
			t.Fatalf("%T: %v", err, err)
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok || len(joined.Unwrap()) != strings.Count(err.Error(), "\n")+1 {
			t.Fatalf("not one line for each error: %q", err)
		}
		return
	}
	for _, text := range [][]byte{loaded.YAML(), loaded.Commented()} {
		again, err := Load(Request{Config: "my.yaml", ReadFile: reading(string(text))})
		if err != nil {
			t.Fatalf("its own YAML is refused: %v", err)
		}
		if !bytes.Equal(again.YAML(), loaded.YAML()) || again.SHA256() != loaded.SHA256() {
			t.Fatalf("comes back as\n%s", again.YAML())
		}
	}
}

func FuzzLoadYAML(f *testing.F) {
	for _, p := range Presets() {
		f.Add([]byte(p.YAML))
	}
	for _, text := range []string{"", "sim: {step_s: 1e-2}", "a: &a [*a]", "? {a: b}\n: c", "sim:\n  <<: {}\n",
		"--- 1\n--- 2", "study: {epsilons: 1:2:0.5}",
		"study.epsilons: [.inf, 0x1, 1_0, !!str 2, \"3\", |\n  x\n]",
		"vehicle: {heading: \"line_of_sight\", start_km: -200,-50,10}", "%YAML 1.1\n---\nsim: !!map {}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		accepted(t, Request{Config: "my.yaml", ReadFile: reading(string(text))})
	})
}

func FuzzSet(f *testing.F) {
	for _, set := range []string{"privacy.epsilon=1", "study.epsilons=0.2:4:0.2", "vehicle.start_km=[-200,-50,10]",
		"vehicle.heading=-0.0", "=", "a", "sim.step_s= 1e-5 ",
		"target_km=[[],1]", "study.seed=1e15", "planner.start_cell=0,0", "study.noise=\xff",
		"planner.keep_out=[[3,4],[5,6,7,8]]", "planner.goals=[[3,4],[10,2]]", "adversary.candidates=16:11,3:4",
		"adversary.candidates=beyond 20km",
		"adversary.prior=1,2:3", "planner.rewards=1,2\n3,4", "planner.moves=8"} {
		f.Add(set)
	}
	f.Fuzz(func(t *testing.T, set string) {
		accepted(t, Request{Sets: []string{set}})
		key, value, _ := strings.Cut(set, "=")
		accepted(t, Request{Environ: []string{environmentName(key) + "=" + value}})
	})
}

func FuzzParseRange(f *testing.F) {
	for _, text := range []string{"0.2:4:0.2", "1,2,3", "1e300:1e301:1e299", "-1:1:.5", "5:1:-2", ":::", "1e-999:2:1",
		"nan"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, err := ParseRange(text)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("not one line: %q", err)
			}
			return
		}
		if len(values) == 0 || len(values) > maxValues {
			t.Fatalf("%d values", len(values))
		}
		for i, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) || slices.Contains(values[:min(i, 100)], v) {
				t.Fatalf("value %d is %v", i, v)
			}
		}
		if strings.Contains(text, ":") && len(values) > 2 && (values[1] > values[0]) != (values[2] > values[1]) {
			t.Fatalf("not in order: %v", values[:3])
		}
	})
}
