package configs

import (
	"strconv"
	"sync"
	"testing"
)

// Settings that vary one loaded configuration are made on many goroutines at once. The race detector says when
// they write into what they share.
func TestWithSharesNothingThatIsWritten(t *testing.T) {
	loaded, err := Load(Request{Config: "quick", Sets: []string{"study.epsilons=0.5,1"}})
	if err != nil {
		t.Fatal(err)
	}
	var working sync.WaitGroup
	for i := range 8 {
		working.Go(func() {
			runs := strconv.Itoa(i + 1)
			varied, err := loaded.With(Override{Key: "study.runs", Flag: "runs", Value: runs})
			if err != nil {
				t.Error(err)
				return
			}
			if varied.Study.Runs != i+1 || len(varied.Study.Epsilons) != 2 {
				t.Errorf("%d runs at %v, want %s at two epsilons", varied.Study.Runs, varied.Study.Epsilons, runs)
			}
		})
	}
	working.Wait()
}

// Settings laid over others take from those what they do not give. A preset that is named is laid over them whole, the
// default one too.
func TestSettingsAreLaidOverOthers(t *testing.T) {
	below, err := Load(Request{Config: "quick", Sets: []string{"study.seed=7", "study.runs=9"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		over    Request
		want    Study
		origins map[string]string
	}{
		"nothing": {Request{}, below.Study, map[string]string{"study.seed": "flag --set", "study.noise": "preset paper"}},
		"a key": {Request{Sets: []string{"study.seed=8"}}, Study{Seed: 8, Runs: 9},
			map[string]string{"study.seed": "flag --set"}},
		"default preset": {Request{Config: DefaultPreset}, Default().Study,
			map[string]string{"study.seed": "preset paper", "study.runs": "preset paper"}},
	} {
		c.over.Over = below
		loaded, err := Load(c.over)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := loaded.Study; got.Seed != c.want.Seed || got.Runs != c.want.Runs {
			t.Errorf("%s: seed %d, %d runs; want %d, %d", name, got.Seed, got.Runs, c.want.Seed, c.want.Runs)
		}
		for key, want := range c.origins {
			if got := loaded.Origin(key); got != want {
				t.Errorf("%s: %s from %q, want %q", name, key, got, want)
			}
		}
	}
	if below.Study.Seed != 7 {
		t.Error("the settings below were changed")
	}
}
