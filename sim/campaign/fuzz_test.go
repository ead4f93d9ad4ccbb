package campaign

import (
	"math"
	"strings"
	"testing"
)

// Whatever is typed where flags take a grammar of their own is refused on one line, or has finite values.
func FuzzGrammars(f *testing.F) {
	for _, text := range []string{"0.2,1,none", "0.5:4:0.5", "10km,20km", "2bits", "5%", "0.05", "|mean_km|>=+2%",
		"median_km<-1", "2/8", "1km", "moves,reward", "none,none", "%", "bit"} {
		f.Add(text)
	}
	grammars := map[string]func(string) ([]float64, error){
		"epsilons":   parseEpsilonsOrNone,
		"kilometres": parseKilometres,
		"bits":       func(text string) ([]float64, error) { x, err := parseBits(text); return []float64{x}, err },
		"share":      func(text string) ([]float64, error) { x, err := ParseShare(text); return []float64{x}, err },
		"half-width": func(text string) ([]float64, error) { x, err := ParseHalfWidth(text); return []float64{x}, err },
		"condition":  func(text string) ([]float64, error) { c, err := ParseCondition(text); return []float64{c.Limit}, err },
		"part":       func(text string) ([]float64, error) { _, err := ParsePart(text); return nil, err },
		"observers": func(text string) ([]float64, error) {
			_, err := parseGoalObservers(SplitNames(text), nil)
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
