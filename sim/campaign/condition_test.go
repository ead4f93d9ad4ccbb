package campaign

import (
	"math"
	"strings"
	"testing"

	"veilpath/sim/study"
)

func TestConditions(t *testing.T) {
	d := study.Contrast{Name: "mean_km", A: 50, B: 52, Difference: 2, Low: 0.5, High: 3.5}
	fall := study.Contrast{Name: "mean_km", A: 50, B: 48, Difference: -2, Low: -3.5, High: -0.5}
	for _, c := range []struct {
		text                    string
		rises, surely, of, sure bool
	}{
		{"mean_km>+1", true, false, false, false},
		{"mean_km > 0.25", true, true, false, false},
		{"mean_km>2", false, false, false, false},
		{"mean_km>=2", true, false, false, false},
		{"mean_km<-1", false, false, true, false},
		{"mean_km<-0.25", false, false, true, true},
		{"mean_km<=-2", false, false, true, false},
		{"|mean_km|>1", true, false, true, false},
		{"|mean_km|>0.25", true, true, true, true},
		{"mean_km>+3%", true, false, false, false},
		{"mean_km>+5%", false, false, false, false},
		{"|mean_km|<4", true, true, true, true},
	} {
		condition, err := ParseCondition(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := [4]bool{condition.Met(&d, false), condition.Met(&d, true), condition.Met(&fall, false),
			condition.Met(&fall, true)}
		if want := [4]bool{c.rises, c.surely, c.of, c.sure}; got != want {
			t.Errorf("%s: %v, want %v", c.text, got, want)
		}
	}
	none := study.Contrast{Difference: math.NaN(), Low: math.NaN(), High: math.NaN()}
	for _, text := range []string{"x>0", "x<0", "|x|>=0", "x<=0"} {
		if c, _ := ParseCondition(text); c.Met(&none, false) || c.Met(&none, true) {
			t.Errorf("%s is met by no number", text)
		}
	}
	for _, text := range []string{"", "mean_km", "mean_km>", "mean_km>one", ">1", "|mean_km>1", "mean_km=1",
		"mean_km>1e400"} {
		if _, err := ParseCondition(text); err == nil || !strings.Contains(err.Error(), "want one such as 'mean_km>+1'") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// What has no interval anywhere is never sure, which is an error and no silence.
func TestWhatHasNoIntervalIsNeverSure(t *testing.T) {
	place := func(half float64) Place {
		return Place{Contrasts: []study.Contrast{{Name: "std_km", A: 9, B: 1, Difference: -8, Low: -8 - half,
			High: -8 + half}}}
	}
	condition, err := ParseCondition("std_km<0")
	if err != nil {
		t.Fatal(err)
	}
	none := Comparison{Places: []Place{place(math.NaN()), place(math.NaN())}}
	said, err := none.Failed([]Condition{condition}, true)
	if err == nil || !strings.Contains(err.Error(), "has no interval") {
		t.Errorf("%q, %v", said, err)
	}
	if said, err := none.Failed([]Condition{condition}, false); err != nil || said == "" {
		t.Errorf("not to be sure: %q, %v", said, err)
	}
	some := Comparison{Places: []Place{place(math.NaN()), place(1)}}
	if said, err := some.Failed([]Condition{condition}, true); err != nil || !strings.Contains(said, "1 of 2 epsilons") {
		t.Errorf("with an interval at one: %q, %v", said, err)
	}
}

// Whatever is typed as a condition is refused on one line, or has a finite limit.
func FuzzConditions(f *testing.F) {
	for _, text := range []string{"|mean_km|>=+2%", "median_km<-1", "mean_km>1e400", "|", "mean_km>%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCondition(text)
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("not one line: %q", err)
		}
		if err == nil && (math.IsNaN(c.Limit) || math.IsInf(c.Limit, 0)) {
			t.Errorf("%q is %v", text, c.Limit)
		}
	})
}
