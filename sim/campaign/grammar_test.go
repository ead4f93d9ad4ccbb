package campaign

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Whatever is typed where flags take a grammar of their own is refused on one line, or has finite values.
func FuzzGrammars(f *testing.F) {
	for _, text := range []string{"0.2,1,none", "0.5:4:0.5", "10km,20km", "5%", "0.05", "2/8",
		"1km", "moves,reward", "none,none", "%"} {
		f.Add(text)
	}
	grammars := map[string]func(string) ([]float64, error){
		"epsilons":   ParseEpsilonsOrNone,
		"kilometres": ParseKilometres,
		"share":      func(text string) ([]float64, error) { x, err := ParseShare(text); return []float64{x}, err },
		"half-width": func(text string) ([]float64, error) { x, err := ParseHalfWidth(text); return []float64{x}, err },
		"part":       func(text string) ([]float64, error) { _, err := ParsePart(text); return nil, err },
		"observers": func(text string) ([]float64, error) {
			_, err := ParseGoalObservers(SplitNames(text), nil)
			return nil, err
		},
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, parse := range grammars {
			values, err := parse(text)
			if err != nil {
				if strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("%s: not one line: %q", name, err)
				}
				continue
			}
			for _, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) && name != "epsilons" { // no noise is infinite
					t.Errorf("%s: %q is %v", name, text, v)
				}
			}
		}
	})
}

func TestShares(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, " 0.05": 0.05, "150%": 1.5, "1": 1} {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, says := range map[string]string{"cheap": "such as 5%", "0": "above 0", "-1%": "above 0", "NaN": "above 0",
		"5": "did you mean 5%? Otherwise write 500%"} {
		if _, err := ParseShare(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want a message with %q", text, err, says)
		}
	}
}

// Distances are read with or without their unit, from 0 to a million km.
func TestDistancesWithinTheirRange(t *testing.T) {
	for text, want := range map[string][]float64{"0,50km": {0, 50}, "1000000": {1e6}, "0:1:0.5": {0, 0.5, 1},
		"1e6km": {1e6}} {
		if got, err := ParseKilometres(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is read as %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"-1", "1000001", "0,-0.001", "nan", "inf", "", "x"} {
		if got, err := ParseKilometres(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
