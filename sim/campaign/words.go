package campaign

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// count returns a number and a noun, in the plural unless the number is 1.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// one returns a verb's name with its article.
func one(verb string) string {
	if verb == "audit" {
		return "an " + verb
	}
	return "a " + verb
}

// orNone lists names.
func orNone(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }

// lowerFirst returns a sentence for after a colon.
func lowerFirst(sentence string) string { return strings.ToLower(sentence[:1]) + sentence[1:] }

// recognisedAt describes a detection distance in km: 0 means that the target is never recognised, NaN that the
// flight is missing.
func recognisedAt(km float64) string {
	switch {
	case math.IsNaN(km):
		return "not given"
	case km == 0:
		return "never recognised"
	}
	return fmt.Sprintf("recognised %.2f km from the target", km)
}
